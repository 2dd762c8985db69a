/** What can be tried of a server: how its form looks, and what its button does. */
import { api, t, type Json, type Schema } from '@coffer/ui';
import type { Prompt, ServerResource, Tool } from './data.js';
import { expand, variablesOf } from './expand.js';

export interface Trial {
  /** Of this and no other; what was typed is kept under it. */
  id: string;
  /** The server's own name for it. */
  name: string;
  description: string | null;
  enabled: boolean;
  /** Of what must be known to try it; absent when nothing must. */
  schema: Schema | undefined;
  /** What the button says. */
  verb: string;
  send(value: unknown, signal: AbortSignal): Promise<Json>;
}

export function trialOfTool(x: Tool): Trial {
  return {
    id: x.prefixed_name,
    name: x.original_name,
    description: x.description,
    enabled: x.enabled,
    schema: x.input_schema,
    verb: t('Call'),
    send: (value, signal) => api.post('/gateway/call', { name: x.prefixed_name, arguments: value }, signal),
  };
}

export function trialOfResource(x: ServerResource): Trial {
  // Braces of a plain URI are its own.
  const names = x.template ? variablesOf(x.original_uri) : [];
  return {
    id: x.prefixed_uri,
    name: x.name ?? x.original_uri,
    description: x.description,
    enabled: x.enabled,
    schema: asking(names.map((name) => ({ name, description: null, required: false }))),
    verb: t('Read'),
    send: (value, signal) => {
      const uri = x.template ? expand(x.prefixed_uri, texts(value)) : x.prefixed_uri;
      return api.post('/gateway/read', { uri }, signal);
    },
  };
}

export function trialOfPrompt(x: Prompt): Trial {
  return {
    id: x.prefixed_name,
    name: x.original_name,
    description: x.description,
    enabled: x.enabled,
    schema: asking(x.arguments),
    verb: t('Get'),
    send: (value, signal) => api.post('/gateway/prompt', { name: x.prefixed_name, arguments: texts(value) }, signal),
  };
}

/** Nothing but texts: so it is with prompts and templates. */
function asking(args: Prompt['arguments']): Schema | undefined {
  if (args.length === 0) return undefined;
  return {
    type: 'object',
    required: args.filter((a) => a.required).map((a) => a.name),
    properties: Object.fromEntries(
      args.map((a) => [a.name, { type: 'string', ...(a.description !== null && { description: a.description }) }]),
    ),
  };
}

/** The form holds texts only, by its schema; as JSON anything can be typed. */
function texts(value: unknown): Record<string, string> {
  const given = typeof value === 'object' && value !== null ? value : {};
  return Object.fromEntries(Object.entries(given).map(([k, v]) => [k, typeof v === 'string' ? v : JSON.stringify(v)]));
}
