import { expect } from 'chai';
import { definePlugin, serviceToken } from '@coffer/kernel';
import { fakeClock } from '@coffer/kernel/testing';
import type { Chat } from '../src/plugin.js';
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
  const audit = async (event: string): Promise<{ actor: string; details: object; resource_name: string }[]> =>
    (await c.k.rest('GET', `/audit?event_type=${event}`)).body.entries;

  describe('conversations', () => {
    it('are listed by their newest message, in pages, and found by a part of their title', async () => {
      const ids: string[] = [];
      for (const title of ['Build is slow', '导出接口改成流式', 'ＢＵＩＬＤ 2', '100%_sure']) {
        const id = await c.begin();
        ids.push(id);
        await c.rest('PATCH', `/conversations/${id}`, { title });
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
      await c.send(ids[0] ?? '', 'hello');
      const titles = async (query: string): Promise<string[]> =>
        (await c.rest('GET', `/conversations${query}`)).body.conversations.map((v: { title: string }) => v.title);
      expect((await titles(''))[0]).to.equal('Build is slow');
      expect(await titles('?search=build')).to.have.members(['Build is slow', 'ＢＵＩＬＤ 2']);
      expect(await titles(`?search=${encodeURIComponent('流')}`)).to.deep.equal(['导出接口改成流式']);
      expect(await titles(`?search=${encodeURIComponent('0%_')}`)).to.deep.equal(['100%_sure']);
      expect(await titles('?limit=2&offset=3')).to.have.length(1);
      expect((await c.rest('GET', '/conversations?limit=0')).status).to.equal(400);
    });

    it('get a title from their first message, unless they were given one', async () => {
      const [named, other] = [await c.begin(), await c.begin()];
      await c.rest('PATCH', `/conversations/${named}`, { title: '  My   own ' });
      for (const id of [named, other]) await c.send(id, 'Say something\nnice');
      expect((await c.rest('GET', `/conversations/${named}`)).body.title).to.equal('My own');
      expect((await c.rest('GET', `/conversations/${other}`)).body.title).to.equal('Say something nice');
    });

    it('go into the archive and back, and a new message brings one back too', async () => {
      const id = await c.begin();
      await c.rest('POST', `/conversations/${id}/archive`);
      expect((await c.rest('GET', '/conversations')).body.total).to.equal(0);
      expect((await c.rest('GET', '/conversations?archived=true')).body.conversations[0].id).to.equal(id);
      await c.rest('POST', `/conversations/${id}/archive`);
      expect(await audit('conversation_archived')).to.have.length(1);
      await c.rest('POST', `/conversations/${id}/unarchive`);
      expect((await c.rest('GET', '/conversations')).body.total).to.equal(1);
      await c.rest('POST', `/conversations/${id}/archive`);
      await c.send(id, 'hello again');
      expect((await c.rest('GET', `/conversations/${id}`)).body.archived_at).to.equal(null);
      expect((await c.rest('POST', '/conversations/none/archive')).status).to.equal(404);
    });

    it('that are deleted in the middle of a turn leave no row, no stream and no agent', async () => {
      const id = await c.begin();
      const screen = await watch(id);
      await c.send(id, 'go');
      await c.send(id, 'waits');
      const stage = await c.puppet.stage(0);
      stage.emit({ type: 'text_delta', text: 'x' });
      await screen.seen('text_delta');
      expect((await c.rest('DELETE', `/conversations/${id}`)).status).to.equal(204);
      stage.emit({ type: 'session', session_id: 'late' }, { type: 'turn_done', stop_reason: 'end_turn' });
      await until(() => screen.ended && stage.disposed);
      expect(c.puppet.forgotten).to.deep.equal([id]);
      expect((await c.rest('GET', `/conversations/${id}`)).status).to.equal(404);
      const rows = c.k.services.db.prepare('SELECT count(*) AS n FROM chat_messages').get();
      expect(rows).to.deep.equal({ n: 0 });
      expect(await audit('conversation_deleted')).to.have.length(1);
      expect(c.puppet.stages).to.have.length(1);
      expect((await c.rest('DELETE', `/conversations/${id}`)).status).to.equal(404);
    });

    it('of two thousand messages open page by page', async () => {
      const id = await c.begin();
      const add = c.k.services.db.prepare(
        "INSERT INTO chat_messages (id, conversation_id, seq, role, content_json, status, created_at) VALUES (?, ?, ?, 'user', '[]', 'complete', 'x')",
      );
      c.k.services.db.transaction(() => {
        for (let i = 0; i < 2000; i++) add.run(`m${i}`, id, i);
      })();
      const page = async (query = ''): Promise<number[]> =>
        (await c.rest('GET', `/conversations/${id}/messages${query}`)).body.messages.map((m: { seq: number }) => m.seq);
      expect(await page()).to.deep.equal(Array.from({ length: 200 }, (_, i) => 1800 + i));
      expect(await page('?before=3')).to.deep.equal([0, 1, 2]);
      expect((await c.rest('GET', `/conversations/${id}/messages?limit=1`)).body.total).to.equal(2000);
    });

    it('bound to a channel say so, and what comes over it is on the same bus and in the same queue', async () => {
      await c.k.stop();
      let over: Chat | undefined;
      const messenger = definePlugin({
        name: 'messenger',
        apiVersion: 1,
        requires: ['chat'],
        register: (kernel) => void (over = kernel.use(serviceToken<Chat>('chat'))),
      });
      c = await openChat({ plugins: [messenger] });
      const channel = { channel_name: 'phone-bot', peer_chat_id: '42' };
      const made = await over?.create({ agent_key: 'puppet', channel }, 'system');
      const id = made?.id ?? '';
      expect((await c.rest('GET', '/conversations')).body.conversations[0]).to.include(channel);
      const screen = await watch(id);
      await screen.seen('attached');
      const sent = over?.send(id, { text: '[context] hello', title: 'hello', from: 'phone-bot' });
      over?.send(id, { text: 'and this', from: 'phone-bot' });
      expect((await screen.seen('turn_start')).data.item_id).to.equal(sent?.item_id);
      await until(() => screen.events.at(-1)?.data.items?.[0]?.from === 'phone-bot');
      expect((await c.rest('GET', `/conversations/${id}`)).body).to.include({ title: 'hello', waiting: 1 });
    });
  });

  describe('time', () => {
    it('ends an agent that says nothing, but not one whose tool works', async () => {
      await c.k.stop();
      const clock = fakeClock();
      c = await openChat({ clock });
      const [silent, working] = [await c.begin(), await c.begin()];
      await c.send(silent, 'go');
      await c.send(working, 'go');
      const [quiet, busy] = [await c.puppet.stage(0), await c.puppet.stage(1)];
      quiet.emit({ type: 'text_delta', text: 'hm' });
      busy.emit({ type: 'tool_call', id: 't', name: 'build', input: {} });
      const screen = await watch(working);
      await screen.seen('tool_call');
      await clock.advance(11 * 60_000);
      const [, cut] = await c.messages(silent);
      expect(cut).to.deep.include({ status: 'failed', content: [{ type: 'text', text: 'hm' }] });
      expect(cut.error.code).to.equal('turn_timeout');
      expect((await c.messages(working))[1].status).to.equal('streaming');
      await clock.advance(60 * 60_000);
      expect((await c.messages(working))[1].error.code).to.equal('turn_timeout');
      await until(() => quiet.disposed && busy.disposed);
    });

    it('goes on without an agent that does not clean up', async () => {
      await c.k.stop();
      const clock = fakeClock();
      c = await openChat({ clock });
      c.puppet.cleanup = new Promise(() => undefined);
      const id = await c.begin();
      await c.send(id, 'first');
      await c.puppet.stage(0);
      await c.rest('POST', `/conversations/${id}/interrupt`);
      await c.send(id, 'second');
      await clock.advance(10_000);
      expect((await c.puppet.stage(1)).turn.history.at(-1)?.text).to.equal('second');
      const stopping = c.k.stop();
      await until(async () => (await clock.advance(10_000), true));
      await clock.advance(10_000);
      await stopping;
      c = await openChat();
    });

    it('moves idle conversations into the archive and archived ones away; either may be kept for ever', async () => {
      await c.k.stop();
      const clock = fakeClock();
      c = await openChat({ clock });
      const day = 86_400_000;
      const [old, recent, kept] = [await c.begin(), await c.begin(), await c.begin()];
      await clock.advance(6 * day);
      await c.send(recent, 'still here');
      await c.rest('POST', `/conversations/${kept}/archive`);
      await clock.advance(2 * day);
      await c.k.services.retention.prune();
      const list = async (query = ''): Promise<string[]> =>
        (await c.rest('GET', `/conversations${query}`)).body.conversations.map((v: { id: string }) => v.id);
      expect(await list()).to.deep.equal([recent]);
      expect(await list('?archived=true')).to.have.members([old, kept]);
      await clock.advance(29 * day);
      await c.k.services.retention.prune();
      expect(c.puppet.forgotten).to.deep.equal([kept]);
      expect(await list('?archived=true')).to.have.members([old, recent]);
      expect(await list()).to.deep.equal([]);
      await c.k.rest('PATCH', '/retention/policies/chat_archived', { retention_days: null });
      await clock.advance(40 * day);
      await c.k.services.retention.prune();
      expect(await list('?archived=true')).to.have.members([old, recent]);
      const policies = (await c.k.rest('GET', '/retention/policies')).body;
      expect(JSON.stringify(policies)).to.contain('chat_idle').and.contain('Archived conversations');
    });

    it('that was set back does not disturb the order of messages', async () => {
      await c.k.stop();
      let now = Date.parse('2026-05-01T00:00:00Z');
      const { now: _, ...timers } = fakeClock();
      c = await openChat({ clock: { ...timers, now: () => now } });
      const id = await c.begin();
      for (const [n, text] of ['a', 'b'].entries()) {
        await c.send(id, text);
        (await c.puppet.stage(n)).emit({ type: 'turn_done', stop_reason: 'end_turn' });
        await until(() => c.puppet.stages[n]?.disposed === true);
        now -= 86_400_000;
      }
      expect((await c.messages(id)).map((m) => m.content[0]?.text ?? '')).to.deep.equal(['a', '', 'b', '']);
    });
  });
});
