import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { grep } from '../src/grep.js';

describe('lines by pattern', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'coffer-grep-'));
    mkdirSync(path.join(folder, 'sub'));
    writeFileSync(path.join(folder, 'a.md'), 'first\nNeedle (1)\nlast\n');
    writeFileSync(path.join(folder, 'sub', 'b.md'), '中文 needle\n');
    writeFileSync(path.join(folder, 'sub', 'c.txt'), 'needle\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const includes = (p: string): boolean => p.endsWith('.md');

  for (const [how, ripgrep] of [
    ['ripgrep, or what stands in for it', undefined],
    ['the own scan', '/nowhere/rg'],
  ] as const) {
    it(`are found by ${how}`, async () => {
      const find = (pattern: string, most = 10): ReturnType<typeof grep> =>
        grep({ folder, includes, pattern, most, ripgrep });
      expect(await find('needle')).to.deep.equal({
        hits: [
          { path: 'a.md', line_number: 2, line: 'Needle (1)' },
          { path: 'sub/b.md', line_number: 1, line: '中文 needle' },
        ],
        truncated: false,
      });
      expect(await find('needle', 1))
        .to.deep.include({ truncated: true })
        .and.have.property('hits')
        .with.length(1);
      expect((await find('^first$')).hits).to.have.length(1);
      expect((await find('\\(1\\)')).hits).to.have.length(1);
      expect((await find('nothing at all')).hits).to.deep.equal([]);
      const wrong = await find('(').catch((e: unknown) => e);
      expect(wrong).to.have.property('code', 'BAD_REQUEST');
    });
  }

  it('that are very long are shown in part', async () => {
    writeFileSync(path.join(folder, 'long.md'), `${'x'.repeat(100_000)}\n`);
    for (const ripgrep of [undefined, '/nowhere/rg'])
      expect((await grep({ folder, includes, pattern: 'xxx', most: 10, ripgrep })).hits[0]?.line).to.have.length(501);
  });
});
