/** Search in folders of Markdown files, for other plugins: a service, no kind. The files are the truth, the index follows them. */
import { definePlugin, serviceToken } from '@coffer/kernel';
import { fuse } from './fusion.js';
import { createKeywordSearch } from './keyword.js';
import { createRows } from './rows.js';
import { FileStore, type StoreParts } from './store.js';
import { ensureTables, migrations } from './tables.js';
import type { Hit, Retrieval } from './types.js';

export type * from './types.js';

export default definePlugin({
  name: 'retrieval',
  apiVersion: 1,

  register(kernel) {
    const db = kernel.database(migrations);
    ensureTables(db);
    const told = (store: string): void => kernel.emit({ type: 'retrieval', store });
    const parts: StoreParts = {
      db,
      rows: createRows(db),
      log: kernel.log,
      keyword: createKeywordSearch(db),
      changed: told,
      touched: told,
      heal: () => ensureTables(db),
      now: () => kernel.clock.now(),
    };
    const stores = new Set<FileStore>();
    kernel.effect('folders watched', () => () => stores.forEach((store) => store.close()));

    const retrieval: Retrieval = {
      store(definition) {
        const store = new FileStore(definition, parts);
        stores.add(store);
        return store;
      },
      async search(some, query, top) {
        const lists = await Promise.all(some.map((s) => s.search(query, top)));
        if (lists.length === 1) return lists[0] ?? [];
        const key = (h: Hit): string => `${h.store}\0${h.path}\0${h.position}`;
        return fuse(lists, key)
          .slice(0, top)
          .map(({ item }) => item);
      },
      forget(id) {
        for (const store of [...stores].filter((s) => s.id === id)) {
          store.close();
          stores.delete(store);
        }
        parts.rows.forget(id);
      },
    };
    kernel.provide(serviceToken<Retrieval>('retrieval'), retrieval);
  },
});
