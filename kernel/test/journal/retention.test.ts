import { expect } from 'chai';
import { fakeClock, type FakeClock } from '../../src/testing/clock.js';
import type { TestKernel } from '../../src/testing/index.js';
import { plugin, until, workshop } from '../support/kernels.js';

const DAY = 86_400_000;

describe('retention', () => {
  const make = workshop();
  const fill = (k: TestKernel, clock: FakeClock, ages: number[]): void => {
    const insert = k.services.db.prepare(
      "INSERT INTO audit_log (timestamp, event_type, actor) VALUES (?, 'old', 'system')",
    );
    k.services.db.transaction(() => {
      for (const days of ages) insert.run(new Date(clock.now() - days * DAY).toISOString());
    })();
  };
  const old = (k: TestKernel): number =>
    k.services.db.prepare("SELECT count(*) FROM audit_log WHERE event_type = 'old'").pluck().get() as number;

  it('has its defaults, which a change and a restart outlive', async () => {
    const home = make.folder();
    const first = await make.kernel({ home });
    const { policies } = (await first.rest('GET', '/retention/policies')).body;
    expect(
      policies.map((p: Record<string, unknown>) => [p['table_name'], p['default_retention_days'], p['retention_days']]),
    ).to.deep.equal([
      ['audit_log', 365, 365],
      ['mcp_invocations', 30, 30],
    ]);
    await first.rest('PATCH', '/retention/policies/audit_log', { retention_days: 7 });
    await first.rest('PATCH', '/retention/policies/mcp_invocations', { retention_days: null });
    await first.stop({ keep: true });
    const k = await make.kernel({ home });
    const again = (await k.rest('GET', '/retention/policies')).body.policies;
    expect(again.map((p: Record<string, unknown>) => p['retention_days'])).to.deep.equal([7, null]);
    expect((await k.rest('GET', '/audit?event_type=retention_updated')).body.entries[1].details).to.deep.equal({
      table: 'audit_log',
      from: 365,
      to: 7,
    });
  });

  it('takes 1 to 3650 days or null, for logs it knows', async () => {
    const k = await make.kernel();
    for (const retention_days of [0, -1, 3651, 1.5, '7', undefined]) {
      const { body } = await k.rest('PATCH', '/retention/policies/audit_log', { retention_days });
      expect(body.error.code).to.equal('CONFIG_INVALID');
    }
    for (const table of ['resources', 'audit_log; DROP TABLE resources', 'sqlite_master']) {
      const at = `/retention/policies/${encodeURIComponent(table)}`;
      expect((await k.rest('PATCH', at, { retention_days: 1 })).body.error.code).to.equal('UNKNOWN_PRUNABLE_TABLE');
      expect((await k.rest('POST', '/retention/prune', { table_name: table })).body.error.code).to.equal(
        'UNKNOWN_PRUNABLE_TABLE',
      );
    }
  });

  it('deletes what is older than the policy allows and nothing else, and notes when and how much', async () => {
    const clock = fakeClock();
    const k = await make.kernel({ clock });
    fill(k, clock, [1, 6.9, 7.1, 400]);
    await k.rest('PATCH', '/retention/policies/audit_log', { retention_days: 7 });
    expect((await k.rest('POST', '/retention/prune', { table_name: 'audit_log' })).body).to.deep.equal({
      tables: { audit_log: 2 },
    });
    expect(old(k)).to.equal(2);
    const [policy] = (await k.rest('GET', '/retention/policies')).body.policies;
    expect(policy).to.deep.include({ last_pruned_rows: 2, last_pruned_at: '2026-01-01T00:00:00.000Z' });
    expect((await k.rest('POST', '/retention/prune', {})).body).to.deep.equal({
      tables: { audit_log: 0, mcp_invocations: 0 },
    });
  });

  it('keeps for ever what is to be kept for ever', async () => {
    const clock = fakeClock();
    const k = await make.kernel({ clock });
    fill(k, clock, [5000]);
    await k.rest('PATCH', '/retention/policies/audit_log', { retention_days: null });
    expect((await k.rest('POST', '/retention/prune', {})).body.tables.audit_log).to.equal(0);
    expect(old(k)).to.equal(1);
  });

  it('prunes every six hours by itself, one log that fails aside', async () => {
    const clock = fakeClock();
    const broken = plugin('broken', (v) =>
      v.tap(v.hooks.retention.tables, (t) =>
        t.add({ table: 'no_such_table', timestampColumn: 'at', displayName: '', description: '', defaultDays: 1 }),
      ),
    );
    const k = await make.kernel({ clock, plugins: [broken] });
    fill(k, clock, [400]);
    await clock.advance(6 * 3_600_000 - 1);
    expect(old(k)).to.equal(1);
    await clock.advance(1);
    await until('it is pruned', () => old(k) === 0);
  });

  it('lets others work while it deletes much', async function () {
    this.timeout(30_000);
    const clock = fakeClock();
    const k = await make.kernel({ clock });
    fill(
      k,
      clock,
      Array.from({ length: 20_001 }, () => 400),
    );
    const turns: number[] = [];
    let done = false;
    const pruning = k.services.retention.prune('audit_log').then((r) => ((done = true), r));
    while (!done) {
      turns.push(old(k));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await pruning).to.deep.equal({ audit_log: 20_001 });
    // others saw it half done
    expect(turns.some((n) => n > 0 && n < 20_001)).to.equal(true);
  });
});
