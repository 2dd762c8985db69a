import { currentLanguage } from './i18n.js';
import { plugins } from './stores.js';
import type { PluginUi, Words } from './types.js';

export type Slot = NonNullable<PluginUi['slots']>[number] & { plugin: string; module: string };

/** The words of a manifest in the current language, else in English. */
export function worded(words: Words): string {
  return words[currentLanguage()] ?? words['en'] ?? '';
}

/** What plugins that run have declared for a place, in order. `kind` narrows to those made for it or for every kind. */
export function slotsFor(slot: string, kind?: string): Slot[] {
  return (plugins.value ?? [])
    .flatMap((p) => (p.ui?.slots ?? []).map((s) => ({ ...s, plugin: p.name, module: p.ui?.module ?? '' })))
    .filter((s) => s.slot === slot && (s.kind === undefined || s.kind === kind))
    .sort((a, b) => (a.order ?? 100) - (b.order ?? 100));
}
