import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { record } from './claims.js';

const BUILD = fileURLToPath(new URL('../../build/', import.meta.url));

/** Root hooks of every mocha run: what was claimed, and how it went, is left in `build/acceptance.json`. */
export const mochaHooks = {
  afterAll(): void {
    mkdirSync(BUILD, { recursive: true });
    writeFileSync(`${BUILD}acceptance.json`, `${JSON.stringify({ claims: record().claims }, null, 2)}\n`);
  },
};
