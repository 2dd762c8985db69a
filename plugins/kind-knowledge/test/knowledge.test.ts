import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { createTestKernel, type TestKernel } from '@coffer/kernel/testing';
import retrieval from '../../retrieval/src/plugin.js';
import plugin from '../src/plugin.js';
import { docx } from './files.js';

describe('a knowledge base', function () {
  this.timeout(30_000);
  let k: TestKernel;
  let folder: string;
  beforeEach(async () => {
    k = await createTestKernel({ plugins: [retrieval, plugin] });
    folder = path.join(k.home, 'knowledge', 'specs');
    const made = await k.rest('POST', '/resources', {
      kind: 'knowledge_base',
      name: 'specs',
      description: 'Specifications',
      config: {},
    });
    expect(made.status).to.equal(201);
  });
  afterEach(() => k.stop());
  const rest = (method: string, at: string, body?: object): ReturnType<TestKernel['rest']> =>
    k.rest(method, `/resources/knowledge_base/specs${at}`, body);
  const add = (filename: string, content: string | Buffer, replace = false): ReturnType<TestKernel['rest']> =>
    rest('POST', '/documents', {
      filename,
      content_base64: Buffer.from(content as string).toString('base64'),
      replace,
    });
  // any: tests look into results of every shape
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const tool = async (name: string, args: object = {}): Promise<any> => {
    const o = await k.services.gateway.call(
      'tools/call',
      { name: `coffer__${name}`, arguments: args },
      { agent: 'tester' },
    );
    if (o.kind !== 'result') return { error: JSON.stringify(o) };
    const { structuredContent, content, isError } = o.result.value;
    return isError === true ? { error: content[0].text } : structuredContent;
  };

  it('is empty and answers so', async () => {
    expect(await tool('list_knowledge_bases')).to.deep.equal({
      knowledge_bases: [{ name: 'specs', description: 'Specifications', document_count: 0, disk_bytes: 0 }],
    });
    expect(await tool('search_knowledge', { query: 'x' })).to.deep.equal({ passages: [] });
    expect(await tool('grep_knowledge', { kb: 'specs', pattern: 'x' })).to.deep.equal({ hits: [], truncated: false });
    expect((await tool('read_document', { kb: 'specs', document_id: 'x' })).error).to.match(/^DOCUMENT_NOT_FOUND/);
    expect((await tool('search_knowledge', { kb: 'other', query: 'x' })).error).to.match(/^RESOURCE_NOT_FOUND/);
  });

  it('keeps the original and the Markdown, and finds passages in it', async () => {
    const original = docx(['# Eviction', 'Entries older than the window leave first. 集成测试。']);
    const { body, status } = await add('eviction.docx', original);
    expect(status).to.equal(201);
    expect(body).to.include({ status: 'created', title: 'eviction', source_format: 'docx', source_mode: 'converted' });
    const id = body.document_id as string;
    expect(readFileSync(path.join(folder, 'raw', `${id}.docx`)).equals(original)).to.equal(true);
    expect(readFileSync(path.join(folder, 'docs', `${id}.md`), 'utf8')).to.match(
      /^---\ntitle: eviction\n[\s\S]*# Eviction\n\nEntries/,
    );
    for (const query of ['older window', '测试', 'evict'])
      expect((await tool('search_knowledge', { query })).passages[0], query).to.include({
        kb: 'specs',
        document_id: id,
      });
    expect((await tool('grep_knowledge', { kb: 'specs', pattern: 'leave\\s+first' })).hits[0]).to.include({
      path: `${id}.md`,
    });
    expect((await tool('read_document', { kb: 'specs', document_id: id })).markdown).to.contain('# Eviction');
  });

  it('passes the same bytes over, and takes new ones only when told', async () => {
    const first = (await add('a.md', '# One')).body;
    expect((await add('a.md', '# One')).body).to.include({ status: 'unchanged', document_id: first.document_id });
    const refused = await add('a.md', '# Two');
    expect(refused.body.error).to.deep.include({ code: 'DOCUMENT_EXISTS' });
    expect(refused.body.error.details).to.deep.equal({ document_id: first.document_id });
    expect((await add('a.md', '# Two', true)).body).to.include({ status: 'replaced', document_id: first.document_id });
    expect((await rest('GET', '/documents')).body.total).to.equal(1);
    expect((await tool('search_knowledge', { query: 'one' })).passages).to.deep.equal([]);
  });

  it('protects what was edited, here or by hand, from being converted over', async () => {
    const id = (await add('a.txt', 'first')).body.document_id as string;
    expect((await rest('POST', `/documents/${id}/reconvert`)).status).to.equal(200);
    await rest('PUT', `/documents/${id}`, { markdown: 'corrected' });
    expect((await rest('GET', `/documents/${id}`)).body).to.include({ markdown: 'corrected', source_mode: 'edited' });
    expect((await rest('POST', `/documents/${id}/reconvert`)).body.error.code).to.equal('RECONVERSION_BLOCKED');
    const other = (await add('b.txt', 'second')).body;
    writeFileSync(other.path, readFileSync(other.path, 'utf8').replace('second', 'by hand'));
    expect((await tool('search_knowledge', { query: 'hand' })).passages).to.have.length(1);
    expect((await rest('POST', `/documents/${other.document_id}/reconvert`)).body.error.code).to.equal(
      'RECONVERSION_BLOCKED',
    );
  });

  it('takes a file that somebody put into its folder', async () => {
    await add('a.md', 'x');
    writeFileSync(path.join(folder, 'docs', 'by-hand.md'), '# Put here\n\nneedle\n');
    const { passages } = await tool('search_knowledge', { query: 'needle' });
    expect(passages[0]).to.include({ document_id: 'by-hand', title: 'Put here' });
    expect((await rest('POST', '/documents/by-hand/reconvert')).body.error.code).to.equal('RECONVERSION_BLOCKED');
  });

  it('refuses what it cannot take, by name, and keeps nothing of it', async () => {
    for (const [filename, content, reason] of [
      ['a.exe', 'x', 'unsupported_type'],
      ['a.md', ' ', 'empty'],
      ['a.docx', 'x', 'damaged'],
    ] as const) {
      const { body, status } = await add(filename, content);
      expect([status, body.error.code, body.error.details.reason]).to.deep.equal([422, 'INGEST_REJECTED', reason]);
    }
    await k.rest('PATCH', '/resources/knowledge_base/specs', { config: { max_document_bytes: 1024 } });
    expect((await add('big.md', 'x'.repeat(2000))).body.error.details.reason).to.equal('too_large');
    expect((await rest('POST', '/documents', { filename: 'a.md' })).body.error.code).to.equal('BAD_REQUEST');
    expect(existsSync(folder) ? readdirSync(path.join(folder, 'docs')) : []).to.deep.equal([]);
    for (const id of ['..', '../x', 'a/b', '.x', '']) {
      const at = `/documents/${encodeURIComponent(id)}`;
      expect((await rest('PUT', at, { markdown: 'x' })).status, id).to.be.oneOf([404, 405]);
    }
  });

  it('never writes outside of its folder, whatever a file is called', async () => {
    for (const name of [
      '../../evil-1.md',
      '/etc/evil-2.md',
      '..\\evil-3.md',
      'new\nline.md',
      '😀.md',
      `${'x'.repeat(300)}.md`,
    ]) {
      const { body } = await add(name, `text of ${name.length}`);
      expect(path.dirname(body.path), name).to.equal(path.join(folder, 'docs'));
    }
    expect(readdirSync(path.join(folder, 'docs'))).to.have.length(6);
  });

  it('is written by agents, and each write is audited without content', async () => {
    const made = await tool('add_document', { kb: 'specs', filename: 'n.md', content: 'Sauce alpha' });
    expect(made).to.include({ status: 'created', source_mode: 'converted' });
    const id = made.document_id as string;
    expect(await tool('edit_document', { kb: 'specs', document_id: id, content: 'Sauce beta' })).to.include({
      source_mode: 'edited',
    });
    expect(await tool('delete_document', { kb: 'specs', document_id: id })).to.deep.equal({
      deleted: true,
      document_id: id,
    });
    expect(readdirSync(path.join(folder, 'raw'))).to.deep.equal([]);
    const { body } = await k.rest('GET', '/audit?limit=20');
    expect(body.entries.map((e: { event_type: string }) => e.event_type)).to.include.members([
      'kb_document_ingested',
      'kb_document_updated',
      'kb_document_deleted',
    ]);
    expect(JSON.stringify(body)).to.not.contain('auce');
  });

  it('is cut anew when its passages are to be shorter', async () => {
    await add('a.md', 'one sentence here. '.repeat(100));
    const count = async (): Promise<number> =>
      (await rest('POST', '/search', { query: 'sentence', top_k: 50 })).body.passages.length;
    const before = await count();
    await k.rest('PATCH', '/resources/knowledge_base/specs', { config: { chunk_size: 200, chunk_overlap: 20 } });
    expect(await count()).to.be.above(before * 2);
  });

  it('goes with its files, and is silent while it is disabled', async () => {
    await add('a.md', 'needle');
    await k.rest('POST', '/resources/knowledge_base/specs/disable');
    expect((await tool('search_knowledge', { query: 'needle' })).passages).to.deep.equal([]);
    await k.rest('POST', '/resources/knowledge_base/specs/enable');
    expect((await tool('search_knowledge', { query: 'needle' })).passages).to.have.length(1);
    await k.rest('DELETE', '/resources/knowledge_base/specs');
    expect(existsSync(folder)).to.equal(false);
    expect((await tool('search_knowledge', { query: 'needle' })).passages).to.deep.equal([]);
  });
});
