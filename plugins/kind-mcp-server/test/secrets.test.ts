import { expect } from 'chai';
import type { CofferError, Obj, ResourceDraft } from '@coffer/kernel';
import { parseConfig } from '../src/parse-config.js';
import { refuseSecrets } from '../src/secrets.js';

/** The place that is refused, or undefined; fails when the message repeats the secret. */
function refused(transport: Obj, secret: string): string | undefined {
  try {
    refuseSecrets({ kind: 'mcp_server', name: 's', config: { transport } } as unknown as ResourceDraft); // the rest is not read
    return undefined;
  } catch (e) {
    const { code, message, details } = e as CofferError;
    expect(code).to.equal('CONFIG_INVALID');
    expect(message).to.include('credential').and.not.include(secret);
    return String(details?.path);
  }
}
const TOKENS = {
  'a GitHub token of a server': 'ghs_abcdefghijklmnop0123',
  'a GitHub refresh token': 'ghr_abcdefghijklmnop0123',
  'a GitLab token': 'glpat-abcdef0123456789',
  'an AWS key': 'AKIAABCDEFGHIJKLMNOP',
  'a Slack token': 'xoxb-1234567890-abc',
  'an API key with sk-': 'sk-proj-abc123def456',
  'a JWT': 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.x',
  'a bearer header in small letters': 'bearer abc123def456',
  'a password in an address': 'postgres://me:pa55@db/x',
};

describe('secrets in a config', () => {
  for (const [what, token] of Object.entries(TOKENS))
    it(`are refused wherever ${what} stands, and named by place only`, () => {
      for (const value of [token, `x=${token}`, `say "${token}" twice`]) {
        expect(refused({ type: 'stdio', command: 'c', env: { PLAIN: value } }, token)).to.equal('transport.env.PLAIN');
        expect(refused({ type: 'stdio', command: 'c', args: ['-y', value] }, token)).to.equal('transport.args.1');
      }
      const url = `https://e.test/mcp?x=${encodeURIComponent(token)}`;
      expect(refused({ type: 'http', url }, token)).to.equal('transport.url');
    });

  it('are refused under a name that says so', () => {
    for (const key of ['DB_PASSWORD', 'TOKEN', 'OPENAI_API_KEY', 'CLIENT_SECRET'])
      expect(refused({ type: 'stdio', command: 'c', env: { [key]: 'correct horse' } }, 'horse'), key).to.equal(
        `transport.env.${key}`,
      );
    for (const key of ['X-Api-Key', 'Authorization'])
      expect(refused({ type: 'http', url: 'https://e.test', headers: { [key]: 'correct horse' } }, 'horse')).to.equal(
        `transport.headers.${key}`,
      );
    for (const args of [['--token=correcthorse'], ['--api-key', 'correcthorse'], ['-e', 'API_KEY=correcthorse']])
      expect(refused({ type: 'stdio', command: 'c', args }, 'correcthorse'), args.join()).to.equal(
        `transport.args.${args.length - 1}`,
      );
    expect(refused({ type: 'http', url: 'https://e.test/mcp?api_key=correcthorse' }, 'correcthorse')).to.equal(
      'transport.url',
    );
  });

  it('are not seen in what is none', () => {
    const env = {
      TOKEN: '${MY_TOKEN}',
      API_KEY: 'none',
      TOKEN_FILE: 'somewhere-else',
      MAX_TOKENS: '100000000',
      TOKENIZERS_PARALLELISM: 'perhaps-so',
      SECRET_STORE: '/home/me/secrets',
      NOTE: 'the bearer of good news',
    };
    const args = [
      '-y',
      'sk-learn-mcp@1.0',
      'task-manager-123456',
      '--tokenizer',
      'cl100k_base',
      'https://e.test/sk-SK/x',
    ];
    expect(refused({ type: 'stdio', command: 'npx', args, env }, '-')).to.equal(undefined);
    expect(refused({ type: 'http', url: 'https://e.test/mcp?team=one&page=12345678' }, '-')).to.equal(undefined);
  });

  it('keep an entry of another client out of the import, with the place and the way out', () => {
    const token = 'ghp_abcdefghijklmnop0123';
    const input = {
      mcpServers: {
        typed: { command: 'c', args: ['--token', token] },
        asked: { url: `https://e.test/mcp?access_token=${token}` },
        named: { command: 'c', args: ['${INNOCENT}'], env: {} },
        fine: { command: 'c', env: { PLAIN: '${INNOCENT}' } },
      },
    };
    const { servers, problems } = parseConfig(input, { INNOCENT: token });
    expect(servers.map((s) => s.name)).to.deep.equal(['fine']);
    expect(servers[0]?.secrets).to.deep.equal([
      { key: 'PLAIN', where: 'env', ref: 'mcp/fine/PLAIN', variable: 'INNOCENT' },
    ]);
    expect(problems.join('\n'))
      .to.match(/^typed: transport\.args\[1\] .*--credential/m)
      .and.match(/^asked: transport\.url .*--credential/m)
      .and.match(/^named: transport\.args\[0\]/m)
      .and.not.include(token);
  });
});
