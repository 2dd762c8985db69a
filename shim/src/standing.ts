import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Daemon } from './home.js';
import { debug } from './log.js';
import { readEvents } from './sse.js';
import { isEventStream, send } from './wire.js';

const FIRST_MS = 500;
const LONGEST_MS = 5000;

export interface StandingHooks {
  path: string;
  daemon(): Daemon | undefined;
  headers(): OutgoingHttpHeaders;
  /** A stream that is silent for this long (ms) counts as dead. Only for a stream with a heartbeat. */
  silence?: number;
  /** An older daemon may not have it: a 404 ends all tries. */
  optional?: boolean;
  event?(data: Buffer): void;
  attach?(source: IncomingMessage): void;
  /** Called when the stream fell, before the next try. */
  fell(status: number | undefined): Promise<void>;
}

export interface Standing {
  /** Opens the stream, or opens it anew at once. */
  open(): void;
  close(): void;
}

/** A GET that never ends: opened again with a growing pause when it falls, given up when the daemon does not know it. */
export function standing(hooks: StandingHooks): Standing {
  let request: ClientRequest | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = FIRST_MS;
  // Events of a stream that has been replaced must not count for its successor.
  let turn = 0;

  function open(): void {
    close();
    const mine = turn;
    const daemon = hooks.daemon();
    if (!daemon) return again(mine, undefined);
    const headers = { ...hooks.headers(), Accept: 'text/event-stream' };
    request = send(
      daemon,
      { method: 'GET', path: hooks.path, headers, own: true },
      (response) => {
        if (mine === turn) receive(response, mine);
        else response.destroy();
      },
      () => again(mine, undefined),
    ).request;
  }

  function receive(response: IncomingMessage, mine: number): void {
    response.on('error', () => undefined);
    if (response.statusCode !== 200 || !isEventStream(response)) {
      response.resume();
      return again(mine, response.statusCode);
    }
    pause = FIRST_MS;
    debug(`${hooks.path} stands`);
    hooks.attach?.(response);
    const { silence } = hooks;
    const watch = silence === undefined ? undefined : setTimeout(() => response.destroy(), silence);
    const feed = readEvents((data) => hooks.event?.(data));
    response.on('data', (chunk: Buffer) => {
      watch?.refresh();
      if (mine === turn) feed(chunk);
    });
    response.on('close', () => {
      clearTimeout(watch);
      again(mine, undefined);
    });
  }

  function again(mine: number, status: number | undefined): void {
    if (mine !== turn) return;
    debug(`${hooks.path} fell${status === undefined ? '' : `, HTTP ${status}`}`);
    turn++;
    if (status === 405 || (status === 404 && hooks.optional)) return;
    const next = turn;
    timer = setTimeout(() => {
      void hooks.fell(status).then(() => {
        if (next === turn) open();
      });
    }, pause);
    pause = Math.min(pause * 2, LONGEST_MS);
  }

  function close(): void {
    turn++;
    clearTimeout(timer);
    request?.destroy();
    request = undefined;
  }

  return { open, close };
}
