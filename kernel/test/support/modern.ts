/** A raw client of the newer era: one request, and all that came for it. */
import type { Obj } from '@coffer/kernel';

export const KEY = 'io.modelcontextprotocol/';
const CAPABILITIES: Obj = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export interface Said {
  status: number;
  /** Every message of the answer, the last one being the answer itself. */
  messages: Obj[];
  result: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into any shape
  error: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into any shape
  text: string | undefined;
}

export interface Asking {
  client?: string;
  agent?: string;
  capabilities?: Obj;
  meta?: Obj;
  headers?: Record<string, string>;
  id?: string | number;
  signal?: AbortSignal;
}

export interface ModernClient {
  (method: string, params?: Obj, o?: Asking): Promise<Said>;
}

export function modernClient(url: string, token: string): ModernClient {
  return async (method, params = {}, o = {}) => {
    const name: unknown = params['name'] ?? (method === 'resources/read' ? params['uri'] : undefined);
    const res = await fetch(`${url}/mcp`, {
      method: 'POST',
      signal: o.signal ?? AbortSignal.timeout(15_000),
      headers: {
        'x-coffer-token': token,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        'x-coffer-client': o.client ?? 'one',
        ...(o.agent === undefined ? {} : { 'x-coffer-agent': o.agent }),
        ...o.headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: o.id ?? 1,
        method,
        params: {
          ...params,
          _meta: {
            [`${KEY}protocolVersion`]: '2026-07-28',
            [`${KEY}clientCapabilities`]: o.capabilities ?? CAPABILITIES,
            [`${KEY}clientInfo`]: { name: 'raw', version: '1' },
            ...o.meta,
          },
        },
      }),
    });
    const body = await res.text();
    const messages = body.startsWith('{')
      ? [JSON.parse(body) as Obj]
      : body
          .split('\n')
          .filter((l) => l.startsWith('data: '))
          .map((l) => JSON.parse(l.slice(6)) as Obj);
    const last = messages.at(-1) ?? {};
    return {
      status: res.status,
      messages,
      result: last['result'],
      error: last['error'],
      text: (last['result'] as Obj | undefined)?.['content']?.[0]?.text as string | undefined,
    };
  };
}
