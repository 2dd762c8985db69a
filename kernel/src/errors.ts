/**
 * Every error Coffer can answer with, in one table: its HTTP status and the CLI's exit code.
 * Source: contracts of the product, `docs/errors.md` is generated from here.
 */
export const ERRORS = {
  BAD_REQUEST: { status: 400, exit: 6 },
  UNKNOWN_KIND: { status: 400, exit: 6 },
  UNKNOWN_AGENT: { status: 400, exit: 6 },
  AGENT_CONFIG_REJECTED: { status: 400, exit: 6 },
  CREDENTIAL_MISSING: { status: 400, exit: 8 },
  INVALID_PREFIX: { status: 400, exit: 6 },
  SKILL_PATH_OUTSIDE: { status: 400, exit: 6 },
  UNAUTHENTICATED: { status: 401, exit: 1 },
  FORBIDDEN: { status: 403, exit: 1 },
  TOOL_DISABLED: { status: 403, exit: 1 },
  HOST_NOT_ALLOWED: { status: 403, exit: 1 },
  ORIGIN_NOT_ALLOWED: { status: 403, exit: 1 },
  NOT_FOUND: { status: 404, exit: 4 },
  RESOURCE_NOT_FOUND: { status: 404, exit: 4 },
  CAPABILITY_NOT_FOUND: { status: 404, exit: 4 },
  CREDENTIAL_NOT_FOUND: { status: 404, exit: 4 },
  PLUGIN_NOT_FOUND: { status: 404, exit: 4 },
  MACHINE_NOT_FOUND: { status: 404, exit: 4 },
  CONVERSATION_NOT_FOUND: { status: 404, exit: 4 },
  MEMORY_STORE_NOT_FOUND: { status: 404, exit: 4 },
  FACT_NOT_FOUND: { status: 404, exit: 4 },
  DOCUMENT_NOT_FOUND: { status: 404, exit: 4 },
  SKILL_FILE_NOT_FOUND: { status: 404, exit: 4 },
  SKILL_IMPORT_NOT_FOUND: { status: 404, exit: 4 },
  SKILL_TARGET_NOT_FOUND: { status: 404, exit: 4 },
  UNMANAGED_SKILL_NOT_FOUND: { status: 404, exit: 4 },
  LLM_AGENT_NOT_FOUND: { status: 404, exit: 4 },
  AGENT_FACET_NOT_FOUND: { status: 404, exit: 4 },
  AGENT_FILE_NOT_FOUND: { status: 404, exit: 4 },
  AGENT_ENTRY_NOT_FOUND: { status: 404, exit: 4 },
  CLIENT_NOT_FOUND: { status: 404, exit: 4 },
  UNKNOWN_PRUNABLE_TABLE: { status: 404, exit: 4 },
  METHOD_NOT_ALLOWED: { status: 405, exit: 1 },
  RESOURCE_ALREADY_EXISTS: { status: 409, exit: 5 },
  DOCUMENT_EXISTS: { status: 409, exit: 5 },
  RECONVERSION_BLOCKED: { status: 409, exit: 5 },
  RESOURCE_STALE: { status: 409, exit: 5 },
  GENERIC_CREATE_NOT_ALLOWED: { status: 409, exit: 5 },
  CREDENTIAL_IN_USE: { status: 409, exit: 5 },
  PLUGIN_CONFLICT: { status: 409, exit: 5 },
  DB_SCHEMA_TOO_NEW: { status: 409, exit: 5 },
  VAULT_BUSY: { status: 409, exit: 5 },
  AGENT_UNAVAILABLE: { status: 409, exit: 5 },
  QUEUE_FULL: { status: 409, exit: 5 },
  SKILL_TARGET_TAKEN: { status: 409, exit: 5 },
  AGENT_DIR_TAKEN: { status: 409, exit: 5 },
  FILE_CHANGED: { status: 409, exit: 5 },
  LLM_IN_USE: { status: 409, exit: 5 },
  LLM_NOT_CONFIGURED: { status: 409, exit: 5 },
  PAYLOAD_TOO_LARGE: { status: 413, exit: 6 },
  CONFIG_INVALID: { status: 422, exit: 6 },
  SCOPE_INVALID: { status: 422, exit: 6 },
  SCOPE_UNRESOLVED: { status: 422, exit: 6 },
  INGEST_REJECTED: { status: 422, exit: 6 },
  MEMORY_REJECTED: { status: 422, exit: 6 },
  PLUGIN_INVALID: { status: 422, exit: 6 },
  SKILL_INVALID: { status: 422, exit: 6 },
  SKILL_SOURCE_REFUSED: { status: 422, exit: 6 },
  SKILL_SOURCE_FAILED: { status: 422, exit: 6 },
  LLM_INCOMPATIBLE: { status: 422, exit: 6 },
  AGENT_INVALID: { status: 422, exit: 6 },
  AGENT_FILE_INVALID: { status: 422, exit: 6 },
  AGENT_FILE_UNEDITABLE: { status: 422, exit: 6 },
  AGENT_UNSUPPORTED: { status: 422, exit: 6 },
  AGENT_PROGRAM_FAILED: { status: 422, exit: 6 },
  ADOPT_SECRET_UNRESOLVED: { status: 422, exit: 8 },
  FILE_UNREADABLE: { status: 422, exit: 6 },
  FILE_READ_ONLY: { status: 422, exit: 6 },
  RUNNER_INSTALL_UNSUPPORTED: { status: 422, exit: 6 },
  RUNNER_INSTALL_FAILED: { status: 500, exit: 1 },
  BACKUP_INVALID: { status: 422, exit: 6 },
  INTERNAL_ERROR: { status: 500, exit: 1 },
  UPSTREAM_ERROR: { status: 502, exit: 7 },
  UPSTREAM_UNAVAILABLE: { status: 503, exit: 7 },
  CREDENTIAL_LOCKED: { status: 503, exit: 8 },
  MASTER_KEY_MISSING: { status: 503, exit: 8 },
  MASTER_KEY_WRONG: { status: 503, exit: 8 },
  KEYCHAIN_UNAVAILABLE: { status: 503, exit: 8 },
  VAULT_DAMAGED: { status: 503, exit: 1 },
  VAULT_UNWRITABLE: { status: 503, exit: 1 },
  PORTS_BUSY: { status: 503, exit: 1 },
  ENV_INVALID: { status: 503, exit: 6 },
  DAEMON_NOT_READY: { status: 503, exit: 1 },
  DAEMON_UNREACHABLE: { status: 503, exit: 3 },
  UPSTREAM_TIMEOUT: { status: 504, exit: 7 },
} as const satisfies Record<string, { status: number; exit: number }>;

/** A stable code from {@link ERRORS}. A plugin may use any of them; codes are never renamed or reused. */
export type ErrorCode = keyof typeof ERRORS;

const BRAND = Symbol.for('coffer.error');

/**
 * The one error class of the product. `message` says what was wrong and what to do next; a submitted value is never in it,
 * since it may be a secret. `details` goes to the client as it is.
 */
export class CofferError extends Error {
  readonly [BRAND] = true;
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Record<string, unknown> = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'CofferError';
  }
  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Works across copies of this module, which `instanceof` does not. */
export function isCofferError(e: unknown): e is CofferError {
  return typeof e === 'object' && e !== null && BRAND in e;
}

/** What a foreign error may show: its class only, since its message may hold what it was working on. */
export function className(e: unknown): string {
  return e instanceof Error ? e.constructor.name : typeof e;
}
