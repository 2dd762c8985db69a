import { readdirSync, readFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import path from 'node:path';
import { expect } from 'chai';
import { fixtureCommand, startFixture } from '@coffer/kernel/testing';
import { acceptance, startDaemon, type Answer, type RealDaemon } from '@coffer/testing';

const SPEC = '001-mcp-gateway';
const SECRET = 'plain-9d41c7e2b6f0-secret';

describe('credentials', function () {
  this.timeout(60_000);
  let d: RealDaemon;
  beforeEach(async () => void (d = await startDaemon()));
  afterEach(() => d.stop());
  const withSecret = (): object => {
    const { command, args } = fixtureCommand('scripted');
    return { transport: { type: 'stdio', command, args, credential_refs: { API_KEY: 'a/key' } } };
  };
  const register = (name = 'a'): Promise<Answer> =>
    d.rest('POST', '/resources', { kind: 'mcp_server', name, config: withSecret() });

  acceptance(SPEC, 'store and reference a credential', async () => {
    const before = await register();
    expect(before.body.error).to.include({ code: 'CREDENTIAL_MISSING' });
    expect(before.body.error.message).to.include('a/key');
    expect((await d.rest('GET', '/resources')).body.resources).to.deep.equal([]);
    expect((await d.rest('POST', '/credentials', { ref: 'a/key', value: SECRET })).status).to.equal(204);
    const made = await register();
    expect(made.status).to.equal(201);
    const client = await d.http();
    // The server was started with it: it is decrypted only then.
    const result = await client.callTool({ name: 'a__env_value', arguments: { name: 'API_KEY' } });
    expect(JSON.stringify(result.content)).to.include(SECRET);
    const db = new Database(path.join(d.home, 'coffer.db'), { readonly: true });
    const [row] = db.prepare('SELECT * FROM credentials').all() as { ref: string; token: string }[];
    db.close();
    expect(row?.ref).to.equal('a/key');
    expect(row?.token).to.match(/^gAAAA/);
    const { entries } = (await d.rest('GET', '/audit?event_type=credential_set')).body;
    expect(entries[0].details).to.deep.equal({ ref: 'a/key' });
  });

  acceptance(SPEC, 'delete a credential frees the reference', async () => {
    await d.rest('POST', '/credentials', { ref: 'a/key', value: SECRET });
    await register();
    const used = await d.rest('DELETE', '/credentials/a%2Fkey');
    expect(used.body.error).to.include({ code: 'CREDENTIAL_IN_USE' });
    await d.rest('DELETE', '/resources/mcp_server/a');
    expect((await d.rest('DELETE', '/credentials/a%2Fkey')).status).to.equal(204);
    expect((await d.rest('GET', '/credentials/a%2Fkey/exists')).body).to.deep.equal({ present: false });
    expect((await d.rest('GET', '/audit?event_type=credential_deleted')).body.entries).to.have.length(1);
    await d.rest('POST', '/credentials', { ref: 'a/key', value: `${SECRET}2` });
    expect((await d.rest('GET', '/credentials/a%2Fkey')).body).to.deep.equal({ value: `${SECRET}2` });
    expect((await register()).status).to.equal(201);
  });

  acceptance(SPEC, 'credentials never leak to logs or audit', async () => {
    const fixture = await startFixture('scripted', [
      '--http',
      '0',
      '--require-header',
      `Authorization=Bearer ${SECRET}`,
    ]);
    try {
      await d.rest('POST', '/credentials', { ref: 'a/key', value: SECRET });
      await d.rest('POST', '/credentials', { ref: 'web/auth', value: `Bearer ${SECRET}` });
      await register();
      const transport = { type: 'http', url: fixture.url, credential_refs: { Authorization: 'web/auth' } };
      await d.rest('POST', '/resources', { kind: 'mcp_server', name: 'web', config: { transport } });
      // A secret that is typed in the wrong place is refused, and its value is not repeated.
      const wrong = { type: 'stdio', command: 'node', env: { TOKEN: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' } };
      const refused = await d.rest('POST', '/resources', {
        kind: 'mcp_server',
        name: 'w',
        config: { transport: wrong },
      });
      expect(refused.body.error.code).to.equal('CONFIG_INVALID');
      expect(JSON.stringify(refused.body)).to.not.include('ghp_0123');

      const client = await d.shim({ args: ['--agent', 'tester'] });
      await client.listTools();
      for (const s of ['a', 'web']) {
        await client.callTool({ name: `${s}__echo`, arguments: { text: 'x' } });
        await client.callTool({ name: `${s}__crash`, arguments: {} }).catch(() => undefined);
      }
      const args = commandLines();
      expect(args.length).to.be.greaterThan(2);
      for (const line of args) expect(line).to.not.include(SECRET);
      await d.rest('PATCH', '/resources/mcp_server/a', { description: 'changed' });
      await client.close();
      await d.kill('SIGTERM');

      const files = d.files();
      expect(files.map((f) => path.basename(f))).to.include.members(['coffer.db', 'daemon.log']);
      for (const file of files) expect(readFileSync(file, 'latin1'), file).to.not.include(SECRET);
      const db = new Database(path.join(d.home, 'coffer.db'), { readonly: true });
      const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
      for (const { name } of tables) {
        expect(JSON.stringify(db.prepare(`SELECT * FROM "${name}"`).all()), name).to.not.include(SECRET);
      }
      db.close();
    } finally {
      await fixture.stop();
    }
  });

  it('refuses to start without its master key, and says where it belongs', async () => {
    await d.rest('POST', '/credentials', { ref: 'a/key', value: SECRET });
    await d.kill('SIGTERM');
    rmSync(path.join(d.home, 'master.key'));
    let complaint = '';
    await d.restart().catch((e: Error) => (complaint = e.message));
    expect(complaint).to.include('MASTER_KEY_MISSING').and.include(path.join(d.home, 'master.key'));
  });
});

/** The command line of every process of this machine that may be read. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((p) => /^\d+$/.test(p))
    .flatMap((p) => {
      try {
        return [readFileSync(`/proc/${p}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    })
    .filter((line) => line !== '' && !line.includes('--require-header'));
}
