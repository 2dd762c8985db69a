/** Gateways under test: started in front of upstreams, kept alive together so that rounds can interleave, and ended. */
import { performance } from 'node:perf_hooks';
import { open } from './client.mjs';
import { freePort, sleep, tagged, tmp } from './proc.mjs';

const UPSTREAM = new URL('upstream.mjs', import.meta.url).pathname;
const live = new Set();
let sequence = 0;

/** Starts one target in front of `count` fast upstreams with `tools` tools each. */
export async function start(target, count, tools) {
  const tag = `tg${process.pid}x${sequence++}`;
  const dir = tmp(target.name);
  const upstreams = Array.from({ length: target.aggregates ? count : 1 }, (_, i) => ({
    name: `s${i}`,
    command: 'node',
    args: [UPSTREAM, '--name', `s${i}`, '--tools', String(tools), '--tag', tag],
  }));
  const options = { upstreams, dir, port: await freePort(), tag };
  // What a user does once (registering servers) is not timed.
  if (target.prepare) {
    await target.prepare(options);
    options.prepared = true;
  }
  const startedAt = performance.now();
  const gateway = await target.start(options);
  const stop = gateway.stop;
  Object.assign(gateway, {
    tag,
    target,
    startedAt,
    pid: gateway.pid ?? gateway.child?.pid,
    async stop() {
      live.delete(gateway);
      await stop.call(gateway);
      await sleep(100);
      for (const p of tagged(tag)) process.kill(p.pid, 'SIGKILL');
    },
  });
  live.add(gateway);
  return gateway;
}

export function call(gateway, client, tool, args, options) {
  const params = gateway.call
    ? gateway.call('s0', tool, args)
    : { name: gateway.toolName('s0', tool), arguments: args };
  return client.request('tools/call', params, options);
}

/** Waits for the first call that works. */
export async function ready(gateway, client, ms = 15_000) {
  const from = Date.now();
  for (;;) {
    try {
      const r = await call(gateway, client, 'echo', { text: 'x' }, { ms: 5000 });
      if (r?.content && !r.isError) return;
      throw new Error(JSON.stringify(r).slice(0, 120));
    } catch (e) {
      if (Date.now() - from > ms) throw e;
      await sleep(50);
    }
  }
}

export async function openReady(gateway, ms = 15_000) {
  const from = Date.now();
  for (;;) {
    try {
      const client = await open(gateway);
      await ready(gateway, client);
      return client;
    } catch (e) {
      if (Date.now() - from > ms) throw e;
      await sleep(50);
    }
  }
}

/** All targets alive at once, each with a client. What fails is left out and told. */
export async function fleet(targets, count, tools, failed) {
  const all = new Map();
  for (const t of targets) {
    try {
      const gateway = await start(t, count, tools);
      gateway.client = await openReady(gateway);
      all.set(t.name, gateway);
    } catch (e) {
      failed(t.name, e);
    }
  }
  return all;
}

export async function disband(all) {
  for (const g of all.values()) {
    await g.client?.close().catch(() => {});
    await g.stop();
  }
}

export async function stopAll() {
  for (const g of [...live]) await g.stop();
}
