import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One file of `specs/`: what the product promises, scenario by scenario. */
export interface Spec {
  /** The file's name without `.md`. */
  readonly id: string;
  /** Every scenario must be claimed by a test. */
  readonly complete: boolean;
  readonly titles: readonly string[];
}

const DIRECTORY = fileURLToPath(new URL('../../specs/', import.meta.url));

/** Front matter and `### Scenario:` headings are all that is read. */
export function parseSpec(id: string, markdown: string): Spec {
  const front = /^---\n([\s\S]*?)\n---\n/.exec(markdown)?.[1] ?? '';
  const titles = [...markdown.matchAll(/^#{2,4} Scenario: (.+)$/gm)].map((m) => (m[1] ?? '').trim());
  return { id, complete: /^complete: *true$/m.test(front), titles };
}

export function readSpecs(directory = DIRECTORY): Spec[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => parseSpec(file.slice(0, -3), readFileSync(`${directory}/${file}`, 'utf8')));
}
