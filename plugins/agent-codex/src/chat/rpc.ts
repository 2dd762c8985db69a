/** The wire of `codex app-server`: JSON-RPC without its version member, one message a line. */
import { StringDecoder } from 'node:string_decoder';
import { isObj, type Obj, type StartedProgram } from '@coffer/kernel';

/** A message longer than this is no message. */
const LINE_CHARS = 32 * 1024 * 1024;

/** What the other side refused. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export interface Rpc {
  request(method: string, params: Obj): Promise<Obj>;
  notify(method: string, params?: Obj): void;
  /** Notifications in order, from the first one on; ends when the program does. */
  notifications(): AsyncGenerator<{ method: string; params: Obj }, void>;
}

/** `asked` answers what the program asks of us; undefined refuses it. */
export function openRpc(program: StartedProgram, asked: (method: string, params: Obj) => Obj | undefined): Rpc {
  const { child } = program;
  const waiting = new Map<number, { resolve: (result: Obj) => void; reject: (error: Error) => void }>();
  const inbox: { method: string; params: Obj }[] = [];
  let wake = (): void => undefined;
  let ended = false;
  let ids = 0;

  const write = (message: Obj): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const take = (line: string): void => {
    let m: unknown;
    try {
      m = JSON.parse(line);
    } catch {
      // Not every line of a program is meant for us.
      return;
    }
    if (!isObj(m)) return;
    if (typeof m.method === 'string') {
      const params: Obj = isObj(m.params) ? m.params : {};
      if (m.id === undefined) {
        inbox.push({ method: m.method, params });
        wake();
        return;
      }
      const result = asked(m.method, params);
      write(
        result === undefined ? { id: m.id, error: { code: -32601, message: 'not offered' } } : { id: m.id, result },
      );
      return;
    }
    const request = waiting.get(m.id as number);
    waiting.delete(m.id as number);
    if (isObj(m.error)) request?.reject(new RpcError(Number(m.error.code), String(m.error.message)));
    else request?.resolve(isObj(m.result) ? m.result : {});
  };

  // Keeps the first half of a character until the second comes.
  const decoder = new StringDecoder('utf8');
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARS) void program.end();
    for (const line of lines) if (line.trim() !== '') take(line);
  });
  const over = (): void => {
    ended = true;
    for (const { reject } of waiting.values()) reject(new Error('the program ended'));
    waiting.clear();
    wake();
  };
  // What was written before the end is still read; a program that never ran has no output that could close.
  child.stdout.on('close', over);
  void program.exited.then(({ error }) => {
    if (error !== undefined) over();
  });

  return {
    request(method, params) {
      if (ended) return Promise.reject(new Error('the program ended'));
      const id = ++ids;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        write({ id, method, params });
      });
    },
    notify: (method, params) => write(params === undefined ? { method } : { method, params }),
    async *notifications() {
      for (;;) {
        const next = inbox.shift();
        if (next !== undefined) yield next;
        else if (ended) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
