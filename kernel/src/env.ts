/** The environment knobs of the daemon. A value that makes no sense is refused at start (docs/configuration.md has the table). */
import { homedir } from 'node:os';
import path from 'node:path';
import { CofferError } from './errors.js';

export const DEFAULT_PORT = 7420;
/** How many ports are tried from the first on. */
export const PORT_RANGE = 10;

export interface Env {
  home: string;
  /** First port tried; 0 lets the system choose (tests). */
  port: number;
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** A client without traffic or open stream is gone after this many seconds. */
  sessionIdleS: number;
  reaperIntervalS: number;
  /** The COFFER_* variables as they are, for plugins with knobs of their own. */
  raw: Readonly<Record<string, string | undefined>>;
}

export function readEnv(env: NodeJS.ProcessEnv): Env {
  const raw = Object.fromEntries(Object.entries(env).filter(([k]) => k.startsWith('COFFER_')));
  integer(raw, 'COFFER_MCP_MAX_CONCURRENT_SPAWNS', 4, 1, 64);
  oneOf(raw, 'COFFER_SKILLS_LOCAL_GIT', ['0', '1'], '0');
  return {
    home: path.resolve(raw['COFFER_HOME'] || path.join(homedir(), '.coffer')),
    port: integer(raw, 'COFFER_PORT', DEFAULT_PORT, 0, 65535),
    logLevel: oneOf(raw, 'COFFER_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    sessionIdleS: integer(raw, 'COFFER_MCP_SESSION_IDLE_S', 1800, 1, 604800),
    reaperIntervalS: integer(raw, 'COFFER_MCP_SESSION_REAPER_INTERVAL_S', 60, 1, 3600),
    raw,
  };
}

type Vars = Record<string, string | undefined>;

function integer(env: Vars, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new CofferError(
    'ENV_INVALID',
    `${name} must be a whole number from ${min} to ${max}. Unset it for the default (${fallback}).`,
  );
}

function oneOf<const T extends string>(env: Vars, name: string, values: readonly T[], fallback: T): T {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const found = values.find((v) => v === text);
  if (found !== undefined) return found;
  throw new CofferError(
    'ENV_INVALID',
    `${name} must be one of ${values.join(', ')}. Unset it for the default (${fallback}).`,
  );
}
