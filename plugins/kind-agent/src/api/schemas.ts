/** What the routes of this plugin take and answer. */
import type { JsonSchema } from '@coffer/kernel';

const text: JsonSchema = { type: 'string' };
const flag: JsonSchema = { type: 'boolean' };
const whole: JsonSchema = { type: 'integer' };
const textOrNull: JsonSchema = { type: ['string', 'null'] };
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

const path: JsonSchema = { type: 'string', minLength: 1, maxLength: 4096 };
const pathOrNull: JsonSchema = { type: ['string', 'null'], minLength: 1, maxLength: 4096 };
const description: JsonSchema = { type: ['string', 'null'], maxLength: 2000 };

export const CREATE = strict(
  {
    type: { type: 'string', minLength: 1, maxLength: 48 },
    name: { type: 'string', pattern: '^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$' },
    config_dir: pathOrNull,
    description,
  },
  ['name', 'config_dir', 'description'],
);
export const CHANGE = strict({ config_dir: pathOrNull, description, disable_native_memory: flag }, [
  'config_dir',
  'description',
  'disable_native_memory',
]);

const brief = {
  name: text,
  type: text,
  label: text,
  description: textOrNull,
  config_dir: textOrNull,
  usual_dir: flag,
  dir_exists: flag,
  skill_dir: textOrNull,
  disable_native_memory: flag,
  here: flag,
  facets: list(text),
  scope: { type: ['object', 'null'] },
  created_at: text,
  updated_at: text,
};
export const AGENT = object({ ...brief, program: textOrNull, version: textOrNull }, ['program', 'version']);
export const CANDIDATE = object({
  type: text,
  display_name: text,
  config_dir: text,
  default_skill_dir: textOrNull,
  suggested_name: text,
});
export const TYPE = object({ type: text, name: text, label: text, default_dir: text });

export const MCP_STATUS = object({ installed: flag, command: textOrNull, path: text, current: flag, works: flag });
export const HOOK_STATUS = object({
  installed: flag,
  command: textOrNull,
  path: text,
  current: flag,
  note: textOrNull,
});
export const ENTRY = object({
  name: text,
  source: text,
  path: text,
  transport: { enum: ['stdio', 'http', 'unknown'] },
  command: textOrNull,
  url: textOrNull,
  enabled: { type: ['boolean', 'null'] },
  is_coffer: flag,
  matches_resource: textOrNull,
  env_keys: list(text),
  header_keys: list(text),
  secrets: list(object({ key: text, ref: text })),
  problem: textOrNull,
});
export const ENTRIES = object({
  items: list(ENTRY),
  parse_errors: list(object({ source: text, path: text, error: text })),
});
export const SOURCE = strict({ source: text }, ['source']);
export const TOGGLE = strict({ enabled: flag, source: text }, ['source']);
export const ADOPT = strict(
  {
    source: text,
    new_name: { type: 'string', pattern: '^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$' },
    secrets: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 200, pattern: '^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*$' },
    },
  },
  ['source', 'new_name', 'secrets'],
);
export const ADOPTED = object({ resource: { type: 'object' }, credentials: list(text), still_in: list(text) });

export const FILE_ITEM = object({
  key: text,
  display_name: text,
  path: text,
  folder_path: text,
  format: text,
  kind: { enum: ['file', 'directory'] },
  exists: flag,
  size: whole,
  modified_at: textOrNull,
  files: list(text),
});
export const CONTENT = object({ content: text, exists: flag, fingerprint: text });
export const WRITE = strict({ content: { type: 'string', maxLength: 4 * 1024 * 1024 }, fingerprint: text }, [
  'fingerprint',
]);

export const PLUGIN = object({
  id: text,
  name: text,
  marketplace: textOrNull,
  version: textOrNull,
  enabled: flag,
  problem: textOrNull,
});
export const ENABLED = strict({ enabled: flag });

export const CWD = strict({ cwd: path }, ['cwd']);
export const SEES = object({
  servers: list(object({ server: text, tools: list(text), tokens: whole })),
  tools: whole,
  tokens: whole,
  prompts: list(text),
  resources: whole,
  skills: list(text),
  session_context: text,
  not: list(object({ ref: text, name: text, kind: text, why: text, reason: text })),
});

export const BROWSE = strict({ path }, ['path']);
export const BROWSED = object({
  path: text,
  parent: textOrNull,
  home: text,
  folders: list(object({ name: text, path: text })),
});

export const CLIENT = object({
  id: text,
  label: text,
  path: text,
  found: flag,
  connected: flag,
  problem: textOrNull,
});
export const DRY = strict({ dry_run: { ...flag, default: false } }, ['dry_run']);
export const CONNECTED = object({ path: text, diff: text, written: flag, then: text });
