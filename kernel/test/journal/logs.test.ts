import { expect } from 'chai';
import type { Invocation } from '../../src/gateway/types.js';
import { fakeClock } from '../../src/testing/clock.js';
import { until, workshop } from '../support/kernels.js';

const call = (n: number, more: Partial<Invocation> = {}): Invocation => ({
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(),
  server: 'files',
  ref: 'mcp_server:files',
  type: 'tool',
  key: `t${n}`,
  durationMs: 1.5,
  status: 'ok',
  error: null,
  sessionId: 's',
  agent: null,
  rounds: 0,
  ...more,
});

describe('the audit log', () => {
  const make = workshop();
  it('answers newest first, in pages, filtered, and says who did it', async () => {
    const clock = fakeClock();
    const k = await make.kernel({ clock });
    for (let i = 0; i < 5; i++) {
      k.services.audit.write({
        event_type: i % 2 ? 'odd' : 'even',
        resource_kind: 'k',
        resource_name: `n${i}`,
        actor: i % 2 ? 'cli' : 'agent',
        details: { i },
      });
      await clock.advance(1000);
    }
    const names = async (q: string): Promise<string[]> =>
      (await k.rest('GET', `/audit?kind=k${q}`)).body.entries.map((e: { resource_name: string }) => e.resource_name);
    expect(await names('')).to.deep.equal(['n4', 'n3', 'n2', 'n1', 'n0']);
    expect(await names('&event_type=odd')).to.deep.equal(['n3', 'n1']);
    expect(await names('&actor=agent&name=n2')).to.deep.equal(['n2']);
    expect(await names('&since=2026-01-01T00:00:03Z')).to.deep.equal(['n4', 'n3']);
    expect(await names(`&since=${encodeURIComponent('2026-01-01T02:00:03+02:00')}`)).to.deep.equal(['n4', 'n3']);

    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await k.rest('GET', `/audit?kind=k&limit=2${cursor}`);
      seen.push(...body.entries.map((e: { resource_name: string }) => e.resource_name));
      cursor = body.next === null ? '' : `&cursor=${body.next}`;
    } while (cursor !== '');
    expect(seen).to.deep.equal(['n4', 'n3', 'n2', 'n1', 'n0']);
  });

  for (const q of [
    'limit=0',
    'limit=501',
    'limit=x',
    'since=yesterday',
    'cursor=0',
    'cursor=-1',
    'nonsense=1',
    'kind=a&kind=b',
  ])
    it(`refuses ?${q}`, async () => {
      const k = await make.kernel();
      const { status, body } = await k.rest('GET', `/audit?${q}`);
      expect([status, body.error.code]).to.deep.equal([400, 'BAD_REQUEST']);
    });

  it('tells of its own life', async () => {
    const home = make.folder();
    const first = await make.kernel({ home });
    await first.stop({ keep: true });
    const k = await make.kernel({ home });
    const events = (await k.rest('GET', '/audit')).body.entries.map((e: { event_type: string; actor: string }) => [
      e.event_type,
      e.actor,
    ]);
    expect(events).to.deep.equal([
      ['daemon_started', 'system'],
      ['daemon_stopped', 'system'],
      ['daemon_started', 'system'],
    ]);
  });
});

describe('the invocation log', () => {
  const make = workshop();
  it('writes what ended in one turn in one transaction, and is asked behind the answer', async () => {
    const k = await make.kernel();
    const count = (): unknown => k.services.db.prepare('SELECT count(*) AS n FROM mcp_invocations').pluck().get();
    for (let i = 0; i < 3; i++) k.services.invocations.add(call(i));
    expect(count()).to.equal(0);
    await until('the rows are written', () => count() === 3);
  });

  it('answers newest first, filtered, for one resource too, and never a column for arguments or results', async () => {
    const k = await make.kernel();
    k.services.invocations.add(call(1));
    k.services.invocations.add(call(2, { server: 'other', status: 'denied', error: 'no', type: 'prompt' }));
    k.services.invocations.add(call(3, { status: 'timeout' }));
    const keys = async (path: string): Promise<string[]> =>
      (await k.rest('GET', path)).body.invocations.map((e: { capability_key: string }) => e.capability_key);
    expect(await keys('/invocations')).to.deep.equal(['t3', 't2', 't1']);
    expect(await keys('/invocations?server=files&status=timeout')).to.deep.equal(['t3']);
    expect(await keys('/invocations?type=prompt')).to.deep.equal(['t2']);
    expect(await keys('/invocations?since=2026-01-01T00:00:02Z&limit=1')).to.deep.equal(['t3']);
    expect(await keys('/resources/mcp_server/files/invocations')).to.deep.equal(['t3', 't1']);
    expect((await k.rest('GET', '/invocations?status=weird')).status).to.equal(400);
    const columns = k.services.db.prepare("SELECT name FROM pragma_table_info('mcp_invocations')").pluck().all();
    expect(columns).to.deep.equal([
      'id',
      'timestamp',
      'server',
      'capability_type',
      'capability_key',
      'duration_ms',
      'status',
      'error_message',
      'session_id',
      'agent',
      'rounds',
    ]);
  });

  it('loses nothing when the daemon stops', async () => {
    const home = make.folder();
    // rows of 2026 must not be pruned as too old
    const clock = fakeClock();
    const first = await make.kernel({ home, clock });
    first.services.hooks.gateway.invoked.call(call(7));
    await first.stop({ keep: true });
    const k = await make.kernel({ home, clock });
    expect((await k.rest('GET', '/invocations')).body.invocations[0]).to.deep.include({
      capability_key: 't7',
      duration_ms: 1.5,
    });
  });
});
