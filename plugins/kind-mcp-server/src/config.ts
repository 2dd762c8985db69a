import { createHash } from 'node:crypto';
import { isObj, type Obj } from '@coffer/kernel';

export const KIND = 'mcp_server';

export interface StdioTransport {
  type: 'stdio';
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Environment variable -> credential. */
  credential_refs: Readonly<Record<string, string>>;
  cwd: string | null;
}
export interface HttpTransport {
  type: 'http';
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Header -> credential. */
  credential_refs: Readonly<Record<string, string>>;
}

/** The config of a server as it is worked with; the schema's defaults are filled in. */
export interface ServerConfig {
  transport: StdioTransport | HttpTransport;
  auto_enable_new_capabilities: boolean;
  spawn_timeout_seconds: number;
  request_timeout_seconds: number;
  idle_timeout_seconds: number;
  max_message_mib: number;
}

export const DEFAULTS = {
  auto_enable_new_capabilities: true,
  spawn_timeout_seconds: 30,
  request_timeout_seconds: 120,
  idle_timeout_seconds: 600,
  max_message_mib: 64,
} as const;

/** A stored config, complete. AJV fills no defaults inside a `oneOf`, so those of the transport are given here. */
export function configOf(resource: { config: Obj }): ServerConfig {
  const t: Obj = isObj(resource.config.transport) ? resource.config.transport : {};
  const transport: ServerConfig['transport'] =
    t.type === 'http'
      ? { type: 'http', url: String(t.url), headers: t.headers ?? {}, credential_refs: t.credential_refs ?? {} }
      : {
          type: 'stdio',
          command: String(t.command),
          args: t.args ?? [],
          env: t.env ?? {},
          credential_refs: t.credential_refs ?? {},
          cwd: t.cwd ?? null,
        };
  return { ...DEFAULTS, ...resource.config, transport };
}

/** Two servers with the same digest are interchangeable. */
export function configDigest(config: ServerConfig): string {
  return digest(config);
}

/** A short digest of a JSON value that does not depend on the order of keys. */
export function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)) ?? '')
    .digest('base64url')
    .slice(0, 22);
}

function sorted(v: unknown): unknown {
  if (Array.isArray(v)) return v.map(sorted);
  if (!isObj(v)) return v;
  return Object.fromEntries(
    Object.keys(v)
      .sort()
      .map((k) => [k, sorted(v[k])]),
  );
}
