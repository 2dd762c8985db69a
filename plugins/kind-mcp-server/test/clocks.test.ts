import { expect } from 'chai';
import type { Answer, Exchange, Obj } from '@coffer/kernel';
import type { Receiver, Terms, Transport } from '../src/wire/connection.js';
import { openLegacy } from '../src/wire/legacy.js';
import { client, HandClock, turn } from './support.js';

const TERMS: Terms = {
  server: 'up',
  version: '0',
  spawnMs: 30_000,
  requestMs: 10_000,
  maxMessageBytes: 1e6,
  lateMs: 55_000,
  totalMs: 60_000,
};

/** A connection whose server is this test: what it is sent, and words put into its mouth. */
async function setUp(starter: Exchange = client()) {
  const clock = new HandClock();
  const sent: Obj[] = [];
  let receiver: Receiver | undefined;
  const say = (message: Obj): unknown =>
    receiver?.message([Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))]);
  const transport: Transport = {
    ties: false,
    open: async (r) => void (receiver = r),
    send: (text) => {
      const message = JSON.parse(text) as Obj;
      sent.push(message);
      if (message.method === 'initialize')
        say({ id: message.id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} } });
    },
    drop: () => undefined,
    agreed: () => undefined,
    forget: () => undefined,
    close: async () => undefined,
  };
  const events = { watched: () => undefined, down: () => undefined, odd: () => undefined };
  const up = await openLegacy(transport, TERMS, clock, events, starter);
  sent.length = 0;
  const call = (x: Exchange): { id: number; ended: () => string | undefined } => {
    let end: string | undefined;
    void up.call('tools/call', { name: 'x' }, x).then((o) => (end = o.kind === 'fault' ? o.fault.message : o.kind));
    return { id: sent.at(-1)?.id as number, ended: () => end };
  };
  return { clock, sent, say, call };
}

describe('the clock of a call', () => {
  it('is started anew by progress, up to the most a call may take', async () => {
    const { clock, say, call, sent } = await setUp();
    const c = call(client({ progress: true }));
    for (let s = 9; s < 60; s += 9) {
      await clock.advance(9000);
      expect(c.ended(), `${s} s`).to.equal(undefined);
      say({ method: 'notifications/progress', params: { progressToken: c.id, progress: s } });
    }
    await clock.advance(9000);
    expect(c.ended()).to.equal('up did not finish within 60 seconds, the most a call may take');
    expect(sent.at(-1)).to.deep.include({ method: 'notifications/cancelled' });
  });

  it('counts silence from the last progress', async () => {
    const { clock, say, call } = await setUp();
    const c = call(client({ progress: true }));
    await clock.advance(9000);
    say({ method: 'notifications/progress', params: { progressToken: c.id, progress: 1 } });
    await clock.advance(10_001);
    expect(c.ended()).to.equal('up gave no answer within 10 seconds (request_timeout_seconds)');
  });

  it('is not moved by progress with a token of another type', async () => {
    const { clock, say, call } = await setUp();
    const x = client({ progress: true });
    const c = call(x);
    await clock.advance(9000);
    say({ method: 'notifications/progress', params: { progressToken: String(c.id), progress: 1 } });
    await clock.advance(2000);
    expect([c.ended() !== undefined, x.progressed.length]).to.deep.equal([true, 0]);
  });

  it('stands still for every call of the server while any of its questions is open', async () => {
    const { clock, say, call } = await setUp();
    let answer: (a: Answer) => void = () => undefined;
    const asked = client({ answer: () => new Promise<Answer>((resolve) => (answer = resolve)) });
    const [one, other] = [call(client()), call(asked)];
    await clock.advance(6000);
    say({ id: 'q', method: 'elicitation/create', params: {} });
    await clock.advance(1_000_000);
    expect([one.ended(), other.ended()]).to.deep.equal([undefined, undefined]);
    answer({ result: { action: 'accept' } });
    await turn();
    await clock.advance(3000);
    expect([one.ended(), other.ended()]).to.deep.equal([undefined, undefined]);
    await clock.advance(2000);
    expect(one.ended()).to.contain('10 seconds');
  });
});

describe('a question asked while no call is open', () => {
  it('waits for the next call that can carry it', async () => {
    const { clock, say, call, sent } = await setUp(client({ capabilities: { sampling: {} } }));
    say({ id: 7, method: 'sampling/createMessage', params: { _meta: { progressToken: 3 }, messages: [] } });
    await clock.advance(50_000);
    expect(sent).to.deep.equal([]);
    const x = client({ answer: () => ({ result: { model: 'm' } }) });
    call(x);
    await turn();
    expect(x.asked).to.deep.equal([{ method: 'sampling/createMessage', params: { messages: [] } }]);
    expect(sent.at(-1)).to.deep.equal({ jsonrpc: '2.0', id: 7, result: { model: 'm' } });
  });

  it('is given up after 55 seconds', async () => {
    const { clock, say, sent } = await setUp(client({ capabilities: { elicitation: {} } }));
    say({ id: 7, method: 'elicitation/create', params: {} });
    await clock.advance(55_000);
    expect(sent.at(-1)).to.have.nested.property('error.code', -32603);
  });

  it('is refused at once when the client never declared it', async () => {
    const { say, sent } = await setUp();
    say({ id: 0, method: 'sampling/createMessage', params: {} });
    say({ id: 1, method: 'roots/list' });
    say({ id: 2, method: 'tasks/list' });
    await turn();
    expect(sent.map((m) => [m.id, (m.error as Obj).code])).to.have.deep.members([
      [0, -32601],
      [1, -32601],
      [2, -32601],
    ]);
  });
});
