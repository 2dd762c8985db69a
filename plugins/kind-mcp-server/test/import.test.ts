import { expect } from 'chai';
import { parseConfig } from '../src/parse-config.js';

const VARIABLES = { HOME: '/home/me', USER: 'me', EMPTY: '' };
const one = (input: unknown) => {
  const { servers, problems } = parseConfig(input, VARIABLES);
  if (servers[0] === undefined) throw new Error(problems.join());
  return servers[0];
};

describe('reading the configuration of another client', () => {
  it('takes a pasted mcpServers object, with comments and trailing commas', () => {
    const text = `// my servers
      { "mcpServers": { "files": { "command": "npx", "args": ["-y", "server-filesystem", "~/docs",], /* plain */ "env": { "LOG": "1" } } } }`;
    expect(one(text)).to.deep.equal({
      name: 'files',
      config: {
        transport: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', 'server-filesystem', '/home/me/docs'],
          env: { LOG: '1' },
          credential_refs: {},
        },
      },
      secrets: [],
      notes: [],
      disabled: false,
    });
  });

  it('lifts secrets out and never shows their values', () => {
    const secret = 'ghp_abcdefghijklmnop';
    const result = one({
      mcpServers: { gh: { command: 'x', env: { GITHUB_TOKEN: secret, PLAIN: 'sk-live-1', DEBUG: '1' } } },
    });
    expect(result.config)
      .to.have.nested.property('transport.credential_refs')
      .deep.equal({ GITHUB_TOKEN: 'mcp/gh/GITHUB_TOKEN', PLAIN: 'mcp/gh/PLAIN' });
    expect(result.secrets).to.deep.equal([
      { key: 'GITHUB_TOKEN', where: 'env', ref: 'mcp/gh/GITHUB_TOKEN' },
      { key: 'PLAIN', where: 'env', ref: 'mcp/gh/PLAIN' },
    ]);
    expect(JSON.stringify(result)).to.not.contain(secret).and.not.contain('sk-live-1');
  });

  it('takes addresses under every name, with secret headers', () => {
    for (const key of ['url', 'serverUrl', 'httpUrl'])
      expect(
        one({
          mcpServers: {
            a: { type: 'sse', [key]: 'https://e.test/mcp', headers: { Authorization: 'Bearer abc', 'X-Team': 't' } },
          },
        }).config.transport,
      ).to.deep.equal({
        type: 'http',
        url: 'https://e.test/mcp',
        headers: { 'X-Team': 't' },
        credential_refs: { Authorization: 'mcp/a/Authorization' },
      });
  });

  it('takes the servers of VS Code, whose inputs become credentials', () => {
    const result = one({
      inputs: [{ id: 'key', type: 'promptString', password: true }],
      servers: { pg: { type: 'stdio', command: 'pg', env: { CONN: '${input:key}' } } },
    });
    expect(result.secrets).to.deep.equal([{ key: 'CONN', where: 'env', ref: 'mcp/pg/CONN', variable: 'key' }]);
  });

  it('takes the TOML of Codex', () => {
    const text = `model = "x"
[mcp_servers.docs]
command = "docs"
args = ["a b"]
startup_timeout_sec = 60
tool_timeout_sec = 9999
env_vars = ["USER"]
[mcp_servers.docs.env]
A = "1"
[mcp_servers.web]
url = "https://e.test"
bearer_token_env_var = "WEB_TOKEN"
enabled = false
`;
    const { servers, problems } = parseConfig(text, VARIABLES);
    expect(problems).to.deep.equal([]);
    expect(servers[0]?.config).to.deep.equal({
      transport: { type: 'stdio', command: 'docs', args: ['a b'], env: { USER: 'me', A: '1' }, credential_refs: {} },
      spawn_timeout_seconds: 60,
      request_timeout_seconds: 1800,
    });
    expect(servers[1]).to.deep.include({
      disabled: true,
      secrets: [{ key: 'Authorization', where: 'headers', ref: 'mcp/web/Authorization', variable: 'WEB_TOKEN' }],
    });
  });

  it('replaces variables by rule and reports what is not set', () => {
    const result = one({
      mcpServers: {
        v: {
          command: '${HOME}/run',
          args: ['${env:USER}', '${NOPE:-x}', '${EMPTY:-y}', '${MISSING}', '$HOME'],
          cwd: '~/w',
        },
      },
    });
    expect(result.config.transport).to.deep.include({
      command: '/home/me/run',
      args: ['me', 'x', 'y', '${MISSING}', '$HOME'],
      cwd: '/home/me/w',
    });
    expect(result.notes).to.deep.equal(['args[3] names MISSING, which is not set']);
  });

  it('gives names that fit, and says so', () => {
    const result = one({ mcpServers: { 'my server__x_': { command: 'x' } } });
    expect(result.name).to.equal('my-server_x');
    expect(result.notes[0]).to.contain('my-server_x');
  });

  for (const [what, input, problem] of [
    ['broken JSON', '{\n "mcpServers": {,}', 'The JSON is broken in line 2, column 17: a name or a value is missing'],
    ['a comma that is missing', '{"a": {} "b": 1}', 'line 1, column 10: a comma is missing'],
    ['a text that was cut', '\uFEFF{"a": "x', 'line 1, column 7: a quotation mark is missing'],
    ['TOML that is none', '[a]\nb = ', 'as TOML it is broken in line 2, column '],
    ['neither JSON nor TOML', 'hello world', 'neither JSON nor TOML'],
    ['another shape', { foo: 1 }, 'No MCP servers found'],
    ['nothing', undefined, 'Give the configuration'],
    ['an entry without command and url', { mcpServers: { a: { args: [] } } }, 'a: has neither a command nor a url'],
    ['WebSocket', { mcpServers: { a: { url: 'wss://x' } } }, 'a: uses WebSocket'],
    ['Coffer itself', { mcpServers: { c: { command: 'coffer-mcp-shim' } } }, 'c: is Coffer itself'],
    [
      'two names that become one',
      { mcpServers: { 'a b': { command: 'x' }, 'a-b': { command: 'y' } } },
      'a-b: another entry is already called a-b',
    ],
  ] as const)
    it(`says what is wrong with ${what}`, () =>
      expect(parseConfig(input, VARIABLES).problems.join()).to.contain(problem));
});
