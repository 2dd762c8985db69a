/** Memory of the gateway's process, idle, after many calls and after many sessions; what is left behind. */
import { open } from '../lib/client.mjs';
import { call, openReady, ready, start } from '../lib/fleet.mjs';
import { gatewayRss, sleep, tagged } from '../lib/proc.mjs';
import { fixed, table } from '../lib/stats.mjs';

export async function memory({ targets, quick, failed, record }) {
  const count = quick ? 2000 : 10_000;
  const sessions = quick ? 10 : 50;
  const rows = [];
  for (const t of targets.filter((x) => !x.direct)) {
    let g;
    try {
      g = await start(t, 1, 4);
      g.client = await openReady(g);
      await sleep(1500);
      const row = { name: t.name, idle: gatewayRss(g.pid, g.tag) };
      let left = count;
      const worker = async () => {
        while (left-- > 0) await call(g, g.client, 'echo', { text: 'x'.repeat(100) });
      };
      await Promise.all(Array.from({ length: 16 }, worker));
      await sleep(1500);
      row.afterCalls = gatewayRss(g.pid, g.tag);
      const before = tagged(g.tag).length;
      for (let i = 0; i < sessions; i++) {
        const c = await open(g, { timeout: 15_000 });
        await c.request('tools/list', {});
        await ready(g, c, 5000);
        await c.close();
      }
      await sleep(3000);
      row.afterSessions = gatewayRss(g.pid, g.tag);
      row.left = tagged(g.tag).length - before;
      rows.push(row);
      await g.client.close().catch(() => {});
    } catch (e) {
      failed('memory', t.name, e);
    }
    await g?.stop();
  }
  record('memory', rows);
  table(
    'memory of the gateway (MB RSS, upstreams not counted)',
    ['target', 'idle', `after ${count} calls`, `after ${sessions} sessions more`, 'upstreams left'],
    rows.map((r) => [r.name, fixed(r.idle, 0), fixed(r.afterCalls, 0), fixed(r.afterSessions, 0), r.left]),
  );
}
