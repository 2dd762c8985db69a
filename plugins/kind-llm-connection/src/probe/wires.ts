/** How each protocol is asked: for its models, and for one small answer. */
import { isObj, type Obj } from '@coffer/kernel';
import type { Protocol, Wire } from '../config.js';
import type { Ask, Endpoint } from './ask.js';

type Question = Pick<Ask, 'method' | 'url' | 'headers' | 'body'>;

export interface WireOf {
  models(at: Endpoint): Question;
  /** Names, as the answer to {@link models} has them. */
  named(answer: Obj): string[];
  /** The least that shows that a model answers. */
  hello(at: Endpoint, model: string): Question;
}

/** The version of Anthropic's API that is spoken; its documentation asks for this header. */
const ANTHROPIC_VERSION = '2023-06-01';
const HELLO = 'Answer with the word OK.';
/** Room for one word; the least that OpenAI's responses take is 16. */
const ROOM = 16;

const ids = (list: unknown, key: string): string[] =>
  Array.isArray(list)
    ? list.flatMap((m: unknown) => {
        const id = isObj(m) ? m[key] : undefined;
        return typeof id === 'string' && id !== '' ? [id] : [];
      })
    : [];

const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

/** Some give the address with /v1, some without. */
const v1 = (base: string): string => (base.endsWith('/v1') ? base : `${base}/v1`);

const anthropic: WireOf = {
  models: (at) => ({ method: 'GET', url: `${v1(at.base_url)}/models?limit=1000`, headers: anthropicHeaders(at) }),
  named: (answer) => ids(answer['data'], 'id'),
  hello: (at, model) => ({
    method: 'POST',
    url: `${v1(at.base_url)}/messages`,
    headers: anthropicHeaders(at),
    body: { model, max_tokens: ROOM, messages: [{ role: 'user', content: HELLO }] },
  }),
};
/** Both ways to show the key, as Claude Code does with what its key helper prints. */
function anthropicHeaders({ key }: Endpoint): Record<string, string> {
  return { 'anthropic-version': ANTHROPIC_VERSION, ...(key !== undefined && { 'x-api-key': key }), ...bearer(key) };
}

const openai = (wire: Wire): WireOf => ({
  models: (at) => ({ method: 'GET', url: `${at.base_url}/models`, headers: bearer(at.key) }),
  // Gemini's list has them as models/gemini-…; its own chat takes both forms.
  named: (answer) => ids(answer['data'], 'id').map((id) => id.replace(/^models\//, '')),
  hello: (at, model) => ({
    method: 'POST',
    url: `${at.base_url}/${wire === 'chat' ? 'chat/completions' : 'responses'}`,
    headers: bearer(at.key),
    body:
      wire === 'chat'
        ? // No limit of tokens: old and new models take it under different names and refuse the other.
          { model, messages: [{ role: 'user', content: HELLO }] }
        : { model, input: HELLO, max_output_tokens: ROOM, store: false },
  }),
});

const ollama: WireOf = {
  models: (at) => ({ method: 'GET', url: `${at.base_url}/api/tags` }),
  named: (answer) => ids(answer['models'], 'name'),
  hello: (at, model) => ({
    method: 'POST',
    url: `${at.base_url}/api/chat`,
    body: { model, stream: false, messages: [{ role: 'user', content: HELLO }] },
  }),
};

/** The ways to try, in this order: an endpoint of unknown kind is asked in both of the common ones. */
export function wiresOf(protocol: Protocol, wire: Wire): WireOf[] {
  switch (protocol) {
    case 'anthropic':
      return [anthropic];
    case 'openai':
      return [openai(wire)];
    case 'ollama':
      return [ollama];
    case 'unknown':
      return [openai(wire), anthropic];
  }
}
