import { expect } from 'chai';
import { CofferError, Payload, type Facts, type Outcome, type WatchEvent } from '@coffer/kernel';
import { Gate } from '../src/gate.js';
import type { SourceHost } from '../src/source-host.js';
import { ServerSource } from '../src/source.js';
import type { Connection, ConnectionEvents } from '../src/wire/connection.js';
import { client, HandClock, turn } from './support.js';

const FACTS: Facts = { capabilities: { tools: { listChanged: true } } };

/** A source over connections that are made by hand: `fail` decides how the next start ends. */
function setUp(o: { fail?: () => Error | undefined; gate?: Gate; idleMs?: number } = {}) {
  const clock = new HandClock();
  const starts: {
    at: number;
    events: ConnectionEvents;
    closed: boolean;
    watched: unknown[];
    calls: number;
    open: number;
  }[] = [];
  const health: string[] = [];
  const host: SourceHost = {
    server: 'up',
    clock,
    gate: o.gate ?? new Gate(4),
    idleMs: o.idleMs ?? 600_000,
    dial: async (_x, events) => {
      const start = { at: clock.now(), events, closed: false, watched: [] as unknown[], calls: 0, open: 0 };
      starts.push(start);
      await turn();
      const error = o.fail?.();
      if (error !== undefined) throw error;
      const connection: Connection = {
        facts: FACTS,
        fixed: true,
        get open() {
          return start.open;
        },
        call: async (): Promise<Outcome> => (
          start.calls++,
          { kind: 'result', result: Payload.of({ n: starts.length }) }
        ),
        ask: async () => ({ result: {} }),
        rootsChanged: () => undefined,
        watch: async (want) => (start.watched.push(want), { tools: true }),
        close: async () => void (start.closed = true),
      };
      return connection;
    },
    list: async () => [],
    known: () => undefined,
    healthy: () => health.push('healthy'),
    failing: (reason) => health.push(reason),
    closed: () => health.push('closed'),
  };
  return { clock, starts, health, source: new ServerSource(host) };
}

const failure = (): Error => new CofferError('UPSTREAM_UNAVAILABLE', 'up did not start');

