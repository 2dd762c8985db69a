/** A JSON object whose fields belong to somebody else. */
// `any`: the relay carries messages it does not model; each reader checks the few fields it needs.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Obj = { [key: string]: any };

/** JSON Schema, draft 2020-12. */
export type JsonSchema = Obj;

export function isObj(v: unknown): v is Obj {
  return typeof v === 'object' && v !== null && !Array.isArray(v);
}
