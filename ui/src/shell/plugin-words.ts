import { currentLanguage, stores } from '../kit/index.js';

const asked = new Set<string>();

/**
 * Fetches what plugins bring in the language that is spoken. The shell's own pages need it too: labels of kinds, titles in schemas,
 * changes in the audit. One that cannot be fetched leaves its plugin in English.
 */
export function fetchPluginWords(): void {
  for (const plugin of stores.plugins.value ?? []) {
    const address = plugin.ui?.words?.[currentLanguage()];
    if (address === undefined || asked.has(address)) continue;
    asked.add(address);
    import(/* @vite-ignore */ address).catch(() => undefined);
  }
}
