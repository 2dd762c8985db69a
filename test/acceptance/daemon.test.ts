import net from 'node:net';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { acceptance, servers, startDaemon, type RealDaemon } from '@coffer/testing';

const SPEC = '001-mcp-gateway';

describe('the daemon and its vault', function () {
  this.timeout(60_000);
  let d: RealDaemon;
  let scratch: string;
  beforeEach(async () => {
    d = await startDaemon();
    scratch = mkdtempSync(path.join(tmpdir(), 'coffer-scratch-'));
  });
  afterEach(async () => {
    await d.stop();
    rmSync(scratch, { recursive: true, force: true });
  });

  acceptance(SPEC, 'daemon status reflects ready state', async () => {
    const res = await fetch(`http://127.0.0.1:${d.port}/api/v1/daemon/status`);
    const status = (await res.json()) as Record<string, unknown>;
    expect(status).to.include({ status: 'ready', port: d.port, pid: d.pid });
    expect(Date.parse(String(status['started_at']))).to.be.greaterThan(Date.now() - 60_000);
    const file = path.join(d.home, 'daemon.json');
    const discovery = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    expect(discovery).to.include({ port: status['port'], started_at: status['started_at'] });
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(JSON.stringify(status)).to.not.include(d.token);
  });

  acceptance(SPEC, 'rotating the daemon token invalidates the previous one', async () => {
    const old = d.token;
    const ask = async (token: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${d.port}/api/v1/resources`, { headers: { 'X-Coffer-Token': token } })).status;
    expect(await ask(old)).to.equal(200);
    const { token } = (await d.rest('POST', '/daemon/rotate-token')).body;
    expect(token).to.not.equal(old);
    expect(await ask(old)).to.equal(401);
    expect(await ask(token)).to.equal(200);
    const audit = await fetch(`http://127.0.0.1:${d.port}/api/v1/audit?event_type=token_rotated`, {
      headers: { 'X-Coffer-Token': token },
    });
    expect(((await audit.json()) as { entries: unknown[] }).entries).to.have.length(1);
  });

  acceptance(SPEC, 'vault backup captures db + file trees, restore round-trips them', async () => {
    await d.addStdio('everything', servers.everything());
    const fact = Buffer.from('# A fact\r\n\u00e9\u{1f512}\n');
    for (const tree of ['knowledge/base', 'memory/global', 'skills/review']) {
      mkdirSync(path.join(d.home, tree), { recursive: true });
      writeFileSync(path.join(d.home, tree, 'one.md'), fact);
    }
    const dest = path.join(scratch, 'backup');
    const made = await d.cli(['backup', dest]);
    expect(made.code, made.stderr).to.equal(0);
    for (const f of ['coffer.db', 'knowledge/base/one.md', 'memory/global/one.md', 'skills/review/one.md']) {
      expect(existsSync(path.join(dest, f)), f).to.equal(true);
    }
    const fresh = await startDaemon();
    try {
      await fresh.kill('SIGTERM');
      const restored = await fresh.cli(['restore', dest, '--force']);
      expect(restored.code, restored.stderr).to.equal(0);
      for (const tree of ['knowledge/base', 'memory/global', 'skills/review']) {
        expect(readFileSync(path.join(fresh.home, tree, 'one.md')).equals(fact), tree).to.equal(true);
      }
      await fresh.restart();
      const { body } = await fresh.rest('GET', '/resources/mcp_server/everything');
      expect(body.config).to.deep.equal((await d.rest('GET', '/resources/mcp_server/everything')).body.config);
    } finally {
      await fresh.stop();
    }
  });

  acceptance(SPEC, 'backup excludes the master key by default', async () => {
    await d.rest('POST', '/credentials', { ref: 'a/key', value: 'a secret' });
    const without = await d.cli(['backup', path.join(scratch, 'one')]);
    expect(without.code).to.equal(0);
    expect(existsSync(path.join(scratch, 'one/master.key'))).to.equal(false);
    expect(without.stdout + without.stderr).to.match(/master key/i);
    const withKey = await d.cli(['backup', path.join(scratch, 'two'), '--include-master-key']);
    expect(withKey.code).to.equal(0);
    const key = path.join(scratch, 'two/master.key');
    expect(readFileSync(key, 'utf8')).to.equal(readFileSync(path.join(d.home, 'master.key'), 'utf8'));
    expect(statSync(key).mode & 0o777).to.equal(0o600);
    expect(withKey.stdout + withKey.stderr).to.match(/holds the master key/i);
  });

  acceptance(SPEC, 'daemon port conflict falls back to the next free port', async () => {
    const taken = net.createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', () => resolve()));
    const first = (taken.address() as net.AddressInfo).port;
    const other = await startDaemon({ env: { COFFER_PORT: String(first) } });
    try {
      expect(other.port).to.be.within(first + 1, first + 9);
      const discovery = JSON.parse(readFileSync(path.join(other.home, 'daemon.json'), 'utf8')) as { port: number };
      expect(discovery.port).to.equal(other.port);
      // Every door finds it without being told.
      expect((await other.cli(['daemon', 'status', '--json'])).stdout).to.include(String(other.port));
      const client = await other.shim();
      expect((await client.listTools()).tools.map((t) => t.name)).to.include('coffer__search_tools');
    } finally {
      await other.stop();
      taken.close();
    }
  });

  acceptance(SPEC, 'an out-of-scope server is invisible to a session and never spawned', async () => {
    const marker = path.join(scratch, 'started');
    const script = path.join(scratch, 'server.mjs');

    writeFileSync(
      script,
      `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(marker)}, 'x'); await import(${JSON.stringify(servers.everything()[0])});`,
    );
    await d.addStdio('far', [script, 'stdio']);
    expect(existsSync(marker)).to.equal(true);
    rmSync(marker);
    await d.rest('PUT', '/resources/mcp_server/far/scope', { scope: { SOMEOTHERMACHINE: '*' } });
    await d.restart();
    const client = await d.shim();
    expect((await client.listTools()).tools.filter((t) => t.name.startsWith('far__'))).to.deep.equal([]);
    const refusal = async (name: string): Promise<unknown> => {
      const e = (await client.callTool({ name, arguments: {} }).catch((x: unknown) => x)) as {
        code: number;
        message: string;
      };
      return { code: e.code, message: e.message.replace(/far|never/, '*') };
    };
    // Word for word what a name gets that never was.
    expect(await refusal('far__echo')).to.deep.equal(await refusal('never__echo'));
    expect(await refusal('far__echo')).to.include({ code: -32602 });
    expect(existsSync(marker)).to.equal(false);

    // On this machine but for another agent: hidden from this session, and refused like something switched off.
    await d.rest('PUT', '/resources/mcp_server/far/scope', { scope: { '*': ['claude-code'] } });
    expect((await client.listTools()).tools.filter((t) => t.name.startsWith('far__'))).to.deep.equal([]);
    expect(await refusal('far__echo')).to.include({ code: -32000 });
    expect(existsSync(marker)).to.equal(false);
    const claude = await d.shim({ args: ['--agent', 'claude-code'] });
    expect((await claude.listTools()).tools.map((t) => t.name)).to.include('far__echo');
  });
});
