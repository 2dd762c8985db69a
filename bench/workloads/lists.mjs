/** tools/list of ten servers with fifty tools each: a new session's first list, and the same session again. */
import { performance } from 'node:perf_hooks';
import { open } from '../lib/client.mjs';
import { disband, fleet } from '../lib/fleet.mjs';
import { sleep } from '../lib/proc.mjs';
import { fixed, median, table } from '../lib/stats.mjs';

export async function lists({ targets, quick, failed, record }) {
  const all = await fleet(targets, 10, 50, (t, e) => failed('lists', t, e));
  await sleep(1500);
  const rows = [];
  const rounds = quick ? 3 : 5;
  const seen = new Map([...all.keys()].map((n) => [n, { first: [], later: [], warm: [], tools: 0 }]));
  for (let r = 0; r < rounds; r++) {
    for (const [name, g] of all) {
      const a = seen.get(name);
      try {
        const from = performance.now();
        const c = await open(g);
        const list = await c.request('tools/list', {});
        // The first session finds nothing known; those within a minute after it may be answered from what it saw.
        (r === 0 ? a.first : a.later).push(performance.now() - from);
        a.tools = list.tools.length;
        for (let i = 0; i < 10; i++) {
          const t = performance.now();
          await c.request('tools/list', {});
          a.warm.push(performance.now() - t);
        }
        await c.close();
      } catch (e) {
        failed('lists', name, e);
      }
    }
  }
  for (const [name, a] of seen) {
    rows.push({ name, tools: a.tools, first: median(a.first), later: median(a.later), warm: median(a.warm) });
  }
  record('lists', rows);
  table(
    'tools/list, 10 servers x 50 tools (ms; direct: 1 x 50)',
    ['target', 'tools', 'first session: open + list', 'later sessions', 'warm'],
    rows.map((r) => [r.name, r.tools, fixed(r.first, 1), fixed(r.later, 1), fixed(r.warm)]),
  );
  await disband(all);
}
