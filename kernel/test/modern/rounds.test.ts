import { expect } from 'chai';
import { createTestKernel, fakeClock, type FakeClock, type TestKernel } from '@coffer/kernel/testing';
import type { Answer, Exchange, Outcome } from '../../src/gateway/seam.js';
import { until } from '../support/kernels.js';
import { modernClient, type ModernClient, type Said } from '../support/modern.js';
import { offering, result, server, type FakeServer } from '../support/sources.js';

const form = (message: string): { method: string; params: object } => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } },
});
const accept = (value: unknown): object => ({ action: 'accept', content: { value } });
const said = (a: Answer): unknown =>
  'result' in a ? (a.result['content']?.value ?? a.result['action']) : 'error' in a ? a.error.code : 'moved';

describe('a question of an older server, in the middle of a call of a newer client', () => {
  let k: TestKernel;
  let clock: FakeClock;
  let ask: ModernClient;
  let a: FakeServer;
  let off = false;
  let runs = 0;
  beforeEach(async () => {
    clock = fakeClock();
    a = server('a', { lists: { tools: [] } });
    off = false;
    runs = 0;
    const guard = offering([a], (kernel) =>
      kernel.tap(kernel.hooks.gateway.admit, () => (off ? { name: 'DISABLED', message: 'switched off' } : undefined)),
    );
    k = await createTestKernel({ plugins: [guard], clock });
    const client = modernClient(k.url, k.token);
    // Time stands still: what settles does so when it is told to.
    ask = async (...args) => {
      let done = false;
      const answer = client(...args).finally(() => (done = true));
      while (!done) {
        await clock.advance(5);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return answer;
    };
  });
  afterEach(() => k.stop());
  const asking = (work: (x: Exchange) => Promise<unknown>): void => {
    a.onCall = async (_m, _p, x): Promise<Outcome> => {
      runs++;
      const text = await work(x);
      return x.signal.aborted
        ? { kind: 'fault', fault: x.signal.reason }
        : result({ content: [{ type: 'text', text }] });
    };
  };
  const first = (o = {}): Promise<Said> => ask('tools/call', { name: 'a__t', arguments: { z: 1 } }, o);
  const again = (state: unknown, inputResponses: object | undefined, more: object = {}, o = {}): Promise<Said> =>
    ask('tools/call', { name: 'a__t', arguments: { z: 1 }, requestState: state, inputResponses, ...more }, o);

  it('becomes input_required with a state, and the retry carries the same call on', async () => {
    asking(async (x) => `${said(await x.ask(form('one?')))}+${said(await x.ask(form('two?')))}`);
    const one = await first();
    expect(one.result.resultType).to.equal('input_required');
    expect(one.result.inputRequests).to.have.all.keys('q1');
    expect(one.result.inputRequests.q1.params.message).to.equal('one?');
    expect(one.result).to.not.have.property('ttlMs');
    const two = await again(one.result.requestState, { q1: accept('A') });
    expect(two.result.inputRequests.q2.params.message).to.equal('two?');
    const three = await again(two.result.requestState, { q2: accept('B'), unknown: accept('ignored') });
    expect(three.text).to.equal('A+B');
    expect(runs).to.equal(1);
    await clock.advance(50);
    await until('the row', () => k.services.invocations.list({ limit: 5 }).invocations.length === 1);
    expect(k.services.invocations.list({ limit: 5 }).invocations[0]).to.include({ status: 'ok', rounds: 2 });
  });

  it('asked together goes out together; what was not answered is asked again', async () => {
    asking(async (x) => (await Promise.all([x.ask(form('left?')), x.ask(form('right?'))])).map(said).join('|'));
    const one = await first();
    expect(one.result.inputRequests).to.have.all.keys('q1', 'q2');
    const two = await again(one.result.requestState, { q2: accept('R') });
    expect(two.result.inputRequests).to.have.all.keys('q1');
    expect((await again(two.result.requestState, { q1: accept('L') })).text).to.equal('L|R');
  });

  it('is answered once: the same retry gets the same reply, others are refused', async () => {
    asking(async (x) => said(await x.ask(form('one?'))));
    const { requestState } = (await first()).result;
    const done = await again(requestState, { q1: accept('A') });
    expect(done.text).to.equal('A');
    expect((await again(requestState, { q1: accept('A') })).text).to.equal('A');
    expect((await again(requestState, { q1: accept('B') })).error.code).to.equal(-32602);
    expect(runs).to.equal(1);
    await clock.advance(61_000);
    expect((await again(requestState, { q1: accept('A') })).error.code).to.equal(-32602);
  });

  it('refuses states that are forged, foreign, truncated, of another call or too old, all in the same words', async () => {
    asking(async (x) => said(await x.ask(form('one?'))));
    const { requestState: state } = (await first()).result as { requestState: string };
    const flipped = state.slice(0, -2) + (state.endsWith('A') ? 'BB' : 'AA');
    const answers = { q1: accept('A') };
    const replies = [
      await again(flipped, answers),
      await again(state.slice(0, 30), answers),
      await again(`coffer.p1.${'x'.repeat(80)}`, answers),
      await again(state, answers, { arguments: { z: 2 } }),
      await again(state, answers, {}, { client: 'another' }),
    ];
    const words = new Set(replies.map((r) => `${r.error.code} ${r.error.message}`));
    expect([...words]).to.have.length(1);
    expect([...words][0]).to.match(/^-32602 .*call again/);
    expect((await again(state, { q1: { action: 'nonsense' } })).error.message).to.include('q1');
    expect((await again(state, answers)).text).to.equal('A');
    const late = (await first()).result.requestState as string;
    await clock.advance(601_000);
    expect((await again(late, answers)).error.code).to.equal(-32602);
  });

  it('lapses after ten minutes: the server hears that the person did not answer, and the call ends', async () => {
    let heard: Answer | undefined;
    asking(async (x) => said((heard = await x.ask(form('anybody?')))));
    await first();
    await clock.advance(600_500);
    expect(heard).to.deep.equal({ result: { action: 'cancel' } });
  });

  it('is admitted again with each answer: what was switched off in between ends the call', async () => {
    asking(async (x) => said(await x.ask(form('one?'))));
    const { requestState } = (await first()).result;
    off = true;
    const refused = await again(requestState, { q1: accept('A') });
    expect(refused.error).to.include({ code: -33000, message: 'switched off' });
  });

  it('has limits: rounds of a call, parked calls of a client', async () => {
    asking(async (x) => {
      for (let i = 0; i < 30; i++) if (said(await x.ask(form(`${i}?`))) === 'cancel') return 'gave up';
      return 'all';
    });
    let r = await first();
    let rounds = 0;
    while (r.result?.resultType === 'input_required') {
      const [key = ''] = Object.keys(r.result.inputRequests as object);
      r = await again(r.result.requestState, { [key]: accept(1) });
      rounds++;
    }
    expect(rounds).to.equal(16);
    expect(r.error.message).to.include('16 rounds');

    asking(async (x) => said(await x.ask(form('wait?'))));
    for (let i = 0; i < 32; i++) expect((await first({ client: 'many' })).result.resultType).to.equal('input_required');
    expect((await first({ client: 'many' })).error.message).to.include('32 calls');
    expect((await first({ client: 'few' })).result.resultType).to.equal('input_required');
  });

  it('that the client did not declare is told to the server at once', async () => {
    asking(async (x) => String(said(await x.ask(form('one?')))));
    expect((await first({ capabilities: { sampling: {} } })).text).to.equal('-32601');
  });

  it('a state that is not ours passes to the server as it came', async () => {
    let retry: Exchange['retry'];
    a.onCall = (_m, params, x) => {
      retry = x.retry;
      expect(params).to.not.have.any.keys('requestState', 'inputResponses');
      return result({ content: [] });
    };
    await again('theirs', { user_name: accept('x') });
    expect(retry).to.deep.equal({ state: 'theirs', responses: { user_name: accept('x') } });
  });

  it('an input outcome of a newer server passes verbatim', async () => {
    a.onCall = () => ({ kind: 'input', requests: { user_name: form('name?') }, state: 'theirs', more: { extra: 1 } });
    const { result: r } = await first();
    expect(r).to.deep.include({ resultType: 'input_required', requestState: 'theirs', extra: 1 });
    expect(r.inputRequests.user_name).to.deep.equal(form('name?'));
  });

  it('a client that is gone leaves nothing parked', async () => {
    let reason: unknown;
    asking(async (x) => {
      const answer = await x.ask(form('one?'));
      reason = x.signal.reason;
      return said(answer);
    });
    await first();
    const leash = new AbortController();
    const held = await fetch(`${k.url}/mcp/leash`, {
      signal: leash.signal,
      headers: { 'x-coffer-token': k.token, 'x-coffer-client': 'one' },
    });
    expect(held.status).to.equal(200);
    leash.abort();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await clock.advance(11_000);
    await until('the end', () => reason !== undefined);
    expect(a.opened.at(-1)?.closed).to.not.equal('no');
  });
});
