/** From where a resource is looked at. */
export interface Viewpoint {
  readonly machine: string;
  /** Null: the client did not say which agent it is; it sees only what every agent sees. */
  readonly agent: string | null;
}

/** Why a resource is not visible. Axes of the kernel: `machine`, `agent`; `error` when an axis could not tell. */
export interface Hidden {
  readonly axis: string;
}

/** null: everywhere, everyone. {}: nowhere. Keys are machine ids or `*` (the exact key wins), values `*` or agent names. */
export type Scope = null | Readonly<Record<string, '*' | readonly string[]>>;
