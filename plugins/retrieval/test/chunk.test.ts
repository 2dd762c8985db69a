import { expect } from 'chai';
import fc from 'fast-check';
import { chunksOf } from '../src/chunk.js';

const SIZE = { size: 100, overlap: 20 };
const texts = (md: string, size = SIZE): string[] => chunksOf(md, size).map((c) => c.text);

describe('cutting Markdown', () => {
  it('keeps headings with their text, and tells the way down to each passage', () => {
    expect(chunksOf('# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd', SIZE)).to.deep.equal([
      { headings: ['A'], text: '# A\n\na', line: 1 },
      { headings: ['A', 'B'], text: '## B\n\nb', line: 5 },
      { headings: ['A', 'B', 'C'], text: '### C\n\nc', line: 9 },
      { headings: ['A', 'D'], text: '## D\n\nd', line: 13 },
    ]);
    expect(chunksOf('Title\n=====\n\nx\n\nSub\n---\n\ny', SIZE).map((c) => c.headings)).to.deep.equal([
      ['Title'],
      ['Title', 'Sub'],
    ]);
  });

  it('sees no heading in a fence, and cuts neither fences nor tables that are not huge', () => {
    const fence = `\`\`\`sh\n# not a heading\n${'echo a long line of a script\n'.repeat(8)}\`\`\``;
    const table = `| a | b |\n| - | - |\n${'| some cell | another |\n'.repeat(10)}`.trim();
    const found = texts(`# H\n\nbefore\n\n${fence}\n\nbetween\n\n${table}\n\nafter`);
    expect(found).to.include(fence);
    expect(found).to.include(table);
    expect(chunksOf(`# H\n\n${fence}`, SIZE).every((c) => c.headings.join() === 'H')).to.equal(true);
  });

  it('cuts a long block at lines, sentences or words, with some overlap', () => {
    const found = texts('A first sentence here. '.repeat(20).trim());
    expect(found.length).to.be.above(3);
    for (const t of found) expect(t.length).to.be.at.most(100);
    for (const t of found.slice(0, -1)) expect(t.trimEnd()).to.match(/\.$/);
  });

  it('loses no word of any text, and ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), fc.integer({ min: 64, max: 200 }), (text, size) => {
        const all = texts(text, { size, overlap: Math.floor(size / 4) }).join('\n');
        for (const [word] of text.matchAll(/[\p{L}\p{N}]{1,10}/gu)) expect(all).to.include(word);
      }),
      { numRuns: 300 },
    );
  });

  it('cuts no character of two halves', () => {
    for (const t of texts('😀'.repeat(300))) expect(t).to.not.match(/[\ud800-\udbff]$|^[\udc00-\udfff]/);
  });
});
