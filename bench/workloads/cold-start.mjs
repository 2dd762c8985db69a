/** From the start of the gateway's process to the first list that holds every tool; partial lists on the way are counted. */
import { performance } from 'node:perf_hooks';
import { open } from '../lib/client.mjs';
import { start } from '../lib/fleet.mjs';
import { sleep } from '../lib/proc.mjs';
import { fixed, median, table } from '../lib/stats.mjs';

export async function coldStart({ targets, quick, failed, record }) {
  const seen = new Map();
  for (let r = 0; r < (quick ? 2 : 5); r++) {
    for (const t of targets) {
      for (const count of t.aggregates ? [1, 10] : [1]) {
        const a = seen.get(t.name) ?? { 1: [], 10: [], partial: 0 };
        seen.set(t.name, a);
        let g;
        try {
          g = await start(t, count, 4);
          let c;
          while (!c) {
            c = await open(g, { timeout: 20_000 }).catch(() => undefined);
            if (!c) await sleep(5);
            if (performance.now() - g.startedAt > 30_000) throw new Error('did not open');
          }
          for (;;) {
            const { tools } = await c.request('tools/list', {});
            if (tools.length >= count * 4) break;
            a.partial++;
            if (t.metaTools || performance.now() - g.startedAt > 20_000) break;
            await sleep(10);
          }
          a[count].push(performance.now() - g.startedAt);
          await c.close();
        } catch (e) {
          failed('cold start', t.name, e);
        }
        await g?.stop();
      }
    }
  }
  const rows = [...seen].map(([name, a]) => ({ name, one: median(a[1]), ten: median(a[10]), partial: a.partial }));
  record('cold start', rows);
  table(
    'cold start to the full list (ms)',
    ['target', '1 upstream', '10 upstreams', 'partial lists seen'],
    rows.map((r) => [r.name, fixed(r.one, 0), fixed(r.ten, 0), r.partial]),
  );
}
