#!/usr/bin/env node
// Sessions that nobody closes: 500 clients initialize, list and go away without a word. After the idle reaper has been, the heap
// must be what it was and no server may be left.
//   node --expose-gc bench/abandoned.mjs [COUNT]
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestKernel } from '@coffer/kernel/testing';
import { open } from './lib/client.mjs';
import { sleep } from './lib/proc.mjs';

if (!globalThis.gc) throw new Error('Run it with: node --expose-gc bench/abandoned.mjs');
const count = Number(process.argv[2] ?? 500);
const root = path.resolve(new URL('..', import.meta.url).pathname);
const upstream = path.join(root, 'bench/lib/upstream.mjs');
const home = mkdtempSync(path.join(tmpdir(), 'coffer-abandoned-'));
const k = await createTestKernel({
  home,
  bundled: path.join(root, 'plugins'),
  env: { COFFER_MCP_SESSION_IDLE_S: '2', COFFER_MCP_SESSION_REAPER_INTERVAL_S: '1', COFFER_LOG_LEVEL: 'warn' },
});
const transport = { type: 'stdio', command: process.execPath, args: [upstream, '--name', 's0', '--tools', '50'] };
await k.rest('POST', '/resources', { kind: 'mcp_server', name: 's0', config: { transport } });

const pids = path.join(home, 'upstream-pids');
const heap = async () => {
  await sleep(300);
  for (let i = 0; i < 4; i++) globalThis.gc();
  return process.memoryUsage().heapUsed / 1_048_576;
};
const settled = async () => {
  for (let i = 0; i < 600 && (k.services.endpoint.sessions.size > 0 || readdirSync(pids).length > 0); i++)
    await sleep(100);
};
async function abandon(n) {
  for (let i = 0; i < n; i++) {
    const c = await open({ url: `${k.url}/mcp`, headers: { 'X-Coffer-Token': k.token } });
    await c.request('tools/list', {});
    c.agent.destroy();
  }
}

await abandon(20);
await settled();
const before = await heap();
for (let done = 0; done < count; done += 20) await abandon(Math.min(20, count - done));
await settled();
const after = await heap();
console.log(
  `${count} abandoned sessions: heap ${before.toFixed(1)} -> ${after.toFixed(1)} MB (x ${(after / before).toFixed(3)}), ` +
    `sessions left ${k.services.endpoint.sessions.size}, servers left ${readdirSync(pids).length}`,
);
await k.stop();
rmSync(home, { recursive: true, force: true });
process.exit(0);
