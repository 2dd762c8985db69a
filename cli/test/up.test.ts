import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { COFFER, createHome, type Home } from './harness.js';

describe('coffer up', function () {
  this.timeout(60_000);
  let home: Home;
  beforeEach(() => void (home = createHome()));
  afterEach(() => home.done());

  it('goes from nothing to a first call through the shim, and does nothing twice', async () => {
    const first = await home.ok(['up', '--yes']);
    expect(first).to.include('The daemon has started.');
    expect(first)
      .to.match(/^ {2}everything: \d+ tools/m)
      .and.match(/^ {2}files: \d+ tools/m);
    expect(first).to.include('everything__echo: Echo: Hello from Coffer');
    expect(first).to.match(/^ {2}mcp_server: 2 registered, 2 enabled, 2 healthy$/m);
    expect(first).to.match(
      new RegExp(
        `claude mcp add coffer -e COFFER_HOME=${home.dir} -e COFFER_PORT=0 -- .*coffer-mcp-shim.* --agent claude-code`,
      ),
    );
    expect(first).to.include('codex mcp add coffer').and.include('[mcp_servers.coffer]');
    expect(first.trim().split('\n').at(-1)).to.match(/http:\/\/127\.0\.0\.1:\d+\/#login=\S+$/);
    const { pid } = home.record();
    const second = await home.ok(['up', '--yes', '--no-open']);
    expect(second).to.not.include('started').and.not.include('Registered').and.not.include('#login=');
    expect(home.record().pid).to.equal(pid);
    expect((await home.json(['mcp', 'list'])).resources).to.have.length(2);
    const calls = await home.json(['mcp', 'invocations', 'everything']);
    expect(calls.invocations[0]).to.include({ capability_key: 'echo', agent: 'coffer-up', status: 'ok' });
    expect(
      await home.ok([
        'mcp',
        'call',
        'files__read_text_file',
        JSON.stringify({ path: join(home.dir, 'workspace', 'demo', 'hello.txt') }),
      ]),
    ).to.include('Hello from Coffer');
  });

  it('registers nothing unasked, and nothing at all with --no-demo', async () => {
    expect(await home.ok(['up', '--no-open'])).to.include('coffer up --yes');
    expect(await home.ok(['up', '--no-open', '--no-demo', '--yes'])).to.not.include('--yes');
    expect((await home.json(['mcp', 'list'])).resources).to.deep.equal([]);
  });

  it('answers programs with one JSON document', async () => {
    const data = await home.json(['up', '--yes']);
    expect(data).to.have.keys('status', 'started', 'demo', 'connect', 'ui');
    expect(data.demo).to.include({ called: 'everything__echo', result: 'Echo: Hello from Coffer' });
    expect(data.ui).to.include({ opened: false });
  });

  it('names the plain command once the shim is on the PATH', async () => {
    const bin = join(home.dir, 'bin');
    mkdirSync(bin);
    symlinkSync(COFFER, join(bin, 'coffer-mcp-shim'));
    const { connect } = await home.json(['up', '--no-open', '--no-demo'], {
      env: { PATH: `${bin}${delimiter}${process.env.PATH}` },
    });
    expect(connect.claude_code).to.match(/ -- coffer-mcp-shim --agent claude-code$/);
    expect(connect.codex_toml).to.include('command = "coffer-mcp-shim"\nargs = ["--agent","codex"]');
  });
});

describe('coffer doctor', function () {
  this.timeout(60_000);
  let home: Home;
  beforeEach(() => void (home = createHome()));
  afterEach(() => home.done());
  type Check = { name: string; state: string; message: string };
  const checks = async (): Promise<Record<string, Check>> =>
    Object.fromEntries((await home.json(['doctor'])).checks.map((c: Check) => [c.name, c]));

  it('works without a daemon and says how to start one', async () => {
    const all = await checks();
    expect(all.node?.state).to.equal('ok');
    expect(all.daemon).to.deep.include({ state: 'warn' });
    expect(all.daemon?.message).to.include('coffer up');
    expect(await home.ok(['doctor'])).to.match(/^ok {4}node +Node\.js /m);
  });

  it('looks inside a running one', async () => {
    await home.ok(['daemon', 'start']);
    expect(await checks()).to.include.keys('port', 'plugins', 'resources', 'credentials');
    await home.ok(['mcp', 'add', 'gone', '--', 'uvx', 'no-such-package-anywhere']);
    await home.ok(['mcp', 'add', 'dead', '--', process.execPath, '-e', 'process.exit(1)']);
    const sick = (await home.json(['doctor'])).checks.filter((c: Check) => c.name === 'server');
    expect(sick.map((c: Check) => c.message).join('\n'))
      .to.include('mcp_server:dead')
      .and.include('mcp_server:gone');
  });

  it('sees a vault that was damaged, also while no daemon runs', async () => {
    expect((await checks())['vault']?.state).to.equal('ok');
    for (const damage of ['', 'no database at all']) {
      writeFileSync(join(home.dir, 'coffer.db'), damage);
      const ran = await home.run(['doctor']);
      expect(ran.code).to.equal(1);
      expect(ran.out).to.match(/^fail +vault .*coffer restore/m);
    }
    rmSync(join(home.dir, 'coffer.db'));
  });

  it('exits 1 when the token can be read by others, and tells the cure', async () => {
    await home.ok(['daemon', 'start']);
    chmodSync(join(home.dir, 'daemon.json'), 0o644);
    const ran = await home.run(['doctor']);
    expect(ran.code).to.equal(1);
    expect(ran.out).to.match(/^fail +daemon\.json .*chmod 600/m);
    const data = JSON.parse((await home.run(['doctor', '--json'])).out) as { ok: boolean };
    expect(data.ok).to.equal(false);
  });

  it('tells a damaged record from a missing one', async () => {
    writeFileSync(join(home.dir, 'daemon.json'), '{');
    expect((await checks())['daemon.json']?.message).to.include('damaged');
  });
});
