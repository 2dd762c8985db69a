#!/usr/bin/env node
// What an era costs: calls of a client with a session beside those of one without, `server/discover`, and what a call holds while its
// question is with the client.
//   node --expose-gc bench/eras.mjs [ROUNDS]
import http from 'node:http';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestKernel } from '@coffer/kernel/testing';
import { sleep } from './lib/proc.mjs';

if (!globalThis.gc) throw new Error('Run it with: node --expose-gc bench/eras.mjs');
const rounds = Number(process.argv[2] ?? 20);
// A client may have 32 calls waiting at once.
const PARKED = 25;
const root = path.resolve(new URL('..', import.meta.url).pathname);
const home = mkdtempSync(path.join(tmpdir(), 'coffer-eras-'));
const k = await createTestKernel({
  home,
  bundled: path.join(root, 'plugins'),
  env: { COFFER_LOG_LEVEL: 'warn' },
});
const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json');
const servers = {
  s0: [path.join(root, 'bench/lib/upstream.mjs'), '--name', 's0', '--tools', '10'],
  every: [path.join(path.dirname(everything), 'dist/index.js'), 'stdio'],
};
for (const [name, args] of Object.entries(servers))
  await k.rest('POST', '/resources', {
    kind: 'mcp_server',
    name,
    config: { transport: { type: 'stdio', command: process.execPath, args } },
  });

const agent = new http.Agent({ keepAlive: true });
let id = 0;
/** Sends one message; resolves to its headers and the last JSON of the answer, plain or as an event. */
function post(method, params, headers) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    ...(method.startsWith('notifications/') ? {} : { id: ++id }),
    method,
    params,
  });
  return new Promise((resolve, reject) => {
    const req = http.request(
      `${k.url}/mcp`,
      {
        method: 'POST',
        agent,
        headers: {
          'X-Coffer-Token': k.token,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (c) => (text += c));
        res.on('end', () => {
          const json = text.startsWith('{')
            ? text
            : text
                .split('\n')
                .findLast((l) => l.startsWith('data: {'))
                ?.slice(6);
          const answer = json === undefined ? {} : JSON.parse(json);
          if (answer.error) reject(new Error(JSON.stringify(answer.error)));
          else resolve({ headers: res.headers, result: answer.result });
        });
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}

const opened = await post('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
});
const session = { 'Mcp-Session-Id': opened.headers['mcp-session-id'], 'Mcp-Protocol-Version': '2025-11-25' };
await post('notifications/initialized', {}, session);
const older = (name, args, more = {}, headers = session) =>
  post('tools/call', { name, arguments: args, ...more }, headers);
const newer = (method, params = {}) =>
  post(
    method,
    {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
      },
    },
    {
      'Mcp-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(params.name === undefined ? {} : { 'Mcp-Name': params.name }),
    },
  );

const call = { name: 's0__echo', arguments: { text: 'x' } };
// What a request without a session says of itself is some 250 bytes; the same in a session, where it means nothing, shows what they cost.
const filler = {
  _meta: {
    'x.test/a': '2026-07-28',
    'x.test/client': { name: 'bench', version: '1' },
    'x.test/pad': { ['x'.repeat(80)]: {} },
  },
};
const ways = {
  'a call with a session': () => older(call.name, call.arguments),
  'the same, as long as one without': () =>
    older(call.name, call.arguments, filler, { ...session, 'X-A': 'tools/call', 'X-B': call.name }),
  'a call without a session': () => newer('tools/call', call),
  'server/discover': () => newer('server/discover'),
};
const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
for (let round = -3; round < rounds; round++)
  for (const [name, once] of Object.entries(ways))
    for (let i = 0; i < 100; i++) {
      const from = performance.now();
      await once();
      if (round >= 0) times[name].push(performance.now() - from);
    }
const quantile = (all, q) => all.toSorted((a, b) => a - b)[Math.floor(all.length * q)];
for (const [name, all] of Object.entries(times))
  console.log(`${name}: p50 ${quantile(all, 0.5).toFixed(3)} ms, p95 ${quantile(all, 0.95).toFixed(3)} ms`);
const median = (name) => quantile(times[name], 0.5);
const ratio = (name) => (median('a call without a session') / median(name)).toFixed(2);
console.log(`without / with a session: p50 x ${ratio('a call with a session')}`);
console.log(`without / as long with a session: p50 x ${ratio('the same, as long as one without')}`);

const heap = async () => {
  for (let i = 0; i < 4; i++) {
    await sleep(1000);
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
};
const ask = { name: 'every__trigger-elicitation-request', arguments: {} };
for (let i = 0; i < 5; i++) await newer('tools/call', ask);
const before = await heap();
let parked = 0;
for (let i = 0; i < PARKED; i++) if ((await newer('tools/call', ask)).result.resultType === 'input_required') parked++;
console.log(
  `${parked} calls that wait for an answer: heap + ${(((await heap()) - before) / 1024 / parked).toFixed(1)} kB each`,
);
agent.destroy();
await k.stop();
rmSync(home, { recursive: true, force: true });
process.exit(0);
