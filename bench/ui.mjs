#!/usr/bin/env node
// What the web UI costs, in a real browser against a real, warm daemon: paint, bytes, switches, long tables.
//   npm run bench:ui [-- --rounds N] [-- --json]
import { parseArgs } from 'node:util';
import os from 'node:os';
import path from 'node:path';
import { startDaemon } from '@coffer/testing';
import { openBrowser, signIn } from '../test/ui/browser.ts';
import { pageChunks, startOfHome } from './ui/loads.mjs';
import { longTable } from './ui/scroll.mjs';
import { switches } from './ui/switches.mjs';
import { fixed, quantile, table } from './lib/stats.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, json: { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);
const ROWS = 5000;
/** Others that work on the machine meanwhile spoil every figure. */
const load = os.loadavg()[0] ?? 0;
const upstream = path.resolve(import.meta.dirname, 'lib/upstream.mjs');

const daemon = await startDaemon({ env: { COFFER_LOG_LEVEL: 'warn' } });
const browser = await openBrowser();
const figures = [];
/** `target` is the most that the value may be. */
const note = (what, value, unit, target) =>
  figures.push({
    what,
    value,
    unit,
    target,
    verdict: target === undefined ? null : value <= target ? 'met' : 'MISSED',
  });

try {
  await daemon.addStdio('small', [upstream, '--name', 'small', '--tools', '20']);
  await daemon.addStdio('big', [upstream, '--name', 'big', '--tools', String(ROWS)]);
  for (let done = 0; done < ROWS; done += 50)
    await Promise.all(
      Array.from({ length: 50 }, () =>
        daemon.rest('POST', '/gateway/call', { name: 'small__echo', arguments: { text: 'x' } }),
      ),
    );
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();
  await signIn(page, daemon);
  const base = `http://127.0.0.1:${daemon.port}`;

  const home = await startOfHome(page, base, rounds);
  note('Home, first contentful paint, empty cache, p50', quantile(home.cold.paint, 0.5), 'ms', 500);
  note('Home, first contentful paint, empty cache, worst', Math.max(...home.cold.paint), 'ms', 500);
  note('Home, its heading is there, empty cache, p50', quantile(home.cold.heading, 0.5), 'ms', 500);
  note('Home, first contentful paint, again, p50', quantile(home.warm.paint, 0.5), 'ms', 500);
  note('Home, its heading is there, again, p50', quantile(home.warm.heading, 0.5), 'ms', 500);
  note('initial JS of Home, gzip', home.js / 1000, 'kB', 120);
  note('initial CSS, gzip', home.css / 1000, 'kB', 12);
  note('requests to other hosts', home.foreign, '', 0);

  for (const { name, bytes } of await pageChunks(page, base)) note(`JS more for ${name}, gzip`, bytes / 1000, 'kB', 30);

  const t = await switches(page, base, rounds);
  note('a switch, press to paint, p50', quantile(t.paint, 0.5), 'ms', 100);
  note('a switch, press to paint, worst', Math.max(...t.paint), 'ms', 100);
  note('a switch, press to the live event, p50', quantile(t.event, 0.5), 'ms');
  note('switches that the event contradicts or does not confirm', t.unconfirmed, '', 0);

  for (const [what, at] of [
    ['tools', '/mcp-servers/big?tab=tools'],
    ['calls', '/activity'],
  ]) {
    const s = await longTable(page, base, at, ROWS);
    note(`${s.rows} ${what}: longest task while scrolling`, s.longest, 'ms', 50);
    note(`${s.rows} ${what}: slowest frame while scrolling`, s.frame, 'ms');
    note(`${s.rows} ${what}: longest task while typing a search`, s.search, 'ms');
    note(`${s.rows} ${what}: rows in the document`, s.drawn, '', 200);
  }
} finally {
  await browser.close();
  await daemon.stop();
}

if (values.json)
  console.log(JSON.stringify({ node: process.version, cores: os.cpus().length, load, rounds, figures }, null, 2));
else
  table(
    `Web UI, ${rounds} rounds; load ${fixed(load, 1)} on ${os.cpus().length} cores when it began`,
    ['what', 'value', 'target', 'verdict'],
    figures.map((f) => {
      const digits = f.unit === 'kB' ? 1 : 0;
      return [
        f.what,
        `${fixed(f.value, digits)} ${f.unit}`.trim(),
        f.target === undefined ? '-' : `<= ${f.target} ${f.unit}`.trim(),
        f.verdict ?? '-',
      ];
    }),
  );
process.exitCode = figures.some((f) => f.verdict === 'MISSED') ? 1 : 0;
