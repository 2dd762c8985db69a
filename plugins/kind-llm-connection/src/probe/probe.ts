/** Does an endpoint answer, and which models has it? Real requests; nothing is stored, and nothing throws for what the endpoint does. */
import type { Clock, Obj } from '@coffer/kernel';
import type { Protocol, Wire } from '../config.js';
import { ask, Refusal, type Endpoint } from './ask.js';
import { wiresOf, type WireOf } from './wires.js';

/** Milliseconds. A model that thinks first may take a while for its word. */
const LIST_MS = 15_000;
const HELLO_MS = 60_000;
/** More names than this help nobody. */
const MAX_MODELS = 2000;

export interface Probed extends Endpoint {
  protocol: Protocol;
  wire_api: Wire;
}
export interface ModelList {
  models: string[];
  /** Why the list is empty; null when it is not, or when the endpoint has none. */
  message: string | null;
}
export interface TestResult {
  ok: boolean;
  /** A sentence: what it did, or why not. */
  message: string;
  duration_ms: number;
  models: string[];
}

/** Never fails: no list is an empty one and the reason. */
export async function listModels(at: Probed, signal?: AbortSignal): Promise<ModelList> {
  return tryEach(
    at,
    async (wire) => {
      const answer = await ask({ ...wire.models(at), key: at.key, signal, timeout: LIST_MS });
      const models = [...new Set(wire.named(answer))].sort().slice(0, MAX_MODELS);
      return { models, message: models.length === 0 ? 'It lists no models.' : null };
    },
    (message) => ({ models: [], message }),
  );
}

/** With a model: one small question to it. Without: its list of models. */
export async function testEndpoint(
  at: Probed,
  model: string | undefined,
  clock: Pick<Clock, 'now'>,
  signal?: AbortSignal,
): Promise<TestResult> {
  const start = clock.now();
  const timed = (r: Omit<TestResult, 'duration_ms'>): TestResult => ({ ...r, duration_ms: clock.now() - start });
  if (model === undefined) {
    const { models, message } = await listModels(at, signal);
    if (message === null) return timed({ ok: true, message: `It answers, and has ${many(models.length)}.`, models });
    return timed({ ok: false, message: `${message} Name a model to ask it directly.`, models });
  }
  return tryEach(
    at,
    async (wire) => {
      const answer = await ask({ ...wire.hello(at, model), key: at.key, signal, timeout: HELLO_MS });
      const wrong = odd(answer);
      return timed({ ok: wrong === null, message: wrong ?? 'The model answers.', models: [] });
    },
    (message) => timed({ ok: false, message, models: [] }),
  );
}

/** Some answer 200 to anything: what a model says has one of these. */
function odd(answer: Obj): string | null {
  const said = ['choices', 'content', 'output', 'message'].some((k) => answer[k] !== undefined && answer[k] !== null);
  return said ? null : 'It answers, but not as a model does: is the protocol right?';
}

const many = (n: number): string => (n === 1 ? '1 model' : `${n} models`);

/** The first way that works; else what the endpoint said to the way that came furthest. */
async function tryEach<T>(at: Probed, one: (w: WireOf) => Promise<T>, failed: (message: string) => T): Promise<T> {
  let best: Refusal | undefined;
  for (const wire of wiresOf(at.protocol, at.wire_api)) {
    try {
      return await one(wire);
    } catch (e) {
      if (!(e instanceof Refusal)) throw e;
      // "No such address" tells least: the endpoint may well speak the other way.
      if (best === undefined || best.status === 404) best = e;
    }
  }
  return failed(best?.message ?? 'It could not be asked.');
}
