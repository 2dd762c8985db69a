import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { ERRORS } from '../../src/errors.js';
import { HookMap } from '../../src/hook.js';
import { allHooks, createHooks } from '../../src/hooks.js';

const page = (name: string): string[] =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .map((l) => l.replace(/ +/g, ' '));

// Reads the pages that scripts/docs.mjs made and compares their rows with the source, so it needs no build.
describe('the generated pages are up to date (node scripts/docs.mjs)', () => {
  it('docs/hooks.md has a row for each hook', () => {
    const rows = page('hooks.md').filter((l) => /^\| `[a-z]+\./.test(l));
    const expected = allHooks(createHooks()).map(
      (h) =>
        `| \`${h.info.name}${h instanceof HookMap ? '.for(kind)' : ''}\` | ${h.info.when} | \`${h.info.mode}\` | \`${h.info.onError}\` | ${h.info.who} |`,
    );
    expect(rows).to.deep.equal(expected);
  });
  it('docs/errors.md has a row for each code', () => {
    const rows = page('errors.md').filter((l) => /^\| `[A-Z]/.test(l));
    expect(rows).to.deep.equal(Object.entries(ERRORS).map(([code, e]) => `| \`${code}\` | ${e.status} | ${e.exit} |`));
  });
});
