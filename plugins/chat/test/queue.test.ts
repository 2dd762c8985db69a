import { expect } from 'chai';
import { openChat, until, type ChatBench, type Screen } from './support.js';

describe('chat', () => {
  let c: ChatBench;
  const screens: Screen[] = [];
  const watch = async (id: string, lastId?: string): Promise<Screen> => {
    const s = await c.watch(id, lastId);
    screens.push(s);
    return s;
  };
  beforeEach(async () => {
    c = await openChat();
  });
  afterEach(async () => {
    await Promise.all(screens.splice(0).map((s) => s.close()));
    await c.k.stop();
  });

  describe('the queue', () => {
    it('takes what is sent in the middle of a turn, tells every screen, and runs it afterwards, one turn each', async () => {
      const id = await c.begin();
      const [one, two] = [await watch(id), await watch(id)];
      await c.send(id, 'first');
      const answers = await Promise.all(['second', 'third'].map((t) => c.send(id, t)));
      expect(answers.map((a) => a.body.queued)).to.deep.equal([true, true]);
      for (const screen of [one, two]) {
        await until(() => screen.events.at(-1)?.data.pending?.length === 2);
        expect(screen.events.at(-1)?.data).to.deep.include({ pending: ['second', 'third'], paused: false });
      }
      expect((await c.messages(id)).length).to.equal(2);
      for (let n = 0; n < 3; n++)
        (await c.puppet.stage(n)).emit(
          { type: 'text_delta', text: `${n}` },
          { type: 'turn_done', stop_reason: 'end_turn' },
        );
      await two.seen('turn_done', 2);
      const said = (await c.messages(id)).map((m) => m.content[0].text);
      expect(said).to.deep.equal(['first', '0', 'second', '1', 'third', '2']);
      expect((await c.messages(id)).map((m) => m.seq)).to.deep.equal([0, 1, 2, 3, 4, 5]);
    });

    it('is held back by an interrupt, with what was done kept, until the owner resumes, drops or sends', async () => {
      const id = await c.begin();
      const screen = await watch(id);
      await c.send(id, 'first');
      const stage = await c.puppet.stage(0);
      stage.emit({ type: 'text_delta', text: 'so far' }, { type: 'tool_call', id: 't', name: 'dig', input: {} });
      await screen.seen('tool_call');
      for (const t of ['a', 'b', 'c']) await c.send(id, t);
      expect((await c.rest('POST', `/conversations/${id}/interrupt`)).status).to.equal(204);
      expect((await screen.seen('turn_done')).data.stop_reason).to.equal('interrupted');
      await until(() => stage.disposed);
      const [, cut] = await c.messages(id);
      expect(cut).to.include({ status: 'complete', stop_reason: 'interrupted' });
      expect(cut.content).to.have.length(2);
      const held = (await c.rest('GET', `/conversations/${id}`)).body.queue;
      expect(held).to.deep.include({ pending: ['a', 'b', 'c'], paused: true });
      expect(c.puppet.stages).to.have.length(1);
      const put = (pending: string[], revision?: number): ReturnType<ChatBench['rest']> =>
        c.rest('PUT', `/conversations/${id}/pending`, { pending, ...(revision !== undefined && { revision }) });
      expect((await put(['b', 'a'], held.revision - 1)).body.error.code).to.equal('RESOURCE_STALE');
      expect((await put(['b', ''])).status).to.equal(422);
      const resumed = await put(['c', 'a'], held.revision);
      expect(resumed.body).to.deep.include({ pending: ['a'], paused: false });
      expect((await c.puppet.stage(1)).turn.history.at(-1)?.text).to.equal('c');
    });

    it('lets a send after an interrupt go to the tail', async () => {
      const id = await c.begin();
      await c.send(id, 'first');
      await c.send(id, 'waited');
      await c.puppet.stage(0);
      await c.rest('POST', `/conversations/${id}/interrupt`);
      await c.send(id, 'new');
      expect((await c.puppet.stage(1)).turn.history.at(-1)?.text).to.equal('waited');
      expect((await c.rest('GET', `/conversations/${id}`)).body.queue.pending).to.deep.equal(['new']);
    });

    it('of two hundred runs in order, and a full one refuses with a reason', async () => {
      const id = await c.begin();
      await c.send(id, 'go');
      for (let i = 0; i < 200; i++) await c.send(id, `m${i}`);
      const many = Array.from({ length: 501 }, (_, i) => `x${i}`);
      expect((await c.rest('PUT', `/conversations/${id}/pending`, { pending: many })).status).to.equal(422);
      for (let n = 0; n <= 200; n++) (await c.puppet.stage(n)).emit({ type: 'turn_done', stop_reason: 'end_turn' });
      await until(() => c.puppet.stages[200]?.disposed === true);
      const said = c.puppet.stages.map((s) => s.turn.history.at(-1)?.text);
      expect(said).to.deep.equal(['go', ...Array.from({ length: 200 }, (_, i) => `m${i}`)]);
      await c.send(id, 'again');
      await c.rest('PUT', `/conversations/${id}/pending`, { pending: many.slice(0, 500) });
      expect((await c.send(id, 'one more')).body.error.code).to.equal('QUEUE_FULL');
    }).timeout(20_000);

    it('keeps a message that could not begin at its head, and tells every screen why', async () => {
      const id = await c.begin();
      const screen = await watch(id);
      await c.send(id, 'first');
      await c.send(id, 'second');
      c.puppet.broken = new Error('out of strings');
      (await c.puppet.stage(0)).emit({ type: 'turn_done', stop_reason: 'end_turn' });
      expect((await screen.seen('turn_error')).data.code).to.equal('INTERNAL_ERROR');
      await until(() => screen.events.at(-1)?.data.paused === true);
      expect(screen.events.at(-1)?.data.pending).to.deep.equal(['second']);
      expect(await c.messages(id)).to.have.length(2);
      c.puppet.broken = undefined;
      await c.rest('PUT', `/conversations/${id}/pending`, { pending: ['second'] });
      expect((await c.puppet.stage(1)).turn.history.at(-1)?.text).to.equal('second');
    });
  });

  describe('an interrupt', () => {
    it('is harmless while nothing runs', async () => {
      const id = await c.begin();
      expect((await c.rest('POST', `/conversations/${id}/interrupt`)).status).to.equal(204);
      expect(await c.messages(id)).to.deep.equal([]);
      expect((await c.rest('POST', '/conversations/none/interrupt')).body.error.code).to.equal(
        'CONVERSATION_NOT_FOUND',
      );
    });

    it('ends the turn at once, yet the next waits until the agent has cleaned up', async () => {
      const id = await c.begin();
      let cleaned = (): void => undefined;
      c.puppet.cleanup = new Promise((resolve) => (cleaned = resolve));
      await c.send(id, 'first');
      await c.puppet.stage(0);
      await c.rest('POST', `/conversations/${id}/interrupt`);
      expect((await c.messages(id))[1].stop_reason).to.equal('interrupted');
      expect((await c.send(id, 'second')).body.queued).to.equal(true);
      expect(c.puppet.stages).to.have.length(1);
      cleaned();
      expect((await c.puppet.stage(1)).turn.history.at(-1)?.text).to.equal('second');
    });
  });
});
