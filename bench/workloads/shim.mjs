/** The stdio entry of a running gateway: spawn to initialize answered, and a call through it. */
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { StdioClient } from '../lib/client.mjs';
import { call, disband, fleet, ready } from '../lib/fleet.mjs';
import { rssMB } from '../lib/proc.mjs';
import { fixed, median, table } from '../lib/stats.mjs';

export async function shim({ targets, quick, failed, record }) {
  const rounds = quick ? 3 : 9;
  const usable = targets.filter((t) => !t.direct || t.name === 'direct-stdio');
  const all = await fleet(usable, 1, 4, (t, e) => failed('shim', t, e));
  const bare = [];
  for (let r = 0; r < rounds; r++) {
    const from = performance.now();
    await new Promise((done) => spawn('node', ['-e', '0'], { stdio: 'ignore' }).on('exit', done));
    bare.push(performance.now() - from);
  }
  const rows = [{ name: 'node -e 0', first: median(bare) }];
  const seen = new Map();
  for (let r = 0; r < rounds; r++) {
    for (const [name, g] of all) {
      if (!g.stdio) continue;
      const a = seen.get(name) ?? { first: [], calls: [] };
      seen.set(name, a);
      try {
        const from = performance.now();
        const c = new StdioClient({ ...g.stdio, timeout: 20_000 });
        await c.connect();
        a.first.push(performance.now() - from);
        await ready(g, c);
        for (let i = 0; i < 50; i++) {
          const t = performance.now();
          await call(g, c, 'echo', { text: 'x' });
          if (i >= 20) a.calls.push(performance.now() - t);
        }
        a.rss = rssMB(c.pid);
        await c.close();
      } catch (e) {
        failed('shim', name, e);
      }
    }
  }
  for (const [name, a] of seen) rows.push({ name, first: median(a.first), call: median(a.calls), rss: a.rss });
  record('shim', rows);
  table(
    'stdio entry point (ms; MB)',
    ['target', 'spawn to initialize', 'a call through it', 'RSS'],
    rows.map((r) => [r.name, fixed(r.first, 0), fixed(r.call, 3), fixed(r.rss, 0)]),
  );
  await disband(all);
}
