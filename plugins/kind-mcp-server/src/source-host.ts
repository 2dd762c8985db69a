import type { Clock, Exchange, Facts, ListType, Obj } from '@coffer/kernel';
import type { Gate } from './gate.js';
import type { Connection, ConnectionEvents } from './wire/connection.js';

/** What a source and its connections need of the rest of the plugin. */
export interface SourceHost {
  readonly server: string;
  readonly clock: Clock;
  readonly gate: Gate;
  /** Milliseconds. */
  readonly idleMs: number;
  dial(x: Exchange, events: ConnectionEvents): Promise<Connection>;
  list(connection: Connection, type: ListType, x: Exchange): Promise<readonly Obj[]>;
  known(): Facts | undefined;
  healthy(facts: Facts): void;
  failing(reason: string): void;
  closed(): void;
}
