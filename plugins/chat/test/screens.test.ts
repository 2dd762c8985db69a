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

  describe('screens', () => {
    it('that come in the middle get the turn so far, then what comes, whoever started it', async () => {
      const id = await c.begin();
      await c.send(id, 'go');
      const stage = await c.puppet.stage(0);
      stage.emit({ type: 'text_delta', text: 'Once ' }, { type: 'text_delta', text: 'upon' });
      const late = await watch(id);
      await until(() => late.text() === 'Once upon');
      stage.emit({ type: 'text_delta', text: ' a time' }, { type: 'turn_done', stop_reason: 'end_turn' });
      await late.seen('turn_done');
      expect(late.text()).to.equal('Once upon a time');
      expect(late.events[0]?.data).to.include({ resumed: false });
      expect(late.events[0]?.data.turn_id).to.be.a('string');
      const idle = await watch(id);
      expect((await idle.seen('attached')).data.turn_id).to.equal(null);
      await c.send(id, 'more');
      (await c.puppet.stage(1)).emit({ type: 'text_delta', text: 'More.' });
      await idle.seen('text_delta');
      expect(idle.text()).to.equal('More.');
    });

    it('that come back get what they missed, and nothing twice', async () => {
      const id = await c.begin();
      const first = await watch(id);
      await c.send(id, 'go');
      const stage = await c.puppet.stage(0);
      stage.emit({ type: 'text_delta', text: 'one ' }, { type: 'note', text: 'begun anew' });
      const { id: last } = await first.seen('note');
      await first.close();
      stage.emit({ type: 'text_delta', text: 'two ' });
      stage.emit({ type: 'text_delta', text: 'three' }, { type: 'tool_call', id: 't', name: 'x', input: {} });
      const probe = await watch(id);
      await probe.seen('tool_call');
      const back = await watch(id, last);
      await back.seen('tool_call');
      expect((await back.seen('attached')).data.resumed).to.equal(true);
      expect(back.types()).to.deep.equal(['attached', 'queue_changed', 'text_delta', 'tool_call']);
      expect(back.events[2]?.data.text).to.equal('two three');
      for (const strange of ['x', 'another-3', '999999'])
        expect((await (await watch(id, strange)).seen('attached')).data.resumed).to.equal(false);
      stage.emit({ type: 'turn_done', stop_reason: 'end_turn' });
      const end = await back.seen('turn_done');
      expect((await (await watch(id, end.id)).seen('attached')).data).to.deep.include({ resumed: true, turn_id: null });
      expect((await (await watch(id, last)).seen('attached')).data).to.include({ resumed: false });
    });

    it('of a conversation that does not exist are refused before a stream is opened', async () => {
      const refused = await c.rest('GET', '/conversations/none/events');
      expect(refused.status).to.equal(404);
      expect(refused.body.error.code).to.equal('CONVERSATION_NOT_FOUND');
    });

    it('that go away cost the turn nothing', async () => {
      const id = await c.begin();
      const screen = await watch(id);
      await c.send(id, 'go');
      await screen.seen('turn_start');
      await screen.close();
      (await c.puppet.stage(0)).emit(
        { type: 'text_delta', text: 'all' },
        { type: 'turn_done', stop_reason: 'end_turn' },
      );
      await until(async () => (await c.messages(id))[1]?.status === 'complete');
    });

    it('elsewhere are told that lists look different', async () => {
      const told: unknown[] = [];
      const end = c.k.services.live.listen((e) => void (e.type === 'chat' && told.push(e['conversation'])));
      const id = await c.begin();
      await c.send(id, 'go');
      end();
      expect(told.filter((t) => t === id).length).to.be.greaterThan(1);
    });
  });
});
