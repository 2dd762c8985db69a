import { CofferError, isObj, type Exchange, type ListType, type Obj } from '@coffer/kernel';
import type { Connection } from './wire/connection.js';

const PAGES = 1000;
const METHOD_NOT_FOUND = -32601;
const LISTS: Readonly<Record<ListType, { method: string; feature: string }>> = {
  tools: { method: 'tools/list', feature: 'tools' },
  prompts: { method: 'prompts/list', feature: 'prompts' },
  resources: { method: 'resources/list', feature: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', feature: 'resources' },
};
export const LIST_TYPES = Object.keys(LISTS) as readonly ListType[];

export interface WholeList {
  items: Obj[];
  /** The pages did not come to an end. */
  endless: boolean;
}

/** A whole list, every page followed. Throws UPSTREAM_UNAVAILABLE or UPSTREAM_TIMEOUT. */
export async function wholeList(
  server: string,
  connection: Connection,
  type: ListType,
  x?: Exchange,
): Promise<WholeList> {
  const { method, feature } = LISTS[type];
  const items: Obj[] = [];
  if (connection.facts.capabilities[feature] === undefined) return { items, endless: false };
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await connection.ask(method, cursor === undefined ? {} : { cursor }, x);
    if ('fault' in page)
      throw new CofferError(
        page.fault.name === 'TIMEOUT' ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNAVAILABLE',
        page.fault.message,
      );
    if ('error' in page) {
      if (page.error.code === METHOD_NOT_FOUND) break;
      throw new CofferError('UPSTREAM_UNAVAILABLE', `${server} answered ${method} with error ${page.error.code}`, {
        rpc_code: page.error.code,
      });
    }
    const part: unknown = page.result[type];
    if (!Array.isArray(part))
      throw new CofferError('UPSTREAM_UNAVAILABLE', `${server} answered ${method} without a list of ${type}`);
    items.push(...part.filter(isObj));
    const next: unknown = page.result.nextCursor;
    cursor = typeof next === 'string' ? next : undefined;
    if (cursor !== undefined && (seen.has(cursor) || seen.size + 1 >= PAGES)) return { items, endless: true };
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return { items, endless: false };
}
