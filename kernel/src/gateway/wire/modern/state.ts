/** `requestState` of a parked call: signed, not encrypted. It names the park; the call itself never leaves the process. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isObj, type Obj } from '../../../json.js';

const PREFIX = 'coffer.p1.';

/** One spelling for equal values: keys sorted, absent ones left out. */
function canonical(v: unknown): string {
  if (Array.isArray(v)) return `[${v.map(canonical).join(',')}]`;
  if (!isObj(v)) return JSON.stringify(v) ?? 'null';
  const entries = Object.entries(v).filter(([, x]) => x !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, x]) => `${JSON.stringify(k)}:${canonical(x)}`)
    .join(',')}}`;
}

export function digest(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64url').slice(0, 22);
}

/** What must stay the same between a call and its retry: everything but metadata and the answers themselves. */
export function callDigest(method: string, params: Obj): string {
  const { _meta, inputResponses: _answers, requestState: _state, ...rest } = params;
  return digest([method, rest]);
}

export interface Sealed {
  park: string;
  round: number;
  peer: string;
  call: string;
  /** Milliseconds since the epoch. */
  exp: number;
}

export interface Seal {
  /** Is this a state of ours, good or bad? Any other belongs to an upstream and passes as it is. */
  mine(token: unknown): token is string;
  seal(state: Sealed): string;
  /** `no` says what was wrong, for the log only: the client hears one thing whatever it was. */
  open(token: string, want: { peer: string; call: string }): { ok: Sealed } | { no: string };
}

/** One key for each run of the daemon: a parked call does not outlive it, so neither may its token. */
export function createSeal(now: () => number, key = randomBytes(32)): Seal {
  const mac = (body: string): Buffer =>
    createHmac('sha256', key)
      .update(PREFIX + body)
      .digest();
  return {
    mine: (token): token is string => typeof token === 'string' && token.startsWith(PREFIX),
    seal(state) {
      const body = Buffer.from(JSON.stringify(state)).toString('base64url');
      return `${PREFIX}${body}.${mac(body).toString('base64url')}`;
    },
    open(token, want) {
      const [body, signature, extra] = token.slice(PREFIX.length).split('.');
      if (!body || !signature || extra !== undefined) return { no: 'malformed' };
      const given = Buffer.from(signature, 'base64url');
      const real = mac(body);
      if (given.length !== real.length || !timingSafeEqual(given, real)) return { no: 'bad signature' };
      // base64url ignores trailing bits, so two spellings can decode alike: only the one that was sent counts.
      if (given.toString('base64url') !== signature) return { no: 'not canonical' };
      // Signed by us, so it has the form we gave it.
      const state = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Sealed;
      if (state.exp < now()) return { no: 'expired' };
      if (state.peer !== want.peer) return { no: 'another client' };
      if (state.call !== want.call) return { no: 'another call' };
      return { ok: state };
    },
  };
}
