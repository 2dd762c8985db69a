import { appendFileSync, readFileSync } from 'node:fs';
import type { Obj } from '../../../json.js';
import type { RpcId } from '../rpc.js';
import type { ModernOptions } from './options.js';

export const META = 'io.modelcontextprotocol/';
export const VERSION = '2026-07-28';

/** One request as a method sees it. */
export interface ModernCall {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Obj;
  readonly meta: Obj;
  readonly headers: Obj;
  /** A notification that belongs to this request. */
  notify(method: string, params: Obj): void;
  /** Aborted when the client cancels or hangs up. */
  readonly signal: AbortSignal;
}

export interface Subscription {
  readonly filter: Obj;
  tell(method: string, params: Obj): void;
  end(): void;
}

/** What the server knows beyond single requests: who listens, and what a test may ask afterwards. */
export interface ModernWorld {
  readonly options: ModernOptions;
  readonly subscriptions: Set<Subscription>;
  readonly cancelled: RpcId[];
  /** Speaks the newer era now. */
  isModern(): boolean;
  record(line: string): void;
  changed(kind: 'tools' | 'prompts' | 'resources'): void;
  updated(uri: string): void;
}

export function createModernWorld(options: ModernOptions): ModernWorld {
  const subscriptions = new Set<Subscription>();
  const era = (): boolean => options.eraFile === undefined || readFileSync(options.eraFile, 'utf8').trim() === 'modern';
  const born = era();
  return {
    options,
    subscriptions,
    cancelled: [],
    isModern: () => (options.http === undefined ? born : era()),
    record(line) {
      if (options.recordFile !== undefined) appendFileSync(options.recordFile, `${line}\n`);
    },
    changed(kind) {
      for (const s of subscriptions)
        if (s.filter[`${kind}ListChanged`] === true) s.tell(`notifications/${kind}/list_changed`, {});
    },
    updated(uri) {
      for (const s of subscriptions)
        if ((s.filter.resourceSubscriptions as string[] | undefined)?.includes(uri))
          s.tell('notifications/resources/updated', { uri, _meta: { 'x.test/update': 1 } });
    },
  };
}
