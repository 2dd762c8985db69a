/**
 * The rows of a log that were fetched, newest first: the newest page again and again as news come, older pages on demand. What the
 * newest page pushes out stays, so that there is no gap between it and the older ones.
 */
export class LogPages<R extends { id: number }> {
  rows: readonly R[] = [];
  /** Where the next older page begins; `null`: there is none. */
  cursor: number | null = null;

  /** Takes in the newest page as it is now. */
  newest(page: readonly R[], cursor: number | null): void {
    const last = page.at(-1)?.id ?? Infinity;
    const meets = this.rows.some((row) => row.id >= last);
    const older = meets ? this.rows.filter((row) => row.id < last) : [];
    this.rows = [...page, ...older];
    // After a long absence what lies between is not known: what was before is fetched again when it is wanted.
    if (older.length === 0) this.cursor = cursor;
  }

  /** Takes in the page that begins at the cursor. */
  older(page: readonly R[], cursor: number | null): void {
    const last = this.rows.at(-1)?.id ?? Infinity;
    this.rows = [...this.rows, ...page.filter((row) => row.id < last)];
    this.cursor = cursor;
  }
}
