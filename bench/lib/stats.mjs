/** The value below which a share `p` of the samples lies. */
export function quantile(samples, p) {
  if (samples.length === 0) return Number.NaN;
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))];
}
export const median = (samples) => quantile(samples, 0.5);
export const ratio = (x, base) => (base ? x / base : Number.NaN);

export function fixed(x, digits = 2) {
  if (x === undefined || x === null || Number.isNaN(x)) return '-';
  return typeof x === 'number' ? x.toFixed(digits) : String(x);
}

/** Prints a Markdown table. */
export function table(title, columns, rows) {
  const all = [columns, ...rows.map((r) => r.map(String))];
  const widths = columns.map((_, i) => Math.max(...all.map((r) => r[i].length)));
  const line = (cells) => `| ${cells.map((c, i) => (i ? c.padStart(widths[i]) : c.padEnd(widths[i]))).join(' | ')} |`;
  console.log(`\n## ${title}\n`);
  console.log(line(all[0]));
  console.log(`|${widths.map((w, i) => (i ? `${'-'.repeat(w + 1)}:` : '-'.repeat(w + 2))).join('|')}|`);
  for (const r of all.slice(1)) console.log(line(r));
}
