import { isObj, type Obj } from '@coffer/kernel';
import { DEFAULTS } from './config.js';
import { looksSecret, namesSecret, secretInPlain } from './secrets.js';
import { expand } from './variables.js';

/** A value that should become a credential. Where it was is told, never what it is. */
export interface ImportedSecret {
  /** The variable or header. */
  key: string;
  where: 'env' | 'headers';
  /** The proposed name of the credential. */
  ref: string;
  /** The source names this variable instead of the value itself. */
  variable?: string;
}

export interface ImportedServer {
  name: string;
  config: Obj;
  secrets: ImportedSecret[];
  notes: string[];
  /** It was switched off where it came from. */
  disabled: boolean;
}

type Variables = Readonly<Record<string, string>>;

/** One entry of a client's configuration, or why it cannot be taken. */
export function convertServer(given: string, entry: unknown, variables: Variables): ImportedServer | string {
  if (!isObj(entry)) return 'is not an object';
  const notes: string[] = [];
  const name = fittingName(given);
  if (name === '') return 'has no letter or digit in its name';
  if (name === 'coffer' || /coffer-mcp-shim/.test(JSON.stringify([entry.command, entry.args])))
    return 'is Coffer itself and is left out';
  if (name !== given) notes.push(`Called ${name} here, since its name holds characters that do not fit`);
  const url: unknown = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  const secrets: ImportedSecret[] = [];
  const text = (value: string, field: string): string =>
    expand(value, variables, (unset) => notes.push(`${field} names ${unset}, which is not set`));
  let transport: Obj;
  if (typeof url === 'string') {
    if (/^wss?:/i.test(url) || entry.type === 'ws') return 'uses WebSocket, which no version of MCP defines';
    const { plain, refs } = lift(name, 'headers', headersOf(entry), text, secrets);
    transport = { type: 'http', url: text(url, 'url'), headers: plain, credential_refs: refs };
  } else {
    const line: unknown[] = Array.isArray(entry.command)
      ? entry.command
      : [entry.command, ...(Array.isArray(entry.args) ? entry.args : [])];
    const [command, ...args] = line;
    if (typeof command !== 'string' || command === '') return 'has neither a command nor a url';
    const { plain, refs } = lift(name, 'env', envOf(entry), text, secrets);
    const home = variables.HOME;
    const path = (value: string, field: string): string => {
      const out = text(value, field);
      return out.startsWith('~/') && home !== undefined ? home + out.slice(1) : out;
    };
    transport = {
      type: 'stdio',
      command: path(command, 'command'),
      args: args.map((a, i) => path(String(a), `args[${i}]`)),
      env: plain,
      credential_refs: refs,
      ...(typeof entry.cwd === 'string' && { cwd: path(entry.cwd, 'cwd') }),
    };
  }
  const misplaced = secretInPlain(transport);
  if (misplaced !== undefined) return misplaced.message;
  const disabled = entry.disabled === true || entry.enabled === false;
  if (disabled) notes.push('It is switched off in the source');
  return { name, config: { transport, ...limits(entry) }, secrets, notes, disabled };
}

/** Splits values into plain ones and those that should be credentials. */
function lift(
  server: string,
  where: 'env' | 'headers',
  values: Obj,
  text: (value: string, field: string) => string,
  secrets: ImportedSecret[],
): { plain: Record<string, string>; refs: Record<string, string> } {
  const plain: Record<string, string> = {};
  const refs: Record<string, string> = {};
  for (const [key, raw] of Object.entries(values)) {
    const value = String(raw);
    const variable = /\$\{(?:env:|input:)?([\w-]+)(?::-[^}]*)?\}/.exec(value)?.[1];
    const secret =
      /\$\{input:/.test(value) ||
      looksSecret(value) ||
      (value !== '' && namesSecret(key)) ||
      (variable !== undefined && namesSecret(variable));
    if (!secret) {
      const filled = text(value, `${where}.${key}`);
      // A variable without a telling name may still stand for a token.
      if (!looksSecret(filled)) {
        plain[key] = filled;
        continue;
      }
    }
    const ref = `mcp/${server}/${key.replace(/[^\w.-]/g, '-')}`;
    refs[key] = ref;
    secrets.push({ key, where, ref, ...(variable !== undefined && { variable }) });
  }
  return { plain, refs };
}

function envOf(entry: Obj): Obj {
  const named: Obj = {};
  // Codex: variables to hand on from the client's own environment.
  for (const v of Array.isArray(entry.env_vars) ? entry.env_vars : []) if (typeof v === 'string') named[v] = `\${${v}}`;
  return { ...named, ...(isObj(entry.env) ? entry.env : {}) };
}

function headersOf(entry: Obj): Obj {
  const headers: Obj = {
    ...(isObj(entry.http_headers) ? entry.http_headers : {}),
    ...(isObj(entry.headers) ? entry.headers : {}),
  };
  if (isObj(entry.env_http_headers))
    for (const [header, v] of Object.entries(entry.env_http_headers)) headers[header] = `\${${String(v)}}`;
  if (typeof entry.bearer_token_env_var === 'string')
    headers.Authorization = `Bearer \${${entry.bearer_token_env_var}}`;
  return headers;
}

function limits(entry: Obj): Obj {
  const within = (value: unknown, least: number, most: number, usual: number): number | undefined =>
    typeof value === 'number' && value > 0 && Math.round(value) !== usual
      ? Math.min(most, Math.max(least, Math.round(value)))
      : undefined;
  const spawn = within(entry.startup_timeout_sec, 5, 120, DEFAULTS.spawn_timeout_seconds);
  const request = within(
    entry.tool_timeout_sec ?? (typeof entry.timeout === 'number' ? entry.timeout / 1000 : undefined),
    5,
    1800,
    DEFAULTS.request_timeout_seconds,
  );
  return {
    ...(spawn !== undefined && { spawn_timeout_seconds: spawn }),
    ...(request !== undefined && { request_timeout_seconds: request }),
  };
}

function fittingName(given: string): string {
  return given
    .trim()
    .replace(/[^a-zA-Z0-9_.-]+/g, '-')
    .replace(/_{2,}/g, '_')
    .replace(/^[^a-zA-Z0-9]+|[_-]+$/g, '')
    .slice(0, 64)
    .replace(/_+$/, '');
}
