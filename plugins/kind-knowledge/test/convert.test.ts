import { expect } from 'chai';
import { convertApart } from '../src/convert/apart.js';
import { Rejected } from '../src/convert/types.js';
import { bomb, docx, epub, pdf, pptx, xlsx } from './files.js';

describe('files as Markdown', function () {
  this.timeout(30_000);
  const markdown = async (filename: string, bytes: Buffer | string): Promise<string> =>
    (await convertApart(Buffer.from(bytes as string), filename)).markdown;
  const reason = async (filename: string, bytes: Buffer | string): Promise<string> => {
    const e: unknown = await convertApart(Buffer.from(bytes as string), filename).catch((x: unknown) => x);
    return e instanceof Rejected ? e.reason : `no rejection: ${JSON.stringify(e)}`;
  };

  it('Markdown and text stay as they are; code is fenced whatever it holds', async () => {
    expect(await markdown('a.md', '# Title\n\ntext')).to.equal('# Title\n\ntext');
    expect(await markdown('a.txt', 'line one\r\nline two')).to.equal('line one\nline two');
    expect(await markdown('a.py', 'print("```")')).to.equal('````py\nprint("```")\n````');
    expect(await markdown('Makefile', 'all:\n\ttrue')).to.equal('```makefile\nall:\n\ttrue\n```');
    expect(await markdown('a.json', '{"a":1}')).to.contain('```json');
  });

  it('tables come out of CSV and workbooks', async () => {
    expect(await markdown('a.csv', 'name,price\n"a, b",1\n"x|y",2\n')).to.equal(
      '| name | price |\n| --- | --- |\n| a, b | 1 |\n| x\\|y | 2 |',
    );
    expect(await markdown('a.tsv', 'a\tb\n1\t2')).to.contain('| 1 | 2 |');
    expect(
      await markdown(
        'a.xlsx',
        xlsx([
          ['item', 'cost'],
          ['tea', '3'],
        ]),
      ),
    ).to.equal('## Prices\n\n| item | cost |\n| --- | --- |\n| tea | 3 |');
  });

  it('pages, documents, slides and books keep their headings and order', async () => {
    const page = await convertApart(
      Buffer.from(
        '<html><head><title>My page</title><script>alert(1)</script></head><body><h1>Head</h1><p>Some <b>bold</b> text.</p><table><tr><th>a</th></tr><tr><td>1</td></tr></table></body></html>',
      ),
      'a.html',
    );
    expect(page.title).to.equal('My page');
    expect(page.markdown)
      .to.contain('# Head')
      .and.contain('**bold**')
      .and.match(/\| a +\|/)
      .and.not.contain('alert');
    expect(await markdown('a.docx', docx(['# Eviction', 'Old entries leave first.']))).to.equal(
      '# Eviction\n\nOld entries leave first.',
    );
    expect(await markdown('a.pptx', pptx([['First', 'one'], ['Second']]))).to.equal(
      '## Slide 1\n\nFirst\n\none\n\n## Slide 2\n\nSecond',
    );
    const book = await convertApart(epub('The Book', ['<h1>One</h1><p>first</p>', '<h1>Two</h1>']), 'a.epub');
    expect(book).to.deep.equal({ markdown: '# One\n\nfirst\n\n# Two', title: 'The Book' });
    expect(await markdown('a.pdf', pdf('Hello from a PDF'))).to.equal('Hello from a PDF');
  });

  it('any encoding is read', async () => {
    expect(await markdown('a.txt', Buffer.from('\ufeffwörld', 'utf16le'))).to.equal('wörld');
    expect(await markdown('a.txt', Buffer.from('caf\xe9', 'latin1'))).to.equal('café');
    expect(await markdown('a.txt', Buffer.from('\ufeffbom', 'utf8'))).to.equal('bom');
  });

  it('each failure has its name', async () => {
    expect(await reason('a.exe', 'x')).to.equal('unsupported_type');
    expect(await reason('a.md', ' \n')).to.equal('empty');
    expect(await reason('a.txt', 'a\0b')).to.equal('damaged');
    expect(await reason('a.pdf', pdf(''))).to.equal('scanned_pdf');
    expect(await reason('a.csv', 'a,"b')).to.equal('damaged');
    for (const name of ['a.pdf', 'a.docx', 'a.xlsx', 'a.pptx', 'a.epub'])
      expect(await reason(name, 'no such thing'), name).to.equal('damaged');
    expect(await reason('a.docx', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]))).to.equal('encrypted');
    expect(await reason('a.docx', bomb(201))).to.equal('too_large');
  });
});
