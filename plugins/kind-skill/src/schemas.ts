/** What the routes of this plugin take and answer. */
import type { JsonSchema } from '@coffer/kernel';

const text: JsonSchema = { type: 'string' };
const orNull = (s: JsonSchema): JsonSchema => ({ ...s, type: [s.type as string, 'null'] });
const flag: JsonSchema = { type: 'boolean' };
const whole: JsonSchema = { type: 'integer' };
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const object = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties).filter((k) => !optional.includes(k)),
  properties,
});
/** For what comes in: an unknown field is an error. */
export const strict = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  ...object(properties, optional),
  additionalProperties: false,
});

const problem = orNull(object({ file: text, line: orNull(whole), reason: text }));
const delivery = object({
  skill: text,
  agent: text,
  path: text,
  wanted: flag,
  state: text,
  reason: orNull(text),
});
export const SKILL = object({
  name: text,
  ref: text,
  description: text,
  enabled: flag,
  scope: { type: ['object', 'null'] },
  source: { type: 'object' },
  content_hash: text,
  edited: flag,
  last_synced_at: orNull(text),
  license: orNull(text),
  allowed_tools: list(text),
  file_count: whole,
  size_bytes: whole,
  valid: flag,
  problem,
  path: text,
  created_at: text,
  updated_at: text,
  deliveries: list(delivery),
});
export const DELIVERY = delivery;
const node: JsonSchema = object({ name: text, path: text, type: text, size: whole, children: { type: 'array' } }, [
  'children',
]);
export const FILES = object({ name: text, path: text, files: list(node) });
export const FILE = object({ path: text, content: orNull(text), binary: flag, truncated: flag, size: whole });
const drift = object({
  skill_name: text,
  agent_name: orNull(text),
  kind: text,
  target_path: text,
  reason: text,
  suggested_remedy: text,
});
export const DRIFT = object({ entries: list(drift) });
export const REPAIRED = object({ remediated: list(drift), remaining: DRIFT });
export const STAGE = object({
  id: text,
  label: text,
  expires_at: text,
  skills: list(
    object({
      name: text,
      folder: text,
      description: text,
      file_count: whole,
      size_bytes: whole,
      valid: flag,
      problem,
      taken: flag,
      edited: flag,
      source: { type: 'object' },
    }),
  ),
});
export const UNMANAGED = object({
  items: list(
    object({
      agent: text,
      name: text,
      skill_name: text,
      path: text,
      location: text,
      valid: flag,
      problem,
      foreign_link: flag,
      taken: flag,
    }),
  ),
});
export const TARGETS = object({ targets: list(object({ agent: text, folder: text, extra_folders: list(text) })) });

const given = (max = 4096): JsonSchema => ({ type: 'string', minLength: 1, maxLength: max });
/** Where skills come from. `content_base64` is for archives of up to 5 MB; larger ones by path. */
export const IMPORT: JsonSchema = {
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [
    strict({ type: { const: 'folder' }, path: given() }),
    strict({ type: { const: 'git' }, url: given(), ref: given(250), subpath: given() }, ['ref', 'subpath']),
    {
      ...strict({ type: { const: 'zip' }, path: given(), name: given(255), content_base64: given(7_500_000) }, [
        'path',
        'name',
        'content_base64',
      ]),
      oneOf: [{ required: ['path'] }, { required: ['name', 'content_base64'] }],
    },
  ],
};
export const CONFIRM = strict({ names: { ...list(given(64)), minItems: 1 }, replace: list(given(64)) }, ['replace']);
export const WRITE = strict({ content: { type: 'string', maxLength: 1_048_576 } });
export const DELIVER = strict({ agent: given(128), force: flag }, ['force']);
export const WHICH = strict({ agent: given(128), name: given(255), location: given() }, ['location']);
export const ADOPT = strict({ agent: given(128), name: given(255), location: given(), replace: flag }, [
  'location',
  'replace',
]);
export const PATH = strict({ path: given(1024) });
export const AGENT = strict({ agent: given(128) }, ['agent']);
