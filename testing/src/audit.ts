import type { Claim } from './claims.js';
import type { Spec } from './specs.js';

/** Where claims and specs disagree: `problems` fail the audit, `lines` are for reading. */
export function audit(specs: readonly Spec[], claims: readonly Claim[]): { lines: string[]; problems: string[] } {
  const lines: string[] = [];
  const problems: string[] = [];
  for (const { id, complete, titles } of specs) {
    const of = (title: string): Claim[] => claims.filter((c) => c.spec === id && c.title === title);
    const covered = titles.filter((title) => of(title).some((c) => c.outcome === 'passed'));
    lines.push(`${id}: ${covered.length}/${titles.length}${complete ? '' : ' (not complete yet)'}`);
    for (const title of titles.filter((t) => of(t).length === 0)) {
      (complete ? problems : lines).push(`  not claimed by any test: ${id} "${title}"`);
    }
    for (const title of titles.filter((t, i) => titles.indexOf(t) !== i)) problems.push(`  twice in ${id}: "${title}"`);
  }
  for (const { spec, title, outcome } of claims) {
    const known = specs.some((s) => s.id === spec && s.titles.includes(title));
    if (!known) problems.push(`  no such scenario: ${spec} "${title}"`);
    else if (outcome !== 'passed') problems.push(`  ${outcome}: ${spec} "${title}"`);
  }
  return { lines, problems };
}