describe('a server of a client', () => {
  it('is started by the first call that needs it, once for calls that come together', async () => {
    const { source, starts, health } = setUp();
    expect(source.state()).to.equal('idle');
    const calls = await Promise.all([1, 2, 3].map(() => source.call('tools/call', {}, client())));
    expect(calls.map((c) => c.kind)).to.deep.equal(['result', 'result', 'result']);
    expect(starts).to.have.length(1);
    expect(source.state()).to.equal('ready');
    expect(health).to.deep.equal(['healthy']);
  });

  it('is started again at once by the next call after it died, with what was watched', async () => {
    const { source, starts, health } = setUp();
    await source.watch({ tools: true, log: 'error' }, () => undefined);
    await source.call('tools/call', {}, client());
    starts[0]?.events.down('up ended (exit code 1).');
    expect(starts[0]?.closed).to.equal(true);
    expect((await source.call('tools/call', {}, client())).kind).to.equal('result');
    expect(starts).to.have.length(2);
    expect(starts[1]?.watched).to.deep.equal([{ tools: true, log: 'error' }]);
    expect(health).to.deep.equal(['healthy', 'up ended (exit code 1).', 'healthy']);
  });

  it('is tried again 1, 5 and 30 s after a failed start, then once a minute; calls in between fail at once', async () => {
    const { source, starts, clock } = setUp({ fail: failure });
    const begin = clock.now();
    const fails = async (): Promise<string> => {
      const o = await source.call('tools/call', {}, client());
      return o.kind === 'fault' ? o.fault.message : o.kind;
    };
    for (const [n, gap] of [1, 5, 30, 60, 60].entries()) {
      expect(await fails()).to.equal('up did not start');
      expect(await fails()).to.equal(
        `up failed to start${n === 0 ? '' : ` ${n + 1} times`} and is tried again in ${gap} s. up did not start`,
      );
      const listed = await source.list('tools', client()).catch((e: unknown) => (e as Error).message);
      expect(listed).to.include(`tried again in ${gap} s`);
      expect(starts).to.have.length(n + 1);
      await clock.advance(gap * 1000);
    }
    expect(starts.map((s) => s.at - begin)).to.deep.equal([0, 1000, 6000, 36_000, 96_000]);
    expect(source.state()).to.equal('failing');
  });

  it('is not held back for what waiting does not mend', async () => {
    let error: Error | undefined = new CofferError('CREDENTIAL_LOCKED', 'locked');
    const { source, starts } = setUp({ fail: () => error });
    for (let i = 0; i < 6; i++) expect((await source.call('tools/call', {}, client())).kind).to.equal('fault');
    expect(starts).to.have.length(6);
    error = undefined;
    expect((await source.call('tools/call', {}, client())).kind).to.equal('result');
  });

  it('goes on starting when the call that wanted it is cancelled', async () => {
    const { source, starts } = setUp();
    const x = client();
    const call = source.call('tools/call', {}, x);
    x.cancel();
    expect(await call).to.have.nested.property('fault.name', 'CANCELLED');
    expect((await source.call('tools/call', {}, client())).kind).to.equal('result');
    expect(starts).to.have.length(1);
  });

  it('is stopped when nobody called it for its idle limit, and started again when needed', async () => {
    const { source, starts, clock } = setUp({ idleMs: 60_000 });
    await source.call('tools/call', {}, client());
    await clock.advance(40_000);
    await source.call('tools/call', {}, client());
    await clock.advance(40_000);
    expect(starts[0]?.closed).to.equal(false);
    await clock.advance(20_000);
    expect(starts[0]?.closed).to.equal(true);
    expect(source.state()).to.equal('idle');
    await source.call('tools/call', {}, client());
    expect(starts).to.have.length(2);
  });

  it('is not stopped while a call runs or a resource is watched', async () => {
    const { source, starts, clock } = setUp({ idleMs: 60_000 });
    await source.watch({ uris: ['a:b'] }, () => undefined, client());
    expect(starts).to.have.length(1);
    await clock.advance(200_000);
    await source.watch({}, () => undefined);
    const [start] = starts;
    if (start !== undefined) start.open = 1;
    await clock.advance(200_000);
    expect(start?.closed).to.equal(false);
    if (start !== undefined) start.open = 0;
    await clock.advance(200_000);
    expect(start?.closed).to.equal(true);
  });

  it('brings what the server tells to the sink, and promises only what the server can', async () => {
    const { source, starts } = setUp();
    const heard: WatchEvent[] = [];
    expect(await source.watch({ tools: true, log: 'info' }, (e) => heard.push(e))).to.deep.equal({
      tools: true,
      log: 'info',
    });
    expect(starts).to.have.length(0);
    await source.call('tools/call', {}, client());
    starts[0]?.events.watched({ kind: 'tools' });
    expect(heard).to.deep.equal([{ kind: 'tools' }]);
  });

  it('finishes open calls before it closes when drained, and takes no new ones', async () => {
    const { source, starts, health } = setUp();
    await source.call('tools/call', {}, client());
    const [start] = starts;
    if (start !== undefined) start.open = 1;
    const closing = source.close({ drain: true });
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(start?.closed).to.equal(false);
    expect(await source.call('tools/call', {}, client())).to.have.nested.property('fault.name', 'UNAVAILABLE');
    if (start !== undefined) start.open = 0;
    await closing;
    expect(start?.closed).to.equal(true);
    expect(health.at(-1)).to.equal('closed');
  });

  it('is healthy again after an odd answer once it answers well', async () => {
    const { source, starts, health } = setUp();
    await source.call('tools/call', {}, client());
    starts[0]?.events.odd('it answered HTTP 500');
    await source.call('tools/call', {}, client());
    expect(health).to.deep.equal(['healthy', 'it answered HTTP 500', 'healthy']);
  });

  it('waits its turn when many start at once', async () => {
    const gate = new Gate(2);
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 7 }, () =>
        gate.run(async () => {
          most = Math.max(most, ++running);
          await turn();
          running--;
        }),
      ),
    );
    expect(most).to.equal(2);
  });
});
