#!/usr/bin/env node
// Which scenarios of specs/ a test claims, from what the last mocha run left in build/acceptance.json. Exit 1 when the claims and
// the specs disagree: an uncovered scenario of a complete spec, an unknown one, or a claim whose test failed or asserted nothing.
import { existsSync, readFileSync } from 'node:fs';
import 'tsx/esm';

const { audit } = await import('../testing/src/audit.ts');
const { readSpecs } = await import('../testing/src/specs.ts');

const file = new URL('../build/acceptance.json', import.meta.url);
if (!existsSync(file)) {
  console.error('There is no build/acceptance.json. Run the tests first: npm test');
  process.exit(1);
}
const { lines, problems } = audit(readSpecs(), JSON.parse(readFileSync(file, 'utf8')).claims);
for (const line of [...lines, ...problems]) console.log(line);
process.exit(problems.length ? 1 : 0);
