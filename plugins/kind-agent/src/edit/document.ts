/** One way to change a setting in either format; the result is proved before anybody writes it. */
import { isDeepStrictEqual } from 'node:util';
import { CofferError, isObj, type Obj } from '@coffer/kernel';
import { parseJson, removeJson, setJson, type Step } from './json.js';
import { applySplices, type Splice } from './splice.js';
import { parseToml, removeToml, setToml } from './toml.js';

export type Format = 'json' | 'toml';

/** Undefined takes the setting out. */
export interface Change {
  path: readonly Step[];
  value: unknown;
}

/** Throws AGENT_FILE_INVALID. */
export function parseDocument(format: Format, text: string): Obj {
  return format === 'json' ? parseJson(text) : parseToml(text);
}

export function valueAt(root: unknown, path: readonly Step[]): unknown {
  return path.reduce<unknown>((v, step) => {
    if (typeof step === 'number') return Array.isArray(v) ? (v[step] as unknown) : undefined;
    return isObj(v) && Object.hasOwn(v, step) ? v[step] : undefined;
  }, root);
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
  const splices = format === 'json' ? inJson(text, path, value) : inToml(text, path, value);
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

const inJson = (text: string, path: readonly Step[], value: unknown): Splice[] =>
  value === undefined ? removeJson(text, path) : setJson(text, path, value);

function inToml(text: string, path: readonly Step[], value: unknown): Splice[] | undefined {
  const keys = path.filter((step) => typeof step === 'string');
  if (keys.length < path.length) return undefined;
  return value === undefined ? removeToml(text, keys) : setToml(text, keys, value);
}

function saysSame(format: Format, text: string, wanted: Obj): boolean {
  try {
    return isDeepStrictEqual(pruned(plain(parseDocument(format, text))), pruned(plain(wanted)));
  } catch {
    return false;
  }
}

function put(root: Obj, path: readonly Step[], value: unknown): void {
  // An object or a list; the step into it says which.
  let at: Obj | unknown[] = root;
  const into = (step: Step): unknown => (at as Record<Step, unknown>)[step];
  for (const [i, step] of path.slice(0, -1).entries()) {
    const list = typeof path[i + 1] === 'number';
    const next = into(step);
    const fits = list ? Array.isArray(next) : isObj(next);
    const held = fits ? next : list ? [] : {};
    (at as Record<Step, unknown>)[step] = held;
    at = held as Obj | unknown[];
  }
  const last = path.at(-1) as Step;
  if (value !== undefined) (at as Record<Step, unknown>)[last] = value;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
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
