/** The real Claude Code and Codex in a folder of their own, wired by the real daemon, against stand-ins of their model services. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { realAgents, startAnthropic, startDaemon, startOpenAi, type RealDaemon, type Service } from '@coffer/testing';
import { expect } from 'chai';

const KEY = 'sk-test-a1b2c3d4e5f6';

/** Passes everything on and keeps what the stand-in does not: the headers. */
interface Ear {
  url: string;
  heard: { path: string; headers: http.IncomingHttpHeaders }[];
  close(): void;
}
async function listen(service: Service): Promise<Ear> {
  const heard: Ear['heard'] = [];
  const server = http.createServer((req, res) => {
    heard.push({ path: req.url ?? '', headers: req.headers });
    const on = http.request(`${service.url}${req.url}`, { method: req.method, headers: req.headers }, (back) => {
      res.writeHead(back.statusCode ?? 500, back.headers);
      back.pipe(res);
    });
    on.on('error', () => res.destroy());
    req.pipe(on);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, heard, close: () => (server.closeAllConnections(), server.close()) };
}

describe('the real agents, wired', function () {
  this.timeout(240_000);
  let home: string;
  let daemon: RealDaemon;
  let anthropic: Service;
  let openai: Service;
  let ears: Ear[];

  before(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'coffer-agents-'));
    mkdirSync(path.join(home, 'bin'));
    mkdirSync(path.join(home, 'work'));
    realAgents(path.join(home, 'bin'));
    const PATH = `${path.join(home, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`;
    daemon = await startDaemon({ env: { HOME: home, PATH } });
    anthropic = await startAnthropic();
    openai = await startOpenAi();
    ears = [await listen(anthropic), await listen(openai)];
  });
  after(async () => {
    for (const ear of ears ?? []) ear.close();
    await anthropic?.close();
    await openai?.close();
    await daemon?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  // any: answers of every shape
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const ok = async (method: string, at: string, body?: unknown): Promise<any> => {
    const answer = await daemon.rest(method, at, body);
    if (answer.status >= 400) throw new Error(`${method} ${at}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const run = (program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = execFile(
        path.join(home, 'bin', program),
        args,
        {
          cwd: path.join(home, 'work'),
          timeout: 60_000,
          env: {
            PATH: process.env['PATH'],
            HOME: home,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
            CLAUDE_CODE_MAX_RETRIES: '0',
            ...env,
          },
        },
        (e, stdout, stderr) => (e === null ? resolve(stdout) : reject(new Error(`${e.message}\n${stdout}\n${stderr}`))),
      );
      child.stdin?.end();
    });
  const file = (...parts: string[]): string => readFileSync(path.join(home, ...parts), 'utf8');
  const calls = async (agent: string): Promise<string[]> =>
    ((await ok('GET', '/invocations?limit=100')).invocations as { agent: string; capability_key: string }[])
      .filter((i) => i.agent === agent)
      .map((i) => i.capability_key);

  const agents = [
    {
      name: 'claude-code',
      type: 'claude_code',
      program: 'claude',
      dir: '.claude',
      variable: 'CLAUDE_CONFIG_DIR',
      env: {},
    },
    { name: 'codex', type: 'codex', program: 'codex', dir: '.codex', variable: 'CODEX_HOME', env: {} },
  ] as const;

  for (const { name, type, program, dir, variable } of agents) {
    it(`${program} mcp list shows Coffer after it is installed, and not before or after that, in either folder`, async () => {
      mkdirSync(path.join(home, dir));
      mkdirSync(path.join(home, 'own', dir), { recursive: true });
      await ok('POST', '/agents', { type });
      await ok('POST', '/agents', { type, name: `${name}-own`, config_dir: path.join(home, 'own', dir) });
      expect((await ok('GET', `/agents/${name}`)).version).to.match(/^\d+\.\d+/);
      const own = { [variable]: path.join(home, 'own', dir) };
      const shows = async (env = {}): Promise<boolean> => /coffer/.test(await run(program, ['mcp', 'list'], env));
      expect([await shows(), await shows(own)]).to.deep.equal([false, false]);
      await ok('POST', `/agents/${name}/mcp-install`);
      expect([await shows(), await shows(own)]).to.deep.equal([true, false]);
      await ok('POST', `/agents/${name}-own/mcp-install`);
      const list = await run(program, ['mcp', 'list'], own);
      expect(list).to.match(program === 'claude' ? /coffer: .*Connected/ : /coffer .*enabled/);
      await ok('DELETE', `/agents/${name}-own`);
      expect([await shows(), await shows(own)]).to.deep.equal([true, false]);
    });
  }

  it('Claude Code calls a tool through the shim, on the model, address and key that it was switched to, told its rules', async () => {
    await ok('PUT', '/memory_stores/global/rules', { text: 'Answer in rhymes.' });
    await ok('POST', '/agents/claude-code/hook-install');
    await ok('POST', '/llm-connections', {
      name: 'house',
      protocol: 'anthropic',
      base_url: ears[0]?.url,
      secret_value: KEY,
    });
    await ok('PUT', '/llm-agents/claude-code', { connection: 'house', model: 'big-one', fast_model: 'small-one' });
    const said = await run('claude', [
      '-p',
      'TOOL mcp__coffer__coffer__list_memory {}',
      '--allowedTools',
      'mcp__coffer',
    ]);
    expect(said).to.contain('The tool said:');
    expect(await calls('claude-code')).to.include('list_memory');
    const request = anthropic.requests.find((r) => r.path === '/v1/messages');
    expect(request?.body.model).to.equal('big-one');
    expect(JSON.stringify(request?.body.messages)).to.contain('Answer in rhymes.');
    const heard = ears[0]?.heard.find((h) => h.path.startsWith('/v1/messages'));
    expect([heard?.headers['x-api-key'], heard?.headers.authorization]).to.include.members([KEY]);
    expect(file('.claude', 'settings.json') + file('.claude.json')).not.to.contain(KEY);
  });

  it('Codex does, its key from a command and its hook once it is trusted', async () => {
    await ok('POST', '/agents/codex/hook-install');
    await ok('POST', '/llm-connections', {
      name: 'lab',
      protocol: 'openai',
      base_url: `${ears[1]?.url}/v1`,
      secret_value: KEY,
    });
    await ok('PUT', '/llm-agents/codex', { connection: 'lab', model: 'big-one' });
    const exec = (...more: string[]): Promise<string> =>
      run('codex', [
        'exec',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        ...more,
        'TOOL mcp__coffer/coffer__list_memory {}',
      ]);
    expect(await exec()).to.contain('The tool said:');
    expect(await calls('codex')).to.include('list_memory');
    const request = openai.requests.find((r) => r.path === '/v1/responses');
    expect(request?.body.model).to.equal('big-one');
    // Without their trust it does not run what somebody has put there: that is told beside the switch.
    expect(JSON.stringify(request?.body)).not.to.contain('Answer in rhymes.');
    const heard = ears[1]?.heard.find((h) => h.path.startsWith('/v1/responses'));
    expect(heard?.headers.authorization).to.equal(`Bearer ${KEY}`);
    openai.requests.length = 0;
    await exec('--dangerously-bypass-hook-trust');
    expect(JSON.stringify(openai.requests.find((r) => r.path === '/v1/responses')?.body)).to.contain(
      'Answer in rhymes.',
    );
    expect(file('.codex', 'config.toml')).not.to.contain(KEY);
  });

  it('after both were forgotten, they have nothing of Coffer any more', async () => {
    for (const { name } of agents) await ok('DELETE', `/agents/${name}`);
    for (const at of ['.claude.json', '.claude/settings.json', '.codex/config.toml', '.codex/hooks.json'])
      expect(existsSync(path.join(home, at)) ? file(at) : '', at).not.to.match(/coffer/i);
    expect(await run('codex', ['mcp', 'list'])).not.to.contain('coffer');
  });
});
