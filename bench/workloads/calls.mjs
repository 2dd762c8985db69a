/** One call after the other, 32 in flight, and large results; all targets in turn, so that noise hits all alike. */
import { performance } from 'node:perf_hooks';
import { call, disband, fleet } from '../lib/fleet.mjs';
import { fixed, median, quantile, ratio, table } from '../lib/stats.mjs';

const TEXT = { text: 'hello world, this is a small echo message' };

export async function calls({ targets, quick, failed, record }) {
  const all = await fleet(targets, 1, 4, (t, e) => failed('calls', t, e));
  await sequential(all, quick ? 5 : 15, record);
  await inFlight(all, quick ? 2 : 5, quick ? 320 : 640, failed, record);
  await large(all, quick, failed, record);
  await disband(all);
}

async function sequential(all, rounds, record) {
  const times = new Map();
  for (const [name, g] of all) {
    times.set(name, []);
    for (let i = 0; i < 100; i++) await call(g, g.client, 'echo', TEXT);
  }
  for (let r = 0; r < rounds; r++) {
    for (const [name, g] of all) {
      for (let i = 0; i < 3; i++) await call(g, g.client, 'echo', TEXT);
      for (let i = 0; i < 20; i++) {
        const from = performance.now();
        await call(g, g.client, 'echo', TEXT);
        times.get(name).push(performance.now() - from);
      }
    }
  }
  const p50 = (name) => median(times.get(name) ?? []);
  const rows = [...times].map(([name, t]) => ({
    name,
    p50: median(t),
    p95: quantile(t, 0.95),
    p99: quantile(t, 0.99),
    overStdio: median(t) - p50('direct-stdio'),
    xHttp: ratio(median(t), p50('direct-http')),
  }));
  record('sequential', rows);
  table(
    `one call after the other, ${rounds * 20} calls (ms)`,
    ['target', 'p50', 'p95', 'p99', 'over stdio', 'x direct HTTP'],
    rows.map((r) => [r.name, fixed(r.p50, 3), fixed(r.p95, 3), fixed(r.p99, 3), fixed(r.overStdio, 3), fixed(r.xHttp)]),
  );
}

async function inFlight(all, rounds, count, failed, record) {
  const burst = async (g) => {
    let left = count;
    const from = performance.now();
    const worker = async () => {
      while (left-- > 0) await call(g, g.client, 'echo', TEXT);
    };
    await Promise.all(Array.from({ length: 32 }, worker));
    return count / ((performance.now() - from) / 1000);
  };
  const rates = new Map();
  for (let r = -1; r < rounds; r++) {
    for (const [name, g] of all) {
      try {
        const rate = await burst(g);
        if (r >= 0) rates.set(name, [...(rates.get(name) ?? []), rate]);
      } catch (e) {
        failed('in flight', name, e);
      }
    }
  }
  const base = median(rates.get('direct-http') ?? []);
  const rows = [...rates].map(([name, x]) => ({ name, perSecond: median(x), xHttp: ratio(median(x), base) }));
  record('in flight', rows);
  table(
    `32 calls in flight, ${rounds} rounds of ${count}`,
    ['target', 'calls/s', 'x direct HTTP'],
    rows.map((r) => [r.name, fixed(r.perSecond, 0), fixed(r.xHttp)]),
  );
}

async function large(all, quick, failed, record) {
  const sizes = [1e6, 5e6, 1e7];
  const rows = [...all.keys()].map((name) => ({ name, ms: {} }));
  for (const bytes of sizes) {
    const times = new Map();
    const rounds = quick ? 2 : bytes === 1e6 ? 10 : 5;
    for (let r = -1; r < rounds; r++) {
      for (const [name, g] of all) {
        if (times.get(name) === 'failed') continue;
        try {
          const from = performance.now();
          const x = await call(g, g.client, 'big', { bytes }, { ms: 30_000 });
          const ms = performance.now() - from;
          const got = x.content?.[0]?.text?.length;
          if (got !== bytes) throw new Error(`${got} of ${bytes} characters came`);
          if (r >= 0) times.set(name, [...(times.get(name) ?? []), ms]);
        } catch (e) {
          times.set(name, 'failed');
          failed('large', name, e);
        }
      }
    }
    for (const row of rows) row.ms[bytes] = times.get(row.name) === 'failed' ? null : median(times.get(row.name) ?? []);
  }
  const base = rows.find((r) => r.name === 'direct-http')?.ms ?? {};
  record('large', rows);
  table(
    'large results (ms)',
    ['target', ...sizes.flatMap((b) => [`${b / 1e6} MB`, 'x direct HTTP'])],
    rows.map((r) => [
      r.name,
      ...sizes.flatMap((b) =>
        r.ms[b] === null ? ['failed', ''] : [fixed(r.ms[b], 1), fixed(ratio(r.ms[b], base[b]))],
      ),
    ]),
  );
}
