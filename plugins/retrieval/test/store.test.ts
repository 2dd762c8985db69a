import { renameSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { openBench, type Bench } from './support.js';

describe('a store of files', () => {
  let b: Bench;
  beforeEach(async () => void (b = await openBench()));
  afterEach(() => b.stop());
  const paths = async (query: string, top = 5): Promise<string[]> =>
    (await b.store().search(query, top)).map((h) => h.path);

  it('is empty while its folder is not there, and answers all the same', async () => {
    const store = b.store({ folder: path.join(b.folder, 'not', 'there') });
    expect(await store.search('anything', 5)).to.deep.equal([]);
    expect(await store.documents()).to.deep.equal([]);
    expect(await store.grep('x', 10)).to.deep.equal({ hits: [], truncated: false });
  });

  it('finds what the files say now: added, edited, moved and removed by hand', async () => {
    b.write('a.md', '# Redis\n\nThe suite needs a local Redis on port 6390.');
    expect(await paths('redis port')).to.deep.equal(['a.md']);
    b.write('a.md', '# Postgres\n\nThe suite needs Postgres.');
    expect(await paths('redis')).to.deep.equal([]);
    expect(await paths('postgres')).to.deep.equal(['a.md']);
    b.write('deep/er/b.md', 'Redis again');
    expect(await paths('redis')).to.deep.equal(['deep/er/b.md']);
    b.remove('deep');
    expect(await paths('redis')).to.deep.equal([]);
  });

  it('notices an edit of the same length at once', async () => {
    b.write('a.md', 'alpha');
    expect(await paths('alpha')).to.deep.equal(['a.md']);
    b.write('a.md', 'gamma');
    expect(await paths('gamma')).to.deep.equal(['a.md']);
  });

  it('is not fooled by a folder that moves, a file put back, or an old time put back', async () => {
    b.write('old/a.md', 'alpha');
    b.write('old/sub/b.md', 'beta');
    expect(await paths('alpha')).to.deep.equal(['old/a.md']);
    renameSync(path.join(b.folder, 'old'), path.join(b.folder, 'new'));
    expect(await paths('beta')).to.deep.equal(['new/sub/b.md']);
    b.write('new/a.md', 'gamma');
    utimesSync(path.join(b.folder, 'new/a.md'), 1, 1);
    expect(await paths('gamma')).to.deep.equal(['new/a.md']);
    b.write('new/a.md', 'delta');
    utimesSync(path.join(b.folder, 'new/a.md'), 1, 1);
    expect(await paths('delta')).to.deep.equal(['new/a.md']);
    expect(await paths('gamma')).to.deep.equal([]);
    b.write('empty/note.txt', 'no document');
    b.write('empty/later.md', 'epsilon');
    expect(await paths('epsilon')).to.deep.equal(['empty/later.md']);
    b.remove('empty');
    expect(await paths('epsilon')).to.deep.equal([]);
  });

  it('misses no change, however writing and searching alternate', async () => {
    const store = b.store();
    const found = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        store.exclusive(async () => {
          b.write(`${i}.md`, `needle ${i}`);
          return (await store.search(`needle ${i}`, 50)).some((h) => h.path === `${i}.md`);
        }),
      ),
    );
    expect(found.every(Boolean)).to.equal(true);
    expect(await store.documents()).to.have.length(30);
  });

  it('does not cut a file anew that was only touched', async () => {
    b.write('a.md', 'alpha');
    const store = b.store();
    await store.sync();
    utimesSync(path.join(b.folder, 'a.md'), 1, 1);
    expect(await store.sync()).to.deep.equal({ added: 0, changed: 0, removed: 0, failed: [] });
  });

  it('tells which line and which headings a passage is under', async () => {
    b.write('a.md', '# Top\n\nintro\n\n## Inner\n\nfirst\n\nthe needle is here\n');
    const [hit] = await b.store().search('needle', 1);
    expect(hit).to.deep.include({ path: 'a.md', title: 'Top', headings: ['Top', 'Inner'], line: 5, position: 1 });
  });

  it('finds words in CJK of any length, identifiers, parts of names, and other forms of a word', async () => {
    b.write('zh.md', '集成测试需要本地的数据库，端口为六三九零。');
    b.write('ja.md', 'テストは東京で実行されます。');
    b.write('id.md', 'See POL-358 about cacheEvictionPolicy in snake_case_name and C++.');
    b.write('en.md', 'Running the migrations takes long.');
    expect(await paths('库')).to.deep.equal(['zh.md']);
    expect(await paths('测试')).to.deep.equal(['zh.md']);
    expect(await paths('数据库')).to.deep.equal(['zh.md']);
    expect(await paths('本地的数据库')).to.deep.equal(['zh.md']);
    expect(await paths('東京')).to.deep.equal(['ja.md']);
    expect(await paths('POL-358')).to.deep.equal(['id.md']);
    expect(await paths('eviction')).to.deep.equal(['id.md']);
    expect(await paths('case_na')).to.deep.equal(['id.md']);
    expect(await paths('victionPol')).to.deep.equal(['id.md']);
    expect(await paths('migration run')).to.deep.equal(['en.md']);
  });

  it('puts passages with all words before those with some', async () => {
    b.write('some.md', 'deploy deploy deploy');
    b.write('all.md', 'To deploy, use the blue button on the staging page.');
    expect(await paths('deploy staging')).to.deep.equal(['all.md', 'some.md']);
  });

  it('takes any text as a query', async () => {
    b.write('a.md', "plain words don't matter");
    for (const query of [
      'POL-358',
      "don't",
      'a:b',
      '"open',
      '(x',
      'foo*',
      'NEAR',
      'AND',
      'NOT x',
      '-x',
      '38.101',
      'C++',
      '',
      ' ',
      '😀',
      '{title}: x',
      '\0',
      'x'.repeat(10_000),
    ])
      await b.store().search(query, 5);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (query) => {
        expect(await b.store().search(query, 5)).to.be.an('array');
      }),
      { numRuns: 200 },
    );
  });

  it('reads files in any encoding and with any line ends', async () => {
    b.write('utf16.md', Buffer.from('\ufeffhello wörld', 'utf16le'));
    b.write('bom.md', Buffer.from('\ufeff# Bömerang', 'utf8'));
    b.write('latin.md', Buffer.from('caf\xe9 noir', 'latin1'));
    b.write('mac.md', 'one\rtwo\rneedle\r');
    expect(await paths('wörld')).to.deep.equal(['utf16.md']);
    expect(await paths('bömerang')).to.deep.equal(['bom.md']);
    expect(await paths('café')).to.deep.equal(['latin.md']);
    expect(await paths('needle')).to.deep.equal(['mac.md']);
    expect((await b.store().documents()).find((d) => d.path === 'bom.md')?.title).to.equal('Bömerang');
  });

  it('takes names with spaces, quotes, newlines and emoji, and follows no link', async () => {
    for (const name of ['a b.md', `it's "x".md`, 'new\nline.md', '😀.md']) b.write(name, 'needle');
    b.write('.hidden/x.md', 'needle');
    symlinkSync('/', path.join(b.folder, 'root'));
    symlinkSync(b.folder, path.join(b.folder, 'cycle'));
    symlinkSync('/etc/hostname', path.join(b.folder, 'out.md'));
    expect((await paths('needle', 20)).sort()).to.deep.equal(['a b.md', `it's "x".md`, 'new\nline.md', '😀.md'].sort());
  });

  it('answers the same after everything derived was thrown away', async () => {
    for (let i = 0; i < 60; i++)
      b.write(`${i}.md`, `# Doc ${i}\n\ncommon word number ${i % 7} and ${'text '.repeat(i)}`);
    const store = b.store();
    const before = await store.search('common number 3', 10);
    const seen: number[] = [];
    const report = await store.rebuild((done) => void seen.push(done));
    expect(report).to.include({ added: 0, changed: 60, removed: 0 });
    expect(seen).to.deep.equal([20, 40, 60]);
    expect(await store.search('common number 3', 10)).to.deep.equal(before);
  });

  it('answers the same after its tables were dropped or emptied under it, and in a daemon started after that', async () => {
    for (let i = 0; i < 30; i++) b.write(`${i}.md`, `# Doc ${i}\n\nneedle ${'text '.repeat(i)}`);
    const store = b.store();
    const before = await store.search('needle', 10);
    const { db } = b.k.services;
    const tables = db
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'retrieval!_%' ESCAPE '!' AND name NOT LIKE '%!_%!_%' ESCAPE '!'",
      )
      .pluck()
      .all() as string[];
    expect(tables).to.include.members(['retrieval_documents', 'retrieval_words']);
    db.pragma('foreign_keys = OFF');
    for (const t of tables) db.exec(`DROP TABLE IF EXISTS ${t}`);
    expect(await store.search('needle', 10)).to.deep.equal(before);
    for (const t of tables) db.exec(`DELETE FROM ${t}`);
    expect(await store.search('needle', 10)).to.deep.equal(before);
    db.exec('DROP TABLE retrieval_words');
    const { home } = b.k;
    await b.k.stop({ keep: true });
    const again = await openBench({ home });
    expect(await again.store({ folder: b.folder }).search('needle', 10)).to.deep.equal(before);
    await again.stop();
  });

  it('cuts anew when it is to be cut otherwise', async () => {
    b.write('a.md', 'one sentence. '.repeat(100));
    expect(await b.store({ chunks: { size: 200, overlap: 20 } }).search('sentence', 20)).to.have.length.above(6);
    expect(await b.store({ chunks: { size: 2000, overlap: 20 } }).search('sentence', 20)).to.have.length(1);
  });

  it('keeps stores apart, and fuses them when asked', async () => {
    b.write('one/a.md', 'needle one');
    b.write('two/b.md', 'needle two');
    const [one, two] = ['one', 'two'].map((n) =>
      b.retrieval.store({ id: `test/${n}`, folder: path.join(b.folder, n) }),
    );
    if (one === undefined || two === undefined) throw new Error('unreachable');
    expect((await one.search('needle', 5)).map((h) => h.store)).to.deep.equal(['test/one']);
    const both = await b.retrieval.search([one, two], 'needle', 5);
    expect(both.map((h) => h.path)).to.deep.equal(['a.md', 'b.md']);
    b.retrieval.forget('test/two');
    expect((await one.search('needle', 5)).map((h) => h.path)).to.deep.equal(['a.md']);
  });
});
