import { definePlugin } from '@coffer/kernel';
import schema from './schema.json' with { type: 'json' };

export default definePlugin({
  name: 'kind-bookmark',
  apiVersion: 1,

  register(kernel) {
    kernel.kinds.define({
      kind: 'bookmark',
      label: { one: 'Bookmark', many: 'Bookmarks' },
      schema,
      scopeAxes: ['machine', 'agent'],
    });

    kernel.tools.define({
      name: 'find_bookmarks',
      description: 'Find saved bookmarks by words in their title, address or tags. Use it before searching the web.',
      inputSchema: { type: 'object', required: ['query'], properties: { query: { type: 'string', maxLength: 200 } } },
      call({ query }, { session }) {
        const visible = kernel.resources.list('bookmark', { visibleTo: session.viewpoint });
        return { bookmarks: visible.filter((b) => matches(b.config, query)).map((b) => b.config) };
      },
    });
  },
});

function matches({ title, url, tags }, query) {
  const text = [title, url, ...tags].join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
