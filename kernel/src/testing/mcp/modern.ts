#!/usr/bin/env node
/**
 * An MCP server of 2026-07-28 without an SDK that uses every part of it, for tests of what carries it.
 *
 *   modern [--name S] [--version V]     stdio; says this of itself
 *          [--both]                     speaks 2025-11-25 too: what opens with initialize goes on in that era
 *          [--http PORT] [--json]       HTTP at /mcp; port 0 takes a free one; answers without streams of events
 *          [--page N] [--ttl MS]        lists in pages of N; what lists say of how long they keep
 *          [--record FILE]              one line for each start, request and cancellation
 *          [--listen-ms N]              ends each standing stream after N milliseconds
 *          [--tasks]                    has the extension for tasks, and tools that use it
 *          [--mode MODE]                misbehaves in one way, see modern/modes.ts
 *          [--era-file FILE]            speaks the newer era only while FILE holds `modern`; looked at when it starts, over HTTP always
 *
 * With a port it prints `listening URL`. It ends when its stdin does, so no test can leave it behind.
 */
import { serveModernHttp } from './modern/http.js';
import { readModernOptions } from './modern/options.js';
import { serveModernStdio } from './modern/stdio.js';
import { createModernWorld } from './modern/world.js';

const options = readModernOptions(process.argv.slice(2));
const world = createModernWorld(options);
world.record(`start ${process.pid}`);
process.on('SIGTERM', () => process.exit(0));
if (options.http === undefined) serveModernStdio(world);
else {
  serveModernHttp(world, options.http);
  process.stdin.resume();
  process.stdin.on('end', () => process.exit(0));
}
