/** What other plugins get: stores of Markdown files that can be searched. */
import type { Obj } from '@coffer/kernel';

/** A folder of Markdown files that is the truth; everything here about it can be thrown away and made again. */
export interface StoreDefinition {
  /** Unique among all stores, for example `memory/global`. */
  id: string;
  /** Absolute; need not exist. */
  folder: string;
  /** Which files belong to it, by path relative to the folder with `/`. Default: every `.md` outside of dot folders. */
  includes?: (path: string) => boolean;
  /** What of a file is searched. Default: the whole text, named by its first heading or its file name. */
  read?: (text: string, path: string) => DocumentText;
  chunks?: ChunkSize;
}

/** The searchable part of a file. */
export interface DocumentText {
  title: string;
  body: string;
  /** The line of the file that the body starts at, from 1. Default 1. */
  line?: number;
  /** Kept with the row for lists; never searched. */
  meta?: Obj;
}

/** Characters. `overlap` is what two pieces of one long block share. */
export interface ChunkSize {
  size: number;
  overlap: number;
}

/** A passage that answers a query. */
export interface Hit {
  store: string;
  /** Relative to the store's folder. */
  path: string;
  title: string;
  /** Headings above the passage, outermost first. */
  headings: readonly string[];
  text: string;
  /** Line of the file it starts at, from 1. */
  line: number;
  /** Which of the document's passages it is, from 0. */
  position: number;
  /** Higher is better; comparable within one answer only. */
  score: number;
}

export interface DocumentRow {
  path: string;
  title: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  modified: number;
  meta: Obj;
}

export interface SyncReport {
  added: number;
  changed: number;
  removed: number;
  /** Files that could not be read, with the reason; their last known state is not served. */
  failed: readonly { path: string; reason: string }[];
}

export interface GrepHit {
  path: string;
  /** From 1. */
  line_number: number;
  line: string;
}

export interface GrepResult {
  hits: GrepHit[];
  /** There were more, or time ran out. */
  truncated: boolean;
}

export interface Store {
  readonly id: string;
  readonly folder: string;
  /** Brings the index up to what the files say. Cheap when nothing changed. */
  sync(progress?: (done: number, of: number) => void): Promise<SyncReport>;
  /** Syncs, then searches. Any text is legal; no words in it find nothing. */
  search(query: string, top: number): Promise<Hit[]>;
  /** Lines that match a regular expression. Throws BAD_REQUEST when it is none. */
  grep(pattern: string, most: number, signal?: AbortSignal): Promise<GrepResult>;
  /** Syncs, then lists, by path. */
  documents(): Promise<DocumentRow[]>;
  /** Throws away everything derived and makes it anew from the files. */
  rebuild(progress?: (done: number, of: number) => void): Promise<SyncReport>;
  /** One writer at a time; readers do not wait. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

export interface Retrieval {
  /** The store of this id. One object for each: it serialises what writes. */
  store(definition: StoreDefinition): Store;
  /** The best passages of several stores, fused by rank. */
  search(stores: readonly Store[], query: string, top: number): Promise<Hit[]>;
  /** Forgets a store. Its files are not touched. */
  forget(id: string): void;
}
