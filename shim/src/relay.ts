import { setTimeout as sleep } from 'node:timers/promises';
import type { Options } from './args.js';
import { attempt, type End, type Sink } from './attempt.js';
import { connect } from './connection.js';
import { debug } from './log.js';
import {
  awaitsAnswer,
  failure,
  idKey,
  isBound,
  isObj,
  isOpening,
  isRepeatable,
  parseMessage,
  type Line,
  type Obj,
} from './message.js';
import type { Out } from './out.js';
import { probe } from './probe.js';
import type { Trouble } from './recovery.js';
import * as sessions from './session.js';
import { whyNotAgain } from './verdict.js';
import type { Sent } from './wire.js';

const FAULT = -32603;
const ATTEMPTS = 3;
/** A notification that opens the session holds later lines back for at most this long. */
const OPENING_MS = 2000;
/** Lets the daemon read a request before the cancel that comes after it on another connection. */
const OVERTAKE_MS = 20;

/** A line of the client on its way. */
interface Call {
  line: Line;
  sent?: Sent;
  answered: boolean;
  /** Cancelled: whatever comes of it, the client hears nothing. */
  silent: boolean;
  /** The session it belongs to, for lines that mean nothing in another. */
  session?: string | undefined;
}

export interface Relay {
  /** Takes a line of the client. */
  accept(line: Line): void;
  /** Finds a daemon before the client asks, when none is known. */
  warmUp(): void;
  /** Resolves when no call is open any more, at the latest after `limit` ms; a recovery under way may add to that. */
  drain(limit: number, patient: boolean): Promise<void>;
  /** Ends the session. */
  leave(): Promise<void>;
}

