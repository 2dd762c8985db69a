#!/usr/bin/env node
// What chat costs: from a word of the agent to a program, to the eye, with fifty conversations at once; opening a long conversation.
//   node --conditions=coffer-source --import tsx/esm bench/chat.mjs [--json]
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startDaemon } from '@coffer/testing';
import { openBrowser, signIn } from '../test/ui/browser.ts';
import { opening, paintAges } from './chat/paint.mjs';
import { watch } from './chat/watch.mjs';
import { fixed, quantile, table } from './lib/stats.mjs';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const MANY = 50;
/** Words of a turn, and milliseconds between two: three times as fast as agents speak. */
const TURN = '400 10';
const load = os.loadavg()[0] ?? 0;
const daemon = await startDaemon({ env: { COFFER_LOG_LEVEL: 'warn' } });
const browser = await openBrowser();
const figures = [];
const note = (what, value, unit, target) =>
  figures.push({
    what,
    value,
    unit,
    target,
    verdict: target === undefined ? null : value <= target ? 'met' : 'MISSED',
  });

const chat = async (method, at, body) => (await daemon.rest(method, `/chat/conversations${at}`, body)).body;
const begin = async () => (await chat('POST', '', { agent_key: 'metronome' })).id;
const say = (id, text) => chat('POST', `/${id}/messages`, { text });
const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8'))[1]) / 1000;

try {
  await daemon.rest('POST', '/plugins', { spec: path.resolve(import.meta.dirname, 'chat/metronome') });

  const firsts = [];
  for (let i = 0; i < 30; i++) {
    const id = await begin();
    const { done } = await watch(daemon, id);
    await say(id, '3 5');
    firsts.push((await done)[0]);
  }
  note('first word of a turn, agent to program: p50', quantile(firsts, 0.5), 'ms');
  note('first word of a turn, agent to program: p95', quantile(firsts, 0.95), 'ms', 20);

  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })).newPage();
  await signIn(page, daemon);
  const base = `http://127.0.0.1:${daemon.port}`;
  const one = await begin();
  const painted = await paintAges(page, base, one, () => say(one, TURN));
  note('a word, agent to paint: p50', quantile(painted, 0.5), 'ms');
  note('a word, agent to paint: p95', quantile(painted, 0.95), 'ms', 50);
  note('words that were seen, of 400', painted.length, '');

  const ids = await Promise.all(Array.from({ length: MANY }, begin));
  const streams = await Promise.all(ids.map((id) => watch(daemon, id)));
  const before = rss();
  let peak = before;
  const meter = setInterval(() => (peak = Math.max(peak, rss())), 100);
  await Promise.all(ids.map((id) => say(id, '200 20')));
  const ages = (await Promise.all(streams.map((s) => s.done))).flat();
  clearInterval(meter);
  note(`a word, agent to program, ${MANY} conversations at once: p50`, quantile(ages, 0.5), 'ms');
  note(`a word, agent to program, ${MANY} conversations at once: p95`, quantile(ages, 0.95), 'ms', 100);
  note('RSS of the daemon before, MB', before, 'MB');
  note(`RSS of the daemon, ${MANY} conversations at once, MB`, peak, 'MB', 300);

  const long = await begin();
  for (let i = 0; i < 1000; i += 400) {
    for (let n = i; n < Math.min(i + 400, 1000); n++) await say(long, '40 0');
    for (;;) {
      const { waiting, running } = await chat('GET', `/${long}`);
      if (waiting === 0 && !running) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  const { messages, total } = await chat('GET', `/${long}/messages?limit=1`);
  const last = messages[0].content[0].text.trim().split(' ').at(-1);
  const opened = [];
  for (let i = 0; i < 10; i++) opened.push(await opening(page, base, long, last));
  note(`opening a conversation of ${total} messages: p50`, quantile(opened, 0.5), 'ms');
  note(`opening a conversation of ${total} messages: worst`, Math.max(...opened), 'ms', 300);
} finally {
  await browser.close();
  await daemon.stop();
}

if (values.json) console.log(JSON.stringify({ load, figures }, null, 2));
else {
  console.log(`load before: ${fixed(load, 2)}`);
  table(
    'Chat',
    ['what', 'value', 'target', ''],
    figures.map((f) => [f.what, `${fixed(f.value, 1)} ${f.unit}`, f.target ?? '', f.verdict ?? '']),
  );
}
process.exitCode = figures.some((f) => f.verdict === 'MISSED') ? 1 : 0;
