/** What people write on the command line, as values. */
import { readFileSync } from 'node:fs';
import type { Obj } from '@coffer/kernel';
import { readStdin } from './ask.js';
import { Failure, usage } from './failure.js';

/** `kind:name` in its parts. */
export function parseRef(ref: string): { kind: string; name: string; path: string } {
  const m = /^([a-z][a-z0-9_]*):([^:/]+)$/.exec(ref);
  if (!m?.[1] || !m[2])
    throw usage('a reference has the form kind:name, for example mcp_server:files. See: coffer resource list');
  return { kind: m[1], name: m[2], path: resourcePath(m[1], m[2]) };
}

export const resourcePath = (kind: string, name: string): string =>
  `/resources/${encodeURIComponent(kind)}/${encodeURIComponent(name)}`;

/** `KEY=VALUE` pairs of a flag that may be repeated. */
export function pairs(values: readonly string[] = [], flag: string): Record<string, string> {
  return Object.fromEntries(
    values.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw usage(`${flag} takes KEY=VALUE.`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** Puts `a.b.c=value` pairs into a copy of a config. A value that is JSON counts as such, anything else is text. */
export function withSettings(config: Obj, settings: readonly string[] = []): Obj {
  const result = structuredClone(config);
  for (const [path, text] of Object.entries(pairs(settings, '--set'))) {
    const keys = path.split('.');
    if (keys.some((k) => k === '' || k === '__proto__')) throw usage('--set takes a key, or keys joined by dots.');
    let at = result;
    for (const key of keys.slice(0, -1)) {
      if (typeof at[key] !== 'object' || at[key] === null) at[key] = {};
      at = at[key] as Obj;
    }
    at[keys.at(-1) as string] = valueOf(text);
  }
  return result;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The text of a file, or of stdin for `-`. What is no name of a file is not shown: it may hold a secret. */
export async function readSource(file: string): Promise<string> {
  if (file === '-') return readStdin();
  if (/^\s*[{[]|[\n\r]/.test(file) || file.length > 1024)
    throw usage('this takes the name of a file, or - for stdin, and was given text. Put it into a file or pipe it in.');
  try {
    return readFileSync(file, 'utf8');
  } catch (e) {
    throw new Failure('NOT_FOUND', `cannot read ${file} (${(e as { code?: string }).code ?? 'error'}).`, {
      status: 404,
    });
  }
}

/** A JSON object out of text. The text itself is never shown: it may hold a secret. */
export function jsonObject(text: string, what: string): Obj {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Failure('BAD_REQUEST', `${what} is not JSON.`, { status: 400 });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure('BAD_REQUEST', `${what} must be a JSON object.`, { status: 400 });
  return value;
}

const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A moment: ISO 8601, or so long ago (`30m`, `2h`, `7d`). */
export function since(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const m = /^(\d+)([smhd])$/.exec(text);
  const d = m ? new Date(Date.now() - Number(m[1]) * (UNITS[m[2] as string] ?? 0)) : new Date(text);
  if (Number.isNaN(d.getTime()))
    throw usage('--since takes a date (2026-01-31 or with a time) or an age such as 30m, 2h or 7d.');
  return d.toISOString();
}

/** A whole number within limits, as a flag gives it. */
export function whole(text: string | undefined, flag: string, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const n = Number(text);
  if (!Number.isInteger(n) || n < min || n > max) throw usage(`${flag} takes a whole number from ${min} to ${max}.`);
  return n;
}
