/** What the routes of this plugin take and answer. */
import type { JsonSchema } from '@coffer/kernel';
import { PROTOCOLS, WIRES } from './config.js';
import { AGENT_TYPE } from './kind.js';

const text: JsonSchema = { type: 'string' };
const flag: JsonSchema = { type: 'boolean' };
const whole: JsonSchema = { type: 'integer' };
const orNull = (s: JsonSchema): JsonSchema => ({ ...s, type: [s['type'] as string, 'null'] });
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const object = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties).filter((k) => !optional.includes(k)),
  properties,
});
/** For what comes in: an unknown field is an error. */
const strict = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  ...object(properties, optional),
  additionalProperties: false,
});

const protocol: JsonSchema = { enum: [...PROTOCOLS] };
const wire: JsonSchema = { enum: [...WIRES] };
const name: JsonSchema = { type: 'string', pattern: '^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$' };
const model: JsonSchema = { type: 'string', minLength: 1, maxLength: 300, pattern: '^[^\\p{Cc}]+$' };
const url: JsonSchema = { type: 'string', minLength: 1, maxLength: 2000 };
const description: JsonSchema = { type: ['string', 'null'], maxLength: 2000 };
const agents: JsonSchema = {
  type: ['array', 'null'],
  uniqueItems: true,
  maxItems: 50,
  items: { type: 'string', pattern: AGENT_TYPE },
};
const key = {
  secret_value: { type: 'string', minLength: 1, maxLength: 8192, writeOnly: true },
  credential_ref: { type: 'string', minLength: 1, maxLength: 200 },
};
const noKey = ['secret_value', 'credential_ref'];

export const CREATE = strict(
  { name, description, protocol, base_url: url, compatible_agents: agents, wire_api: wire, ...key },
  ['description', 'compatible_agents', 'wire_api', ...noKey],
);
export const CHANGE = strict({ description, base_url: url, compatible_agents: agents, wire_api: wire, ...key }, [
  'description',
  'base_url',
  'compatible_agents',
  'wire_api',
  ...noKey,
]);
export const TEST = strict({ model }, ['model']);
const draft = { protocol, base_url: url, wire_api: wire, ...key };
export const DRAFT = strict(draft, ['wire_api', ...noKey]);
export const DRAFT_TEST = strict({ ...draft, model }, ['wire_api', 'model', ...noKey]);
export const MODELS_OF_AGENT = strict({ model: orNull(model), fast_model: orNull(model) }, ['model', 'fast_model']);
export const WISH = strict({ connection: orNull(name), model: orNull(model), fast_model: orNull(model) }, [
  'model',
  'fast_model',
]);
export const ENGINE_WISH: JsonSchema = strict({ connection: orNull(name), model: orNull(model) }, ['model']);

export const CONNECTION = object({
  name: text,
  ref: text,
  description: orNull(text),
  enabled: flag,
  protocol,
  base_url: text,
  credential_ref: orNull(text),
  compatible_agents: agents,
  wire_api: wire,
  used_by: list(text),
  fits: list(text),
  internal_default: flag,
  last_test: { type: ['object', 'null'] },
  created_at: text,
  updated_at: text,
});
export const AGENT = object({
  agent: text,
  type: text,
  label: text,
  protocols: list(protocol),
  connection: orNull(text),
  model: orNull(text),
  fast_model: orNull(text),
  since: orNull(text),
  choices: list(text),
});
export const ENGINE = object({ connection: orNull(text), model: orNull(text) });
export const PRESET = object({ id: text, label: text, protocol, base_url: text, wire_api: wire, keys_at: text }, [
  'wire_api',
  'keys_at',
]);
export const MODELS = object({ models: list(text), message: orNull(text) });
export const TESTED = object({ ok: flag, message: text, duration_ms: whole, models: list(text) });
export const CHANGES = object({ changes: list(object({ path: text, before: text, after: text })) });
export const ACTIVATED = object({ activated: list(text), skipped: list(object({ agent: text, reason: text })) });
export const KEY = object({ key: text });
