/** The calls of all newer-era clients that wait for answers. Each round can be answered once; the same answer gets the same reply. */
import { isObj, type Obj } from '../../../json.js';
import type { Clock, Logger } from '../../../plugin/contract.js';
import type { Ask, Exchange, Fault, Outcome, Peer } from '../../seam.js';
import { LIMITS, Parked, type Carrier, type Limits } from './parked.js';
import { callDigest, createSeal, digest } from './state.js';

const NO_STATE: Outcome = {
  kind: 'fault',
  fault: { name: 'INVALID_PARAMS', message: 'Invalid or expired requestState; call again without it' },
};
const invalid = (message: string): Outcome => ({ kind: 'fault', fault: { name: 'INVALID_PARAMS', message } });

export interface Serving {
  peer: Peer;
  capabilities: Obj;
  tasks: Exchange['tasks'];
  method: string;
  params: Obj;
  carrier: Carrier;
  run: (x: Exchange, params: Obj) => Promise<Outcome>;
  /** Asked again when answers come, since `run` is not: a capability may have been switched off in between. */
  admit: (x: Exchange, params: Obj) => Fault | undefined;
}

export interface ParkingLot {
  readonly size: number;
  /** Calls of this client that wait between rounds. */
  parkedOf(peer: string): number;
  serve(s: Serving): Promise<Outcome>;
  gone(peer: string): void;
}

interface Place {
  x: Parked;
  running: Promise<Outcome>;
}

export function createParkingLot(clock: Clock, log: Logger, limits: Limits = LIMITS): ParkingLot {
  const seal = createSeal(() => clock.now());
  const places = new Map<string, Place>();
  const parkedOf = (peer: string): number =>
    [...places.values()].filter((p) => p.x.peer.key === peer && p.x.done === undefined).length;

  const park = (place: Place): Outcome => {
    const { x } = place;
    if (!places.has(x.id) && parkedOf(x.peer.key) >= limits.perPeer) {
      const reason: Fault = {
        name: 'INTERNAL',
        message: `More than ${limits.perPeer} calls of this client wait for answers`,
      };
      x.cancel(reason);
      return { kind: 'fault', fault: reason };
    }
    if (!places.has(x.id)) void place.running.then((o) => (x.done = o));
    places.set(x.id, place);
    x.release();
    x.round++;
    x.lapse = clock.setTimeout(() => {
      x.cancel({ name: 'TIMEOUT', message: `The questions were not answered within ${limits.parkMs / 1000} s` });
      places.delete(x.id);
    }, limits.parkMs);
    const requests = Object.fromEntries([...x.open].map(([key, q]) => [key, q.ask]));
    const state = seal.seal({
      park: x.id,
      round: x.round,
      peer: x.peer.key,
      call: x.call,
      exp: clock.now() + limits.parkMs,
    });
    return { kind: 'input', requests, state };
  };

  const end = (place: Place, turn: Outcome | 'questions'): Outcome => {
    if (turn === 'questions') return park(place);
    const { x } = place;
    x.done = turn;
    x.move();
    // A client that lost the reply may send the same answers again for a while.
    if (x.round > 0 && places.has(x.id)) clock.setTimeout(() => places.delete(x.id), limits.replayMs);
    return turn;
  };

  const first = async ({ peer, capabilities, tasks, method, params, carrier, run }: Serving): Promise<Outcome> => {
    const { requestState, inputResponses, ...rest } = params;
    const state: unknown = requestState;
    const responses: unknown = inputResponses;
    const retry =
      state === undefined && responses === undefined
        ? undefined
        : { ...(typeof state === 'string' ? { state } : {}), ...(isObj(responses) ? { responses } : {}) };
    const x = new Parked(peer, capabilities, () => callDigest(method, params), carrier, limits, clock, retry, tasks);
    const running = run(x, rest);
    const place = { x, running };
    return end(place, await x.turn(running));
  };

  const again = async (state: string, { peer, method, params, carrier, admit }: Serving): Promise<Outcome> => {
    const { requestState: _state, inputResponses, ...rest } = params;
    const given: Obj = isObj(inputResponses) ? inputResponses : {};
    const opened = seal.open(state, { peer: peer.key, call: callDigest(method, params) });
    if ('no' in opened) {
      log.info('a requestState was refused', { why: opened.no, peer: peer.key });
      return NO_STATE;
    }
    const place = places.get(opened.ok.park);
    if (place === undefined) return NO_STATE;
    const { x, running } = place;
    const { round } = opened.ok;
    const answers = digest(given);
    const replay = (): Promise<Outcome> | Outcome | undefined => {
      const before = x.replies.get(round);
      if (before === undefined) return undefined;
      return before.answers === answers
        ? before.outcome
        : invalid('This requestState was used already, with other answers');
    };
    const before = replay();
    if (before !== undefined) return before;
    if (round !== x.round) return NO_STATE;
    for (const [key, { ask }] of x.open) {
      if (given[key] !== undefined && !fits(ask, given[key]))
        return invalid(`inputResponses.${key} is no answer to ${ask.method}`);
    }
    const refused = admit(x, rest);
    if (refused !== undefined) {
      x.lapse?.clear();
      x.cancel(refused);
      places.delete(x.id);
      return { kind: 'fault', fault: refused };
    }
    x.lapse?.clear();
    x.ride(carrier);
    let answered = 0;
    for (const [key, question] of [...x.open]) {
      const answer: unknown = given[key];
      if (answer === undefined) continue;
      x.open.delete(key);
      question.settle({ result: answer as Obj });
      answered++;
    }
    // Nothing of use given: the same questions again, at once. Some given: the rest is asked again with whatever is new.
    const turn = answered > 0 || x.open.size === 0 ? x.turn(running) : Promise.resolve('questions' as const);
    const outcome = turn.then((t) => end(place, t));
    x.replies.set(round, { answers, outcome });
    return outcome;
  };

  return {
    get size() {
      return places.size;
    },
    parkedOf,
    serve: (s) => {
      const state: unknown = s.params['requestState'];
      // A state that is not ours belongs to an upstream of the same era and passes as it came.
      return seal.mine(state) ? again(state, s) : first(s);
    },
    gone(peer) {
      for (const [id, { x }] of places) {
        if (x.peer.key !== peer) continue;
        x.lapse?.clear();
        x.cancel({ name: 'CANCELLED', message: 'The client has gone' });
        places.delete(id);
      }
    },
  };
}

/** Structure only; the asking server judges the content. */
function fits(ask: Ask, answer: unknown): boolean {
  if (!isObj(answer)) return false;
  if (ask.method === 'elicitation/create') return ['accept', 'decline', 'cancel'].includes(answer['action'] as string);
  if (ask.method === 'roots/list') return Array.isArray(answer['roots']);
  return typeof answer['role'] === 'string' && answer['content'] !== undefined;
}
