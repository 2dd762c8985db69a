import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { startDaemon, type RealDaemon } from '@coffer/testing';

describe('a knowledge base from the command line', function () {
  this.timeout(60_000);
  let d: RealDaemon;
  let folder: string;
  before(async () => {
    d = await startDaemon();
    folder = mkdtempSync(path.join(os.tmpdir(), 'coffer-docs-'));
    mkdirSync(path.join(folder, 'sub'));
    mkdirSync(path.join(folder, '.git'));
    writeFileSync(path.join(folder, 'readme.md'), '# Guide\n\nThe needle is here.\n');
    writeFileSync(path.join(folder, 'sub', 'readme.md'), '# Other guide\n\nAnother one.\n');
    writeFileSync(path.join(folder, 'sub', 'page.html'), '<h1>Page</h1><p>Some words of a page.</p>');
    writeFileSync(path.join(folder, 'binary.exe'), 'x');
    writeFileSync(path.join(folder, '.git', 'config.md'), 'hidden');
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await d.stop();
  });
  const kb = (...args: string[]): ReturnType<RealDaemon['cli']> => d.cli(['kb', ...args]);

  it('takes a folder in, goes on where it was, and is found in by people and agents', async () => {
    expect((await kb('create', 'docs', '--description', 'Guides')).code).to.equal(0);
    const first = await kb('ingest', 'docs', folder);
    expect(first.stdout, first.stderr).to.contain('3 new, 0 replaced, 0 unchanged, 0 failed');
    expect(first.stdout).to.contain('not taken in: binary.exe');
    writeFileSync(path.join(folder, 'bad.pdf'), 'no PDF');
    const second = await kb('ingest', 'docs', folder);
    expect(second.code).to.equal(6);
    expect(second.stdout).to.contain('0 new, 0 replaced, 3 unchanged, 1 failed').and.contain('bad.pdf');
    const found = await kb('search', 'docs', 'needle');
    expect(found.stdout).to.contain('The needle is here.');
    const list = JSON.parse((await kb('docs', 'docs', '--json')).stdout) as {
      documents: { document_id: string; source_filename: string }[];
    };
    expect(list.documents.map((x) => x.source_filename).sort()).to.deep.equal([
      'readme.md',
      'sub - page.html',
      'sub - readme.md',
    ]);
    const page = list.documents.find((x) => x.source_filename.endsWith('.html'))?.document_id ?? '';
    expect((await kb('read', 'docs', page)).stdout).to.contain('# Page');
    expect((await d.cli(['kb', 'edit', 'docs', page], { input: 'Edited words' })).code).to.equal(0);
    expect((await kb('reconvert', 'docs', page)).code).to.equal(5);
    expect((await kb('grep', 'docs', 'Edited')).stdout).to.contain(`${page}.md`);
    expect((await kb('reindex', 'docs')).stdout).to.contain('3 indexed');
    expect((await kb('delete', 'docs', page, '--force')).code).to.equal(0);
    expect((await kb('list')).stdout).to.contain('Guides');
    const client = await d.shim();
    const result = await client.callTool({ name: 'coffer__search_knowledge', arguments: { query: 'needle' } });
    expect(JSON.stringify(result.structuredContent)).to.contain('The needle is here.');
    expect((await kb('ingest', 'docs', path.join(folder, 'nothing.md'))).code).to.equal(6);
    expect((await kb('docs', 'none')).code).to.equal(4);
  });
});
