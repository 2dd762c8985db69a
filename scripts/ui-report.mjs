#!/usr/bin/env node
// Prints what the last run of the tests has measured of the web UI: its budget, and what axe-core says of its pages.
// Exit 1 when there is none.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../build/ui-report/', import.meta.url));
const wanted = ['budget', 'axe-light', 'axe-dark'];
const found = existsSync(folder) ? readdirSync(folder).sort() : [];
for (const file of found) process.stdout.write(readFileSync(folder + file, 'utf8'));
const missing = wanted.filter((name) => !found.includes(`${name}.txt`));
if (missing.length) console.error(`The tests left no report of: ${missing.join(', ')}. Run them first: npm test`);
process.exit(missing.length ? 1 : 0);
