import { isObj, type Obj } from '../../../json.js';
import { errorMember, RpcFailure, type RpcId } from '../rpc.js';

export interface ClientOptions {
  /** Sent with initialize; default none. */
  readonly capabilities?: Obj;
  /** Default 2025-11-25. */
  readonly protocolVersion?: string;
  readonly clientInfo?: Obj;
  /** `_meta` of initialize. */
  readonly meta?: Obj;
  /** Answers the server's questions: the result, or throw an RpcFailure. Without it they get -32601. `ping` is always answered. */
  readonly onRequest?: (method: string, params: Obj, id: RpcId) => Obj | Promise<Obj>;
  /** How long a request waits for its answer, in milliseconds; default 20000. */
  readonly timeoutMs?: number;
}

export interface RequestOptions {
  readonly id?: RpcId;
  readonly timeoutMs?: number;
}

/** A request under way. */
export interface Pending {
  readonly id: RpcId;
  /** The whole answer message, error answers included. Rejects when the transport fails or the time is up. */
  readonly message: Promise<Obj>;
  /** The result; rejects with RpcFailure for an error answer. */
  readonly result: Promise<Obj>;
}

/** A client that sends what it is told and keeps all it receives. Transports extend it. */
export abstract class RawClient {
  /** Every notification, in order of arrival. */
  readonly notifications: Obj[] = [];
  /** Every request of the server, in order of arrival. */
  readonly requests: Obj[] = [];
  /** Answers to no request of ours, and whatever is not a JSON object. */
  readonly strays: unknown[] = [];
  /** The result of initialize. */
  facts: Obj | undefined;
  private nextId = 1;
  private readonly waiting = new Map<RpcId, { resolve(m: Obj): void; reject(e: Error): void }>();
  private readonly watchers = new Set<() => void>();

  constructor(protected readonly options: ClientOptions) {}

  /** Sends one message as it is. */
  protected abstract write(message: Obj): void | Promise<void>;
  abstract close(): Promise<void>;

  /** initialize and notifications/initialized. */
  async initialize(): Promise<Obj> {
    const { capabilities = {}, protocolVersion = '2025-11-25', meta } = this.options;
    const clientInfo = this.options.clientInfo ?? { name: 'raw-client', version: '1.0.0' };
    const params = { protocolVersion, capabilities, clientInfo, ...(meta ? { _meta: meta } : {}) };
    this.facts = await this.request('initialize', params);
    this.agreed(this.facts.protocolVersion);
    await this.notify('notifications/initialized');
    return this.facts;
  }

  /** Told the agreed version once initialize is answered. */
  protected agreed(_protocolVersion: string): void {}

  request(method: string, params?: Obj, options?: RequestOptions): Promise<Obj> {
    return this.start(method, params, options).result;
  }

  /** Like {@link request}, when the id or the whole answer is needed. */
  start(method: string, params?: Obj, { id = this.nextId++, timeoutMs }: RequestOptions = {}): Pending {
    const message = new Promise<Obj>((resolve, reject) => {
      const timer = setTimeout(
        () => this.fail(id, new Error(`${method} was not answered in time`)),
        timeoutMs ?? this.options.timeoutMs ?? 20_000,
      );
      this.waiting.set(id, {
        resolve: (m) => (clearTimeout(timer), resolve(m)),
        reject: (e) => (clearTimeout(timer), reject(e)),
      });
    });
    const result = message.then(({ error, result }) => {
      if (error) throw new RpcFailure(error.code, error.message, error.data);
      return result;
    });
    // whoever reads only one of the two must not be told of an unhandled rejection of the other
    message.catch(() => {});
    result.catch(() => {});
    void this.write({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
    return { id, message, result };
  }

  async notify(method: string, params?: Obj): Promise<void> {
    await this.write({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
  }

  callTool(name: string, args: Obj = {}, options?: RequestOptions & { meta?: Obj }): Promise<Obj> {
    const params = { name, arguments: args, ...(options?.meta ? { _meta: options.meta } : {}) };
    return this.request('tools/call', params, options);
  }

  cancel(requestId: RpcId, reason?: string): Promise<void> {
    return this.notify('notifications/cancelled', { requestId, ...(reason === undefined ? {} : { reason }) });
  }

  /** Every page of a list. */
  async list(method: string, key: string): Promise<Obj[]> {
    const items: Obj[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.request(method, cursor === undefined ? {} : { cursor });
      items.push(...page[key]);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return items;
  }

  /** The first notification, already here or to come, that the test accepts. */
  waitFor(wanted: string | ((m: Obj) => boolean), timeoutMs = 10_000): Promise<Obj> {
    const accepts = typeof wanted === 'string' ? (m: Obj) => m.method === wanted : wanted;
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.notifications.find(accepts);
        if (!found) return;
        clearTimeout(timer);
        this.watchers.delete(look);
        resolve(found);
      };
      const timer = setTimeout(() => {
        this.watchers.delete(look);
        const seen = this.notifications.map((m) => m.method).join(', ') || 'none';
        reject(new Error(`the notification did not come; seen: ${seen}`));
      }, timeoutMs);
      this.watchers.add(look);
      look();
    });
  }

  /** For transports: a message from the server. */
  protected receive(message: unknown): void {
    if (!isObj(message)) this.strays.push(message);
    else if (message.method !== undefined && message.id !== undefined) {
      this.requests.push(message);
      void this.reply(message);
    } else if (message.method !== undefined) {
      this.notifications.push(message);
      for (const look of [...this.watchers]) look();
    } else {
      const waiting = this.waiting.get(message.id);
      if (!waiting) return void this.strays.push(message);
      this.waiting.delete(message.id);
      waiting.resolve(message);
    }
  }

  /** For transports: this request will get no answer. */
  protected fail(id: RpcId, error: Error): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    waiting?.reject(error);
  }

  protected failAll(error: Error): void {
    for (const id of [...this.waiting.keys()]) this.fail(id, error);
  }

  private async reply({ id, method, params }: Obj): Promise<void> {
    const { onRequest } = this.options;
    let answer: Obj;
    try {
      if (method === 'ping') answer = { result: {} };
      else if (!onRequest) throw new RpcFailure(-32601, 'Method not found');
      else answer = { result: await onRequest(method, params ?? {}, id) };
    } catch (e) {
      answer = { error: errorMember(e) };
    }
    await this.write({ jsonrpc: '2.0', id, ...answer });
  }
}
