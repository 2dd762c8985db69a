/** Lets the palette find tools by name, across all servers. */
import { addPaletteSource, api, query, t } from '@coffer/ui';
import { serverHref } from './data.js';

interface Named {
  server: string;
  name: string;
  enabled: boolean;
}

addPaletteSource({
  id: 'mcp-servers.tools',
  async search(text, signal) {
    // The server folds no more than this; longer texts name nothing.
    const { tools } = await api.get<{ tools: Named[] }>(
      `/mcp/tools${query({ find: text.slice(0, 200), limit: 8 })}`,
      signal,
    );
    return tools.map(({ server, name, enabled }) => ({
      label: t('Try {name}', { name }),
      hint: enabled ? server : t('{server} · switched off', { server }),
      route: `${serverHref(server)}?tab=tools&tool=${encodeURIComponent(name)}`,
    }));
  },
});
