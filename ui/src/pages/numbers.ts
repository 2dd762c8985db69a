/** Sums over calls for charts. */
import { eventWords, format, subjectOf, t, type Annotation, type AuditEntry, type Invocation } from '../kit/index.js';

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}
export const median = (values: readonly number[]): number => quantile(values, 0.5);

const HOUR = 3_600_000;

/** The last 24 hours, oldest first. */
export function hourly(calls: readonly Invocation[], now: number): { label: string; ok: number; failed: number }[] {
  const end = Math.floor(now / HOUR);
  return Array.from({ length: 24 }, (_, i) => {
    const hour = end - 23 + i;
    const mine = calls.filter((c) => Math.floor(Date.parse(c.timestamp) / HOUR) === hour);
    const failed = mine.filter((c) => c.status !== 'ok').length;
    return { label: format.clock(hour * HOUR).slice(0, 5), ok: mine.length - failed, failed };
  });
}

export interface Buckets {
  /** Unix seconds. */
  times: number[];
  calls: number[];
  failed: number[];
  median: (number | null)[];
  slow: (number | null)[];
}

/** `n` equal spans from `from` to `to`, in ms. */
export function buckets(calls: readonly Invocation[], from: number, to: number, n = 48): Buckets {
  const step = (to - from) / n;
  const sorted: Invocation[][] = Array.from({ length: n }, () => []);
  for (const c of calls) {
    const at = Math.floor((Date.parse(c.timestamp) - from) / step);
    if (at >= 0) sorted[Math.min(at, n - 1)]?.push(c);
  }
  const times = (list: Invocation[], q: number): number | null =>
    list.length === 0
      ? null
      : quantile(
          list.map((c) => c.duration_ms),
          q,
        );
  return {
    times: sorted.map((_, i) => (from + i * step) / 1000),
    calls: sorted.map((l) => l.length),
    failed: sorted.map((l) => l.filter((c) => c.status !== 'ok').length),
    median: sorted.map((l) => times(l, 0.5)),
    slow: sorted.map((l) => times(l, 0.95)),
  };
}

/** A change in a line: when, what, of what. */
function changeWords(e: AuditEntry): string {
  return [format.clock(Date.parse(e.timestamp)).slice(0, 5), eventWords(e.event_type), subjectOf(e)].join(' ').trim();
}

/**
 * Changes as marks, newest first. Those that fall into one of `n` equal spans are one mark: a new server brings dozens at once,
 * and lines side by side would hide the chart.
 */
export function marks(changes: readonly AuditEntry[], from: number, to: number, n = 48): Annotation[] {
  const step = (to - from) / n;
  const spans = new Map<number, AuditEntry[]>();
  for (const e of changes) {
    const span = Math.floor((Date.parse(e.timestamp) - from) / step);
    if (span >= 0 && span <= n) spans.set(span, [...(spans.get(span) ?? []), e]);
  }
  return [...spans.values()].flatMap(([newest, ...rest]) =>
    newest === undefined
      ? []
      : {
          at: Date.parse(newest.timestamp) / 1000,
          text:
            rest.length === 0
              ? changeWords(newest)
              : t('{what}, and {n} more', { what: changeWords(newest), n: rest.length }),
        },
  );
}
