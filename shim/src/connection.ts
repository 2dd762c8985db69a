import type { OutgoingHttpHeaders } from 'node:http';
import type { Options } from './args.js';
import { envelopeHeaders, identity } from './headers.js';
import { describe } from './incoming.js';
import { isOpening, type Line, type Obj } from './message.js';
import type { Out } from './out.js';
import { createRecovery, type Recovery } from './recovery.js';
import { loseSession, newSession, noteQuestion, sessionHeaders, type Session } from './session.js';
import { standing, type Standing } from './standing.js';
import { send } from './wire.js';

/** Three heartbeats of the leash, which has one each 15 s. */
const LEASH_SILENCE_MS = 45_000;
const DELETE_MS = 1000;

/** What joins this process to the daemon: who it is, the session, the two standing streams, and how they come back. */
export interface Connection {
  readonly session: Session;
  readonly recovery: Recovery;
  /** Messages of the daemon outside any call. */
  readonly messages: Standing;
  /** Tells the daemon by its mere standing that this client lives. */
  readonly leash: Standing;
  headersOf: (line: Line) => OutgoingHttpHeaders;
  /** The session is lost; the client learns that its open questions are void. */
  lose: () => void;
  /** Ends the session at the daemon, in 1 s or not at all. */
  forget: () => Promise<void>;
}

export function connect(options: Options, out: Out): Connection {
  const who = identity(options);
  const session = newSession();
  const tell = (method: string, params?: Obj): void =>
    out.write(Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, ...(params ? { params } : {}) })));
  const withdraw = (ids: unknown[]): void => {
    for (const requestId of ids)
      tell('notifications/cancelled', { requestId, reason: 'The session that asked has ended' });
  };
  const lose = (): void => withdraw(loseSession(session));

  const recovery = createRecovery({
    session,
    identity: who,
    lose,
    renewed() {
      for (const kind of session.promised) tell(`notifications/${kind}/list_changed`);
      messages.open();
      leash.open();
    },
  });
  const follow = async (status: number | undefined): Promise<void> => {
    await recovery.recover({ daemon: recovery.daemon, background: true, token: status === 401 });
  };

  const messages = standing({
    path: '/mcp',
    daemon: () => recovery.daemon,
    headers: () => ({ ...who, ...sessionHeaders(session) }),
    attach: (source) => out.attach(source),
    event(data) {
      const what = describe(data);
      if (what.kind === 'noise') return;
      if (what.kind === 'request') noteQuestion(session, what.id);
      out.write(data);
    },
    async fell(status) {
      if (status === 404) lose();
      // The next line opens it again: a session that idled out is not kept alive for nothing.
      if (session.gone) messages.close();
      else await follow(status);
    },
  });
  const leash = standing({
    path: '/mcp/leash',
    daemon: () => recovery.daemon,
    headers: () => who,
    silence: LEASH_SILENCE_MS,
    optional: true,
    fell: follow,
  });

  return {
    session,
    recovery,
    messages,
    leash,
    lose,
    headersOf(line) {
      if (line.envelope !== undefined) return { ...who, ...envelopeHeaders(line) };
      return isOpening(line) ? who : { ...who, ...sessionHeaders(session) };
    },
    forget() {
      const { daemon } = recovery;
      const headers = { ...who, ...sessionHeaders(session) };
      if (!daemon || session.id === undefined) return Promise.resolve();
      return new Promise((done) => {
        const { request } = send(
          daemon,
          { method: 'DELETE', path: '/mcp', headers, own: true },
          (response) => response.resume(),
          () => done(),
        );
        const timer = setTimeout(() => request.destroy(), DELETE_MS);
        request.on('close', () => {
          clearTimeout(timer);
          done();
        });
      });
    },
  };
}
