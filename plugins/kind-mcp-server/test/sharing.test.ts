import { expect } from 'chai';
import { CofferError, Payload, type Outcome, type Watch, type WatchEvent } from '@coffer/kernel';
import { Gate } from '../src/gate.js';
import type { SourceHost } from '../src/source-host.js';
import { SharedConnections } from '../src/shared.js';
import { ServerSource } from '../src/source.js';
import { Outdated, type Connection, type ConnectionEvents } from '../src/wire/connection.js';
import { client, HandClock, turn } from './support.js';

interface Made extends Connection {
  readonly events: ConnectionEvents;
  readonly wants: Watch[];
  closed: boolean;
  /** What its next call does instead of answering. */
  fails: Error | undefined;
}

function make(events: ConnectionEvents, fixed: boolean, n: number): Made {
  const made: Made = {
    events,
    wants: [],
    closed: false,
    fails: undefined,
    facts: { capabilities: { tools: { listChanged: true } } },
    fixed,
    open: 0,
    call: async (): Promise<Outcome> => {
      if (made.fails !== undefined) throw made.fails;
      return { kind: 'result', result: Payload.of({ n }) };
    },
    ask: async () => ({ result: {} }),
    rootsChanged: () => undefined,
    watch: async (want) => (made.wants.push(want), { tools: want.tools === true, uris: want.uris ?? [] }),
    close: async () => void (made.closed = true),
  };
  return made;
}

function quiet(heard: WatchEvent[] = [], downs: string[] = []): ConnectionEvents {
  return { watched: (e) => heard.push(e), down: (reason) => downs.push(reason), odd: () => undefined };
}

function source(fixed: boolean): { source: ServerSource; made: Made[] } {
  const made: Made[] = [];
  const host: SourceHost = {
    server: 'up',
    clock: new HandClock(),
    gate: new Gate(4),
    idleMs: 1e9,
    dial: async (_, events) => {
      await turn();
      const connection = make(events, fixed, made.length);
      made.push(connection);
      return connection;
    },
    list: async () => [],
    known: () => undefined,
    healthy: () => undefined,
    failing: () => undefined,
    closed: () => undefined,
  };
  return { source: new ServerSource(host), made };
}
const n = (o: Outcome): unknown => (o.kind === 'result' ? o.result.value.n : o.kind);

describe('connections of a client that declares its capabilities with each request', () => {
  const asking = (capabilities: object): ReturnType<typeof client> =>
    client({ rounds: true, capabilities: { ...capabilities } });

  it('are one for each declaration, where the server hears it only at the start', async () => {
    const { source: up, made } = source(true);
    const calls = [{ roots: {} }, { sampling: {} }, { roots: {} }, {}, { sampling: {} }];
    expect(await Promise.all(calls.map(async (c) => n(await up.call('tools/call', {}, asking(c)))))).to.deep.equal([
      0, 1, 0, 2, 1,
    ]);
    expect(made).to.have.length(3);
    await up.close();
    expect(made.every((m) => m.closed)).to.equal(true);
  });

  it('do not grow without end', async () => {
    const { source: up, made } = source(true);
    for (let i = 0; i < 10; i++) await up.call('tools/call', {}, asking({ experimental: { i } }));
    await turn();
    expect(made.filter((m) => !m.closed).length).to.be.at.most(4);
    await up.close();
  });

  it('are one where the server hears it each time', async () => {
    const { source: up, made } = source(false);
    await Promise.all([{ roots: {} }, { sampling: {} }].map((c) => up.call('tools/call', {}, asking(c))));
    expect(made).to.have.length(1);
  });

  it('are one for a client that declared them at its own start', async () => {
    const { source: up, made } = source(true);
    await up.call('tools/call', {}, client({ capabilities: { roots: {} } }));
    await up.call('tools/call', {}, client({ capabilities: { sampling: {} } }));
    expect(made).to.have.length(1);
  });

  it('are made anew when the server has become another, and the call with them', async () => {
    for (const fixed of [true, false]) {
      const { source: up, made } = source(fixed);
      await up.call('tools/call', {}, client());
      const [first] = made;
      if (first === undefined) throw new Error('nothing was opened');
      first.fails = new Outdated();
      expect(n(await up.call('tools/call', {}, client()))).to.equal(1);
      expect(first.closed).to.equal(true);
    }
  });
});

describe('a connection that may be shared', () => {
  it('is opened once for those who come together, and closed by the last who leaves', async () => {
    const shared = new SharedConnections();
    const made: Made[] = [];
    const dial = async (events: ConnectionEvents): Promise<Connection> => {
      await turn();
      const c = make(events, false, made.length);
      made.push(c);
      return c;
    };
    const [ha, hb]: [WatchEvent[], WatchEvent[]] = [[], []];
    const [a, b] = await Promise.all([shared.take('k', quiet(ha), dial), shared.take('k', quiet(hb), dial)]);
    const other = await shared.take('other', quiet(), dial);
    expect(made).to.have.length(2);
    expect(await a.watch({ tools: true, uris: ['x'] })).to.deep.equal({ tools: true, uris: ['x'] });
    expect(await b.watch({ uris: ['y'] })).to.deep.equal({ uris: ['y'] });
    expect(made[0]?.wants.at(-1)).to.deep.include({ tools: true, uris: ['x', 'y'] });
    for (const uri of ['x', 'y']) made[0]?.events.watched({ kind: 'uri', uri, params: { uri } });
    made[0]?.events.watched({ kind: 'tools' });
    expect(ha.map((e) => (e.kind === 'uri' ? e.uri : e.kind))).to.deep.equal(['x', 'tools']);
    expect(hb.map((e) => (e.kind === 'uri' ? e.uri : e.kind))).to.deep.equal(['y', 'tools']);
    await a.close();
    expect(made[0]?.closed).to.equal(false);
    expect(made[0]?.wants.at(-1)).to.deep.include({ tools: false, uris: ['y'] });
    await b.close();
    await other.close();
    expect(made.map((m) => m.closed)).to.deep.equal([true, true]);
    await shared.take('k', quiet(), dial);
    expect(made).to.have.length(3);
  });

  it('is told to all who use it when it breaks, and opened anew by the next', async () => {
    const shared = new SharedConnections();
    const made: Made[] = [];
    const dial = async (events: ConnectionEvents): Promise<Connection> => {
      const c = make(events, false, made.length);
      made.push(c);
      return c;
    };
    const downs: string[] = [];
    await shared.take('k', quiet([], downs), dial);
    await shared.take('k', quiet([], downs), dial);
    made[0]?.events.down('it ended');
    expect(downs).to.deep.equal(['it ended', 'it ended']);
    await shared.take('k', quiet(), dial);
    expect(made).to.have.length(2);
  });

  it("is each one's own where the server is of another kind, or could not be opened", async () => {
    const shared = new SharedConnections();
    const made: Made[] = [];
    const dial = async (events: ConnectionEvents): Promise<Connection> => {
      await turn();
      const c = make(events, true, made.length);
      made.push(c);
      return c;
    };
    await Promise.all([shared.take('k', quiet(), dial), shared.take('k', quiet(), dial)]);
    expect(made).to.have.length(2);
    const failing = (): Promise<Connection> => Promise.reject(new CofferError('UPSTREAM_UNAVAILABLE', 'no'));
    const both = await Promise.allSettled([shared.take('f', quiet(), failing), shared.take('f', quiet(), failing)]);
    expect(both.map((r) => r.status)).to.deep.equal(['rejected', 'rejected']);
  });
});