/** Carries lines up and messages down. `unreachable` is called once, when no daemon could ever be reached. */
export function createRelay(options: Options, out: Out, unreachable: (why: string) => void): Relay {
  const { session, recovery, messages, leash, headersOf, lose, forget } = connect(options, out);
  const calls = new Set<Call>();
  const byId = new Map<string, Call>();
  const queue: Call[] = [];
  let gates = 0;
  let met = false;
  let dead: string | undefined;
  let idle: (() => void) | undefined;

  function accept(line: Line): void {
    const call: Call = { line, answered: false, silent: false };
    if (dead !== undefined) return reply(call, dead);
    if (line.kind === 'answer') {
      if (!sessions.noteAnswer(session, line.id)) return;
      call.session = session.id;
    }
    if (line.method === 'notifications/cancelled' && hangUp(line)) return;
    if (line.kind === 'request') byId.set(idKey(line.id), call);
    calls.add(call);
    if (gates > 0 && isBound(line)) queue.push(call);
    else start(call);
  }

  /** stdio cancels with a message, HTTP of the sessionless era by hanging up. A cancel names no era, its request does. */
  function hangUp(cancel: Line): boolean {
    const call = byId.get(idKey(cancel.params?.requestId));
    if (call?.line.envelope === undefined) return false;
    call.silent = true;
    call.sent?.request.destroy();
    finish(call);
    return true;
  }

  function start(call: Call): void {
    const { method } = call.line;
    const opens = method === 'initialize' || method === 'notifications/initialized';
    if (opens && call.line.envelope === undefined) void gate(call);
    else if (method === 'notifications/cancelled') void cancel(call);
    else void run(call);
  }

  async function gate(call: Call): Promise<void> {
    gates++;
    const done = run(call);
    await (call.line.kind === 'request' ? done : Promise.race([done, sleep(OPENING_MS, undefined, { ref: false })]));
    gates--;
    for (let next = queue[0]; next && gates === 0; next = queue[0]) {
      queue.shift();
      start(next);
    }
  }

  async function cancel(call: Call): Promise<void> {
    const target = byId.get(idKey(call.line.params?.requestId));
    if (target) {
      target.silent = true;
      settleIdle();
      if (!target.sent) return finish(call);
      const written = target.sent.writtenAt() ?? Date.now();
      await sleep(Math.max(0, written + OVERTAKE_MS - Date.now()));
    }
    await run(call);
  }

  async function run(call: Call): Promise<void> {
    const { line } = call;
    let resent = false;
    for (let left = ATTEMPTS; ; left--) {
      // One turn of the loop: a connection that the daemon has closed already must not be taken for a living one.
      if (!isRepeatable(line)) await new Promise(setImmediate);
      if (recovery.running) await recovery.settled();
      if (call.silent || dead !== undefined || isStale(call)) return finish(call);
      const { daemon } = recovery;
      const trouble: Trouble = { daemon, first: !met };
      let end: End | undefined;
      if (session.gone && isBound(line) && line.method !== 'initialize') trouble.session = '';
      else if (daemon) {
        const mine = session.id;
        const tried = attempt(daemon, signed(line), headersOf(line), sinkOf(call));
        call.sent = tried.sent;
        end = await tried.end;
        if (end.how !== 'done') debug(`${line.method ?? line.kind} ${end.how}`);
        if (end.how === 'done') meet();
        if (end.how === 'done' || call.answered || call.silent) return conclude(call);
        if (end.how === 'refused' && end.status === 401) trouble.token = true;
        if (end.how === 'refused' && end.status === 404) trouble.session = mine ?? '';
      }
      if (end && daemon) {
        const genuine = end.how === 'bad' && (await probe(daemon)) === 'alive';
        const final = whyNotAgain({ line, end, resent, left, genuine });
        if (final !== undefined) return reply(call, final);
      }
      if (end?.how === 'lost') resent = true;
      const failed = await recovery.recover(trouble);
      if (failed === undefined) continue;
      if (met) return reply(call, `Coffer is not reachable: ${failed}.`);
      return giveUp(failed);
    }
  }

  /** Lines that belong to one session only, when that session has been replaced meanwhile. */
  function isStale(call: Call): boolean {
    if (call.line.kind === 'answer') return call.session !== session.id;
    if (call.line.method !== 'notifications/initialized') return false;
    if (session.initialized !== call.line) {
      session.initialized = call.line;
      call.session = session.id;
    }
    // A replay has sent it already.
    return call.session !== session.id && !session.gone;
  }

  const signed = (line: Line): Line => (isOpening(line) ? sessions.signOpening(line, options) : line);

  function sinkOf(call: Call): Sink {
    const { line } = call;
    let headers: Parameters<NonNullable<Sink['opened']>>[0] = {};
    return {
      attach: (source) => out.attach(source),
      opened: (got) => (headers = got),
      message(data, what) {
        if (call.silent) return;
        if (what.kind === 'request') sessions.noteQuestion(session, what.id);
        if (what.kind === 'answer') {
          call.answered = true;
          if (isOpening(line)) opened(signed(line), what.message ?? parseMessage(data), headers);
          else if (isObj(what.message?.result)) sessions.rememberSetting(session, line);
        }
        out.write(data);
      },
    };
  }

  function opened(line: Line, answer: Obj | undefined, headers: Parameters<typeof sessions.openSession>[2]): void {
    if (!answer || !isObj(answer.result)) return;
    if (session.id !== undefined) {
      void forget();
      lose();
    }
    sessions.openSession(session, answer, headers);
    sessions.rememberOpening(session, line, answer.result);
    setImmediate(() => messages.open());
  }

  /** The first answer: from now on the daemon may know by the leash that this client lives. */
  function meet(): void {
    if (met) return;
    met = true;
    setImmediate(() => leash.open());
  }

  function conclude(call: Call): void {
    if (!call.answered && !call.silent && awaitsAnswer(call.line))
      return reply(call, 'The Coffer daemon ended the call without an answer.');
    finish(call);
  }

  function reply(call: Call, why: string): void {
    const message = call.answered || call.silent ? undefined : failure(call.line, FAULT, why);
    if (message) out.write(message);
    finish(call);
  }

  function finish(call: Call): void {
    calls.delete(call);
    const key = idKey(call.line.id);
    if (byId.get(key) === call) byId.delete(key);
    settleIdle();
  }
  const isIdle = (): boolean => [...calls].every((call) => call.silent);
  function settleIdle(): void {
    if (idle && isIdle()) idle();
  }

  function giveUp(why: string): void {
    if (dead !== undefined) return;
    dead = `Coffer is not reachable: ${why}.`;
    for (const call of [...calls]) reply(call, dead);
    unreachable(why);
  }

  return {
    accept,
    warmUp() {
      if (recovery.daemon) return;
      void recovery.recover({ daemon: undefined, first: true }).then((failed) => {
        if (failed !== undefined) giveUp(failed);
      });
    },
    async drain(limit, patient) {
      for (const call of calls) {
        if (call.line.method !== 'subscriptions/listen') continue;
        call.silent = true;
        call.sent?.request.destroy();
      }
      const until = new Promise<void>((done) => (idle = done));
      if (isIdle()) return;
      do await Promise.race([until, sleep(limit)]);
      while (patient && recovery.running && !isIdle());
    },
    leave() {
      messages.close();
      return forget();
    },
  };
}
