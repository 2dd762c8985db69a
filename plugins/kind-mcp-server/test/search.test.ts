import { expect } from 'chai';
import type { ListedTool } from '@coffer/kernel';
import { searchTool } from '../src/search-tool.js';
import { searchTools, tokenize } from '../src/search.js';
import { client } from './support.js';

const tool = (server: string, name: string, description?: string): ListedTool => ({
  name: `${server}__${name}`,
  server,
  tool: {
    name: `${server}__${name}`,
    inputSchema: { type: 'object' },
    ...(description !== undefined && { description }),
  },
});

describe('words of a text', () => {
  for (const [text, tokens] of [
    ['createIssue', ['create', 'issue']],
    ['HTTPServerURL', ['http', 'server', 'url']],
    ['read_text-file.v2/now', ['read', 'text', 'file', 'v2', 'now']],
    ['Grüße, Welt!', ['grüße', 'welt']],
    ['файл прочитать', ['файл', 'прочитать']],
    ['搜索文件', ['搜索', '索文', '文件']],
    ['读', ['读']],
    ['PDF文件', ['pdf', '文件']],
    ['  ...  ', []],
  ] as const)
    it(`of ${JSON.stringify(text)} are ${tokens.join(' ') || 'none'}`, () =>
      expect(tokenize(text)).to.deep.equal(tokens));
});

describe('searching tools', () => {
  const catalogue = [
    tool('files', 'read_file', 'Read the contents of a file'),
    tool('files', 'write_file', 'Write a file'),
    tool('github', 'github_create_issue', 'Create an issue'),
    tool('github', 'list_issues', 'List issues of a repository'),
    tool('weather', 'forecast', 'How warm it will be'),
    tool('zh', 'search', '搜索文件的内容'),
  ];

  it('finds by name before description and drops what does not match', () => {
    const hits = searchTools(catalogue, 'create an issue', 5);
    expect(hits[0]).to.deep.include({
      name: 'github__github_create_issue',
      description: 'Create an issue',
      inputSchema: { type: 'object' },
    });
    expect(hits.map((h) => h.name)).to.not.include('weather__forecast');
    expect(searchTools(catalogue, 'nothing-like-that', 5)).to.deep.equal([]);
  });

  it('scores as BM25 does, by hand', () => {
    // Two documents: lengths 3*2+1 = 7 and 3*2 = 6, so on average 6.5; `one` is in one of two.
    const two = [tool('a', 'one', 'x'), tool('b', 'two')];
    const idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5));
    const expected = (idf * 3 * 2.5) / (3 + 1.5 * (0.25 + (0.75 * 7) / 6.5));
    expect(searchTools(two, 'one one', 5)).to.have.nested.property('[0].score', Math.round(expected * 1e4) / 1e4);
  });

  it('counts the name of the server once, however often a tool repeats it', () => {
    const doubled = [tool('github', 'github_search'), tool('other', 'x')];
    const single = [tool('github', 'search'), tool('other', 'x')];
    expect(searchTools(doubled, 'github search', 1)[0]?.score).to.equal(
      searchTools(single, 'github search', 1)[0]?.score,
    );
  });

  it('keeps the order of the catalogue among equals', () => {
    const same = ['c', 'a', 'b'].map((s) => tool(s, 'ping', 'Ping'));
    expect(searchTools(same, 'ping', 5).map((h) => h.name)).to.deep.equal(['c__ping', 'a__ping', 'b__ping']);
  });

  it('finds words of scripts without spaces', () => {
    expect(searchTools(catalogue, '文件', 5).map((h) => h.name)).to.deep.equal(['zh__search']);
  });

  describe('as a tool', () => {
    const many = Array.from({ length: 30 }, (_, i) => tool(`s${i}`, 'ping'));
    const search = (args: object, tools = catalogue): Promise<unknown> => {
      const { call } = searchTool({ tools: async () => tools });
      return Promise.resolve(
        call(args, {
          session: undefined as never,
          exchange: client(),
          signal: new AbortController().signal,
        }),
      ); // the session is not looked at
    };
    const refused = async (args: object): Promise<string> =>
      search(args).then(
        () => 'taken',
        (e: Error) => e.message,
      );

    it('tells how many it searched', async () =>
      expect(await search({ query: 'file' })).to.have.property('total_searched', 6));
    it('clamps top_k', async () => {
      expect(await search({ query: 'file issue', top_k: 1 }))
        .to.have.property('tools')
        .with.length(1);
      expect(await search({ query: 'ping' }, many))
        .to.have.property('tools')
        .with.length(5);
      expect(await search({ query: 'file issue', top_k: 0 }))
        .to.have.property('tools')
        .with.length(1);
      expect(await search({ query: 'ping', top_k: 99 }, many))
        .to.have.property('tools')
        .with.length(20);
    });
    it('refuses a blank query and a top_k that is no whole number', async () => {
      expect(await refused({ query: '  ' })).to.contain('query');
      expect(await refused({})).to.contain('query');
      expect(await refused({ query: 'x', top_k: 1.5 })).to.contain('top_k');
      expect(await refused({ query: 'x', top_k: '3' })).to.contain('top_k');
    });
    it('takes a very long query', async () =>
      expect(await search({ query: `${'x '.repeat(5000)}file` }))
        .to.have.property('tools')
        .with.length(0));
  });
});
