import { isObj, type Obj } from '@coffer/kernel';

/**
 * Params as the server gets them: `_meta` as the client sent it, but with our progress token or none, and without what is
 * between the client and Coffer.
 */
export function paramsFor(params: Obj, token: number | undefined): Obj {
  const meta: unknown = params._meta;
  if (!isObj(meta)) return token === undefined ? params : { ...params, _meta: { progressToken: token } };
  const kept: Obj = {};
  let any = false;
  for (const key of Object.keys(meta)) {
    if (key === 'progressToken' || key.startsWith('coffer/') || key.startsWith('io.modelcontextprotocol/')) continue;
    kept[key] = meta[key];
    any = true;
  }
  if (token !== undefined) kept.progressToken = token;
  if (any || token !== undefined) return { ...params, _meta: kept };
  const { _meta, ...rest } = params;
  return rest;
}
