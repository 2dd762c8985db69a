/** Tool search over a thousand tools, where the target has one. */
import { performance } from 'node:perf_hooks';
import { openReady, start } from '../lib/fleet.mjs';
import { fixed, median, quantile, table } from '../lib/stats.mjs';

const QUERIES = ['read an item from the store', 'tool number 12', 'filter by text', 'short summary', 'echo text back'];

export async function search({ targets, quick, failed, record }) {
  const rows = [];
  for (const t of targets.filter((x) => x.search)) {
    let g;
    try {
      g = await start(t, 20, 50);
      g.client = await openReady(g);
      await g.client.request('tools/list', {});
      const times = [];
      for (let i = 0; i < (quick ? 20 : 100); i++) {
        const from = performance.now();
        const found = await t.search.find(g.client, QUERIES[i % QUERIES.length], 5);
        times.push(performance.now() - from);
        if (found.length === 0) throw new Error('found nothing');
      }
      rows.push({ name: t.name, p50: median(times), p95: quantile(times, 0.95) });
      await g.client.close();
    } catch (e) {
      failed('search', t.name, e);
    }
    await g?.stop();
  }
  record('search', rows);
  table(
    'search over 1,000 tools (ms)',
    ['target', 'p50', 'p95'],
    rows.map((r) => [r.name, fixed(r.p50), fixed(r.p95)]),
  );
}
