/** A folder of the vault that is truth and so goes into a backup; relative to the home. */
export interface TreeCollector {
  add(folder: string): void;
}

/** Paths of the vault; everything derives from the home. */
export interface Paths {
  readonly home: string;
  readonly db: string;
  readonly discovery: string;
  readonly lock: string;
  readonly masterKey: string;
  readonly logs: string;
  readonly plugins: string;
  readonly upstreamPids: string;
  readonly workspace: string;
}

/** One step forward of a plugin's tables. Ids rise from 1 and are never changed once released. */
export interface Migration {
  id: number;
  /** Plain SQL; runs in a transaction of its own. */
  sql: string;
}
