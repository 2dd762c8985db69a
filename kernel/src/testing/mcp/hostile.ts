#!/usr/bin/env node
/**
 * An MCP server that misbehaves in one way, for tests of what has to bear it.
 *
 *   hostile --mode MODE [--value N]             stdio; see hostile/stdio-modes.ts
 *   hostile --mode MODE --http PORT             streamable HTTP, for the modes of hostile/http-modes.ts
 *
 * With a port it prints `listening URL`. Over HTTP it ends when its stdin does.
 */
import { parseArgs } from 'node:util';
import { serveHostileHttp } from './hostile/http-modes.js';
import { runHostile } from './hostile/stdio-modes.js';

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'plain' },
    value: { type: 'string' },
    http: { type: 'string' },
  },
});
const value = values.value === undefined ? undefined : Number(values.value);
if (values.http === undefined) runHostile(values.mode, value);
else {
  serveHostileHttp(values.mode, Number(values.http));
  process.stdin.resume();
  process.stdin.on('end', () => process.exit(0));
}
