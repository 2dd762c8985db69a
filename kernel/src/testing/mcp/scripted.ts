#!/usr/bin/env node
/**
 * An MCP server (2024-11-05 to 2025-11-25) without an SDK that uses every part of the protocol, for tests of what carries it.
 *
 *   scripted [--name S] [--page N] [--protocol V]  stdio; lists in pages of N; answers version V whatever was asked
 *            [--tools-only] [--extra-tools N]      offers tools alone; offers N more tools
 *            [--ask-roots]                         asks for the roots once initialized, and when they change
 *            [--record FILE]                       one line for each start, call and cancellation
 *            [--http PORT] [--json] [--no-get] [--stateless]   streamable HTTP at /mcp; port 0 takes a free one
 *            [--sse PORT]                          the HTTP+SSE transport of 2024-11-05 at /sse
 *            [--require-header NAME=VALUE]         HTTP 401 without it
 *
 * With a port it prints `listening URL`. It ends when its stdin does, so no test can leave it behind.
 */
import { serveHttpSse } from './scripted/http-sse.js';
import { serveHttp } from './scripted/http.js';
import { readOptions } from './scripted/options.js';
import { serveStdio } from './scripted/stdio.js';
import { createWorld } from './scripted/world.js';

const options = readOptions(process.argv.slice(2));
const world = createWorld(options);
world.record(`start ${process.pid}`);
process.on('SIGTERM', () => process.exit(0));
if (options.http === undefined && options.sse === undefined) serveStdio(world);
else {
  if (options.http !== undefined) serveHttp(world, options.http);
  if (options.sse !== undefined) serveHttpSse(world, options.sse);
  process.stdin.resume();
  process.stdin.on('end', () => process.exit(0));
}
