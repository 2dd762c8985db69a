import type { Db } from '../vault/database.js';

/** Conditions of a query: each SQL fragment has one `?`; those whose value is undefined are left out. */
export type Conditions = readonly (readonly [sql: string, value: unknown])[];

/** A moment of any offset as rows have it, so that text compares as time does. */
export function instant(text: string | undefined): string | undefined {
  const ms = text === undefined ? NaN : Date.parse(text);
  // A leap second is a legal date-time that JavaScript does not parse.
  return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}

/** The newest rows first, by descending id. `next` is the cursor of the following page. Fragments are constants, never input. */
export function page<T extends { id: number }>(
  db: Db,
  table: string,
  conditions: Conditions,
  limit: number,
): { rows: T[]; next: number | null } {
  const given = conditions.filter(([, value]) => value !== undefined);
  const where = ['1 = 1', ...given.map(([sql]) => sql)].join(' AND ');
  const rows = db
    .prepare(`SELECT * FROM ${table} WHERE ${where} ORDER BY id DESC LIMIT ?`)
    .all(...given.map(([, v]) => v), limit + 1) as T[];
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}
