import type { JsonSchema } from '@coffer/kernel';
import { DEFAULTS } from './config.js';

const texts = (title: string, description: string): JsonSchema => ({
  type: 'object',
  title,
  description,
  additionalProperties: { type: 'string', maxLength: 8192 },
  propertyNames: { minLength: 1, maxLength: 256 },
  default: {},
});

const refs = (title: string, description: string): JsonSchema => ({
  type: 'object',
  title,
  description,
  additionalProperties: {
    type: 'string',
    pattern: '^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*$',
    'x-coffer': { widget: 'credential-ref' },
  },
  propertyNames: { minLength: 1, maxLength: 256 },
  default: {},
});

const stdio: JsonSchema = {
  type: 'object',
  title: 'Local program (stdio)',
  required: ['type', 'command'],
  additionalProperties: false,
  properties: {
    type: { const: 'stdio', title: 'Transport' },
    command: {
      type: 'string',
      minLength: 1,
      maxLength: 4096,
      title: 'Command',
      description: 'The program to start: a name on the PATH, or a path.',
    },
    args: {
      type: 'array',
      items: { type: 'string', maxLength: 32768 },
      default: [],
      title: 'Arguments',
      description: 'One entry for each argument. No shell is involved.',
    },
    env: texts(
      'Environment',
      'Variables of the program, besides a short list that every program gets. No secrets here.',
    ),
    credential_refs: refs(
      'Secret environment',
      'Variables filled from credentials: the variable and the name of the credential.',
    ),
    cwd: {
      type: ['string', 'null'],
      maxLength: 4096,
      default: null,
      title: 'Working directory',
      description: 'Where the program starts; the home directory when empty.',
    },
  },
};

const http: JsonSchema = {
  type: 'object',
  title: 'Remote server (HTTP)',
  required: ['type', 'url'],
  additionalProperties: false,
  properties: {
    type: { const: 'http', title: 'Transport' },
    url: {
      type: 'string',
      minLength: 8,
      maxLength: 4096,
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
      title: 'Address',
      description: 'Its http or https address. Streamable HTTP is tried first, then the older HTTP+SSE.',
    },
    headers: texts('Headers', 'Headers sent with each request. No secrets here.'),
    credential_refs: refs(
      'Secret headers',
      'Headers filled from credentials: the header and the name of the credential that holds its whole value.',
    ),
  },
};

const seconds = (
  title: string,
  description: string,
  key: keyof typeof DEFAULTS,
  minimum: number,
  maximum: number,
): JsonSchema => ({
  type: 'integer',
  title,
  description,
  minimum,
  maximum,
  default: DEFAULTS[key],
});

/** Config of the kind `mcp_server`. */
export const schema: JsonSchema = {
  type: 'object',
  required: ['transport'],
  additionalProperties: false,
  properties: {
    transport: {
      type: 'object',
      title: 'Transport',
      description: 'How the server is reached.',
      required: ['type'],
      // What is wrong with one way is told in terms of that way alone.
      discriminator: { propertyName: 'type' },
      oneOf: [stdio, http],
    },
    auto_enable_new_capabilities: {
      type: 'boolean',
      default: DEFAULTS.auto_enable_new_capabilities,
      title: 'Enable new capabilities',
      description: 'Tools, prompts and resources seen for the first time are on. Switch off to approve each one.',
    },
    spawn_timeout_seconds: seconds(
      'Start limit (seconds)',
      'How long the server may take to start and shake hands.',
      'spawn_timeout_seconds',
      5,
      120,
    ),
    request_timeout_seconds: seconds(
      'Call limit (seconds)',
      'How long a call may be silent; progress starts it anew, a question to you stops it.',
      'request_timeout_seconds',
      5,
      1800,
    ),
    idle_timeout_seconds: seconds(
      'Idle limit (seconds)',
      'An unused server is stopped after this and started again when needed.',
      'idle_timeout_seconds',
      60,
      86400,
    ),
    max_message_mib: seconds(
      'Message limit (MiB)',
      'The largest single message taken from the server.',
      'max_message_mib',
      1,
      512,
    ),
  },
};
