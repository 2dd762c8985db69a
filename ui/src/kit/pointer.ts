/** JSON pointers (RFC 6901) into plain values; writing makes copies, never changes in place. */
const unescape = (s: string): string => s.replaceAll('~1', '/').replaceAll('~0', '~');
export const child = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
const parts = (pointer: string): string[] => pointer.split('/').slice(1).map(unescape);

type Plain = Record<string, unknown> | unknown[];
const isPlain = (v: unknown): v is Plain => typeof v === 'object' && v !== null;

export function read(value: unknown, pointer: string): unknown {
  let at = value;
  for (const key of parts(pointer)) {
    if (!isPlain(at) || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** `undefined` takes the key away. */
export function write(value: unknown, pointer: string, next: unknown): unknown {
  return put(value, parts(pointer), next);
}

function put(value: unknown, path: readonly string[], next: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  if (Array.isArray(value)) {
    const copy: unknown[] = [...(value as unknown[])];
    const at = Number(key);
    if (rest.length === 0 && next === undefined) copy.splice(at, 1);
    else copy[at] = put(copy[at], rest, next);
    return copy;
  }
  const copy = new Map(Object.entries(isPlain(value) ? value : {}));
  const inner = put(copy.get(key), rest, next);
  if (inner === undefined) copy.delete(key);
  else copy.set(key, inner);
  // fromEntries defines own properties, so a key such as __proto__ stays a key.
  return Object.fromEntries(copy);
}
