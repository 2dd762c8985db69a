/** What becomes of a server's wish for input: handed to a client that knows such results, asked question by question of another. */
import { randomUUID } from 'node:crypto';
import { isObj, type Ask, type Clock, type Exchange, type Obj, type Outcome } from '@coffer/kernel';
import { cancelled } from './calls.js';
import { later } from './later.js';

const ROUNDS = 10;
/** A server that gives a state and no question wants to be asked again later, in milliseconds. */
const LATER = { first: 200, most: 5000 };

export interface RoundsHost {
  readonly server: string;
  readonly clock: Clock;
  send(method: string, params: Obj, x: Exchange): Promise<Outcome>;
}

export async function inRounds(host: RoundsHost, method: string, params: Obj, x: Exchange): Promise<Outcome> {
  let more: Obj = answersOf(x.retry);
  for (let round = 0; ; round++) {
    const o = await host.send(method, { ...params, ...more }, x);
    if (o.kind !== 'input') return o;
    const asks = Object.entries(o.requests ?? {});
    const undeclared = asks.find(([, ask]) => !declares(x.capabilities, ask));
    if (undeclared !== undefined)
      return wrong(`${host.server} asked for ${undeclared[1].method} in a way the client did not offer`);
    // Nothing is kept for a client that knows rounds: a restart between them does no harm.
    if (x.rounds) return o;
    if (round >= ROUNDS) return wrong(`${host.server} asked for input more than ${ROUNDS} times`);
    let responses: Obj | undefined;
    if (o.requests === undefined) await later(host.clock, Math.min(LATER.first * 2 ** round, LATER.most), x.signal);
    else {
      const answered = await answers(asks, x);
      if ('failed' in answered) return answered.failed;
      responses = answered.responses;
    }
    if (x.signal.aborted) return { kind: 'fault', fault: cancelled(x) };
    more = answersOf({ ...(responses && { responses }), ...(o.state !== undefined && { state: o.state }) });
  }
}

/** One question after the other, as the other era has it. */
async function answers(asks: readonly [string, Ask][], x: Exchange): Promise<{ responses: Obj } | { failed: Outcome }> {
  const responses: [string, Obj][] = [];
  for (const [key, ask] of asks) {
    const answer = await x.ask(forLegacy(ask));
    if (x.signal.aborted) return { failed: { kind: 'fault', fault: cancelled(x) } };
    if ('result' in answer) responses.push([key, answer.result]);
    else if (ask.method === 'elicitation/create') responses.push([key, { action: 'cancel' }]);
    else
      return {
        failed: wrong(
          `The client could not answer ${ask.method}${'error' in answer ? `: ${answer.error.message}` : ''}`,
        ),
      };
  }
  // A key is the server's to choose, `__proto__` included.
  return { responses: Object.fromEntries(responses) };
}

/** The older era names a question that sends the person to a page; the newer one has no such name any more. */
function forLegacy(ask: Ask): Ask {
  return ask.method === 'elicitation/create' && ask.params?.mode === 'url' && ask.params.elicitationId === undefined
    ? { ...ask, params: { ...ask.params, elicitationId: randomUUID() } }
    : ask;
}

function answersOf(retry: Exchange['retry']): Obj {
  return {
    ...(retry?.responses !== undefined && { inputResponses: retry.responses }),
    ...(retry?.state !== undefined && { requestState: retry.state }),
  };
}

/** A server may ask only for what the request declared; anything else is its violation and never reaches the client. */
function declares(capabilities: Obj, ask: Ask): boolean {
  const { roots, sampling, elicitation } = capabilities as Record<string, unknown>;
  if (ask.method === 'roots/list') return isObj(roots);
  if (ask.method === 'sampling/createMessage')
    return (
      isObj(sampling) &&
      ((ask.params?.tools === undefined && ask.params?.toolChoice === undefined) || sampling.tools !== undefined)
    );
  if (ask.method !== 'elicitation/create' || !isObj(elicitation)) return false;
  const mode: unknown = ask.params?.mode ?? 'form';
  // An empty declaration means forms only.
  if (elicitation.form === undefined && elicitation.url === undefined) return mode === 'form';
  return (mode === 'form' || mode === 'url') && elicitation[mode] !== undefined;
}

function wrong(message: string): Outcome {
  return { kind: 'error', error: { code: -32603, message } };
}
