import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

// scripts are plain JavaScript without declarations
const { findTests, shuffle } = await import(new URL('../../scripts/test-files.mjs', import.meta.url).href);
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the order of the test files', () => {
  const files = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

  it('is the same for the same seed and another for another', () => {
    expect(shuffle(files, 7)).to.deep.equal(shuffle(files, 7));
    expect(shuffle(files, 7)).to.not.deep.equal(shuffle(files, 8));
  });

  it('leaves none out', () => {
    for (let seed = 0; seed < 50; seed++) expect(shuffle(files, seed).sort()).to.deep.equal(files);
  });

  it('starts from what the patterns of mocha match', () => {
    expect(findTests(root, ['testing/test/**/*.test.ts'])).to.include('testing/test/test-files.test.ts');
    expect(findTests(root, ['test*/test/*.test.ts'])).to.include('testing/test/test-files.test.ts');
    expect(findTests(root, ['testing/*/other/*.test.ts'])).to.be.empty;
  });
});
