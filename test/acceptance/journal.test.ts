import Database from 'better-sqlite3';
import path from 'node:path';
import { expect } from 'chai';
import { fixtureCommand } from '@coffer/kernel/testing';
import { acceptance, startDaemon, until, type RealDaemon } from '@coffer/testing';

const SPEC = '001-mcp-gateway';

describe('audit and invocations', function () {
  this.timeout(60_000);
  let d: RealDaemon;
  beforeEach(async () => void (d = await startDaemon()));
  afterEach(() => d.stop());
  const scripted = (name = 'a'): Promise<unknown> => {
    const { command, args } = fixtureCommand('scripted');
    return d.addStdio(name, args, { command });
  };

  acceptance(SPEC, 'audit lifecycle changes', async () => {
    await scripted();
    const at = '/resources/mcp_server/a';
    await d.rest('PATCH', at, { description: 'mine' }, { 'X-Coffer-Actor': 'ui' });
    await d.rest('POST', `${at}/disable`, undefined, { 'X-Coffer-Actor': 'cli' });
    await d.rest('POST', `${at}/enable`, undefined, { 'X-Coffer-Actor': 'cli' });
    await d.rest('POST', `${at}/capabilities/tool/disable`, { capability_key: 'echo' }, { 'X-Coffer-Actor': 'ui' });
    await d.rest('DELETE', at);
    const { entries } = (await d.rest('GET', '/audit?name=a&limit=500')).body;
    const rows = entries.filter((e: { event_type: string }) => e.event_type !== 'capability_first_seen').reverse();
    expect(rows.map((e: { event_type: string; actor: string }) => `${e.event_type} by ${e.actor}`)).to.deep.equal([
      'resource_created by api',
      'resource_updated by ui',
      'resource_disabled by cli',
      'resource_enabled by cli',
      'capability_disabled by ui',
      'resource_deleted by api',
    ]);
    for (const r of rows) expect(Date.parse(r.timestamp)).to.be.greaterThan(Date.now() - 60_000);
    expect(rows[1].details.after.description).to.equal('mine');
    expect(rows[4].details.capability_key).to.equal('echo');
    expect(rows[5].details.snapshot.name).to.equal('a');
  });

  acceptance(SPEC, 'invocation log records calls without arguments', async () => {
    await scripted();
    const client = await d.shim({ args: ['--agent', 'tester'] });
    const marked = 'zebra-7f3a9d';
    await client.callTool({ name: 'a__echo', arguments: { text: marked } });
    await client.callTool({ name: 'a__fails', arguments: {} }).catch(() => undefined);
    await client.readResource({ uri: 'coffer://a/test://static-text' });
    await client.getPrompt({ name: 'a__test_simple_prompt' });
    await client.callTool({ name: 'coffer__search_tools', arguments: { query: marked } });
    const rows = await until('all rows', async () => {
      const { invocations } = (await d.rest('GET', '/invocations')).body;
      return invocations.length === 5 ? invocations.reverse() : undefined;
    });
    expect(
      rows.map((r: Record<string, string>) => `${r['capability_type']} ${r['capability_key']} ${r['status']}`),
    ).to.deep.equal([
      'tool echo ok',
      'tool fails error',
      'resource test://static-text ok',
      'prompt test_simple_prompt ok',
      'tool search_tools ok',
    ]);
    for (const r of rows) {
      expect(r.duration_ms).to.be.a('number').and.at.least(0);
      expect(r.agent).to.equal('tester');
    }
    // No column could hold an argument or a result, and no row of any table does.
    const db = new Database(path.join(d.home, 'coffer.db'), { readonly: true });
    const columns = (db.pragma('table_info(mcp_invocations)') as { name: string }[]).map((c) => c.name);
    expect(columns.join(' ')).to.not.match(/argument|result|content|input|output/);
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
    for (const { name } of tables)
      expect(JSON.stringify(db.prepare(`SELECT * FROM "${name}"`).all())).to.not.include(marked);
    db.close();
  });

  acceptance(SPEC, 'configure retention per log', async () => {
    const policies = (await d.rest('GET', '/retention/policies')).body.policies;
    const days = Object.fromEntries(
      policies.map((p: { table_name: string; retention_days: number }) => [p.table_name, p.retention_days]),
    );
    expect(days).to.deep.include({ audit_log: 365, mcp_invocations: 30 });
    await d.stop();
    d = await startDaemon();
    await d.kill('SIGTERM');
    const db = new Database(path.join(d.home, 'coffer.db'));
    const add = db.prepare("INSERT INTO audit_log (timestamp, event_type, actor) VALUES (?, ?, 'system')");
    const ago = (n: number): string => new Date(Date.now() - n * 86_400_000).toISOString();
    add.run(ago(10), 'old_one');
    add.run(ago(2), 'young_one');
    db.close();
    await d.restart();
    const events = async (): Promise<string[]> =>
      (await d.rest('GET', '/audit?limit=500')).body.entries.map((e: { event_type: string }) => e.event_type);
    expect(await events()).to.include.members(['old_one', 'young_one']);
    expect(
      (await d.rest('PATCH', '/retention/policies/audit_log', { retention_days: 7 })).body.retention_days,
    ).to.equal(7);
    // The worker prunes at start, and every six hours.
    await d.restart();
    await until('the cleanup', async () => !(await events()).includes('old_one'));
    expect(await events()).to.include.members(['young_one', 'retention_updated']);
    await d.rest('PATCH', '/retention/policies/audit_log', { retention_days: null });
    expect((await d.rest('POST', '/retention/prune', { table_name: 'audit_log' })).body.tables).to.deep.equal({
      audit_log: 0,
    });
    expect((await d.rest('PATCH', '/retention/policies/resources', { retention_days: 7 })).body.error.code).to.equal(
      'UNKNOWN_PRUNABLE_TABLE',
    );
  });
});
