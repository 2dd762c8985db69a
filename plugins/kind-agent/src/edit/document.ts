/** One way to change a setting in either format; the result is proved before anybody writes it. */
import { isDeepStrictEqual } from 'node:util';
import { CofferError, isObj, type Obj } from '@coffer/kernel';
import { parseJson, removeJson, setJson } from './json.js';
import { applySplices } from './splice.js';
import { parseToml, removeToml, setToml } from './toml.js';

export type Format = 'json' | 'toml';

/** Undefined takes the setting out. */
export interface Change {
  path: readonly string[];
  value: unknown;
}

/** Throws AGENT_FILE_INVALID. */
export function parseDocument(format: Format, text: string): Obj {
  return format === 'json' ? parseJson(text) : parseToml(text);
}

export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((v, key) => (isObj(v) && Object.hasOwn(v, key) ? v[key] : undefined), root);
}

/**
 * The text with these settings changed and nothing else. It is parsed again and compared with what it should say, so a form of the
 * language that this does not know ends in AGENT_FILE_UNEDITABLE instead of a broken file. Throws also AGENT_FILE_INVALID.
 */
export function changeDocument(format: Format, text: string, changes: readonly Change[]): string {
  return changes.reduce((now, change) => changeOne(format, now, change), text);
}

function changeOne(format: Format, text: string, { path, value }: Change): string {
  const wanted = parseDocument(format, text);
  const before = valueAt(wanted, path);
  if (value === undefined ? before === undefined : isDeepStrictEqual(plain(before), value)) return text;
  const splices =
    value === undefined
      ? (format === 'json' ? removeJson : removeToml)(text, path)
      : (format === 'json' ? setJson : setToml)(text, path, value);
  if (splices !== undefined) {
    const after = applySplices(text, splices);
    put(wanted, path, value);
    if (saysSame(format, after, wanted)) return after;
  }
  throw new CofferError(
    'AGENT_FILE_UNEDITABLE',
    `${path.join('.')} is written in a form that cannot be changed safely from here. Change it by hand.`,
    { setting: path.join('.') },
  );
}

function saysSame(format: Format, text: string, wanted: Obj): boolean {
  try {
    return isDeepStrictEqual(pruned(plain(parseDocument(format, text))), pruned(plain(wanted)));
  } catch {
    return false;
  }
}

function put(root: Obj, path: readonly string[], value: unknown): void {
  let at = root;
  for (const key of path.slice(0, -1)) {
    if (!isObj(at[key])) at[key] = {};
    at = at[key] as Obj;
  }
  const last = path.at(-1) as string;
  if (value === undefined) delete at[last];
  else at[last] = value;
}

/** A table that is only there because something is below it goes with that. */
function pruned(value: unknown): unknown {
  if (!isObj(value)) return value;
  const kept = Object.entries(value).map(([k, v]) => [k, pruned(v)] as const);
  return Object.fromEntries(kept.filter(([, v]) => !(isObj(v) && Object.keys(v).length === 0)));
}

/** Without the prototypes and classes of a parser. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  return isObj(value) ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)])) : value;
}
