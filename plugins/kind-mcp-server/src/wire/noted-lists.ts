import { isObj, type ListType, type Obj } from '@coffer/kernel';
import { paramHeaders, type ParamHeaders } from './param-headers.js';

/** Taken for good this long at most, whatever a server allows. */
const FRESH_MS = 60_000;
const TYPES: Readonly<Record<string, ListType>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

/** What lists say besides their items: how long they keep, and which headers a call of a tool needs. */
export class NotedLists {
  readonly #tools = new Map<string, ParamHeaders | { illegal: string }>();
  readonly #fresh = new Map<ListType, number>();

  /** `withHeaders`: the transport has some. */
  constructor(private readonly withHeaders: boolean) {}

  /** `first`: the first page. */
  note(method: string, page: Obj, first: boolean): void {
    const type = TYPES[method];
    if (type === undefined) return;
    const ttl: unknown = page.ttlMs;
    const limit = typeof ttl === 'number' && ttl >= 0 ? Math.min(ttl, FRESH_MS) : FRESH_MS;
    this.#fresh.set(type, first ? limit : Math.min(limit, this.#fresh.get(type) ?? FRESH_MS));
    if (type !== 'tools' || !this.withHeaders || !Array.isArray(page.tools)) return;
    if (first) this.#tools.clear();
    for (const tool of page.tools as unknown[])
      if (isObj(tool) && typeof tool.name === 'string') this.#tools.set(tool.name, paramHeaders(tool.inputSchema));
  }

  freshMs(type: ListType): number | undefined {
    return this.#fresh.get(type);
  }

  headersOf(tool: string): ParamHeaders {
    const headers = this.#tools.get(tool);
    return headers === undefined || 'illegal' in headers ? [] : headers;
  }

  unusable(tool: string): string | undefined {
    const headers = this.#tools.get(tool);
    return headers !== undefined && 'illegal' in headers ? headers.illegal : undefined;
  }
}
