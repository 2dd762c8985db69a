import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fakeClock } from '@coffer/kernel/testing';
import { definePlugin, serviceToken } from '@coffer/kernel';
import type { Chat } from '../src/plugin.js';
import { createPuppet, openChat, pluginOf, until, type ChatBench, type Screen } from './support.js';

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

  describe('agents', () => {
    it('are listed with what they want to know, whether they can be used, and never those that are not offered', async () => {
      await c.k.stop();
      const hidden = { ...createPuppet('hidden'), unlisted: true };
      const away = createPuppet('away');
      away.available = { available: false, reason: 'it is not installed' };
      const odd = createPuppet('odd');
      odd.availability = () => {
        throw new Error('no idea');
      };
      c = await openChat({ plugins: [hidden, away, odd].map(pluginOf) });
      const { agents } = (await c.rest('GET', '/agents')).body;
      expect(agents.map((a: { agent_key: string }) => a.agent_key)).to.deep.equal(['puppet', 'away', 'odd']);
      expect(agents[0]).to.deep.include({
        display_name: 'Puppet',
        available: true,
        reason: null,
        models: ['oak', 'ash'],
      });
      expect(agents[0].config_schema.properties).to.have.keys('cwd', 'model', 'strings');
      expect(agents[1]).to.deep.include({ available: false, reason: 'it is not installed' });
      expect(agents[2]).to.include({ available: false });
      for (const [key, code, status] of [
        ['hidden', 'UNKNOWN_AGENT', 400],
        ['nobody', 'UNKNOWN_AGENT', 400],
        ['away', 'AGENT_UNAVAILABLE', 409],
      ] as const) {
        const refused = await c.rest('POST', '/conversations', { agent_key: key });
        expect(refused.status, key).to.equal(status);
        expect(refused.body.error.code, key).to.equal(code);
      }
      expect((await c.rest('GET', '/conversations')).body).to.deep.equal({ conversations: [], total: 0 });
    });

    it('refuse a config that does not fit, and nothing is kept', async () => {
      const file = path.join(c.k.home, 'a-file');
      writeFileSync(file, '');
      const bad: [object, string][] = [
        [{ cwd: 'relative/path' }, 'absolute'],
        [{ cwd: path.join(c.k.home, 'nowhere') }, 'does not exist'],
        [{ cwd: file }, 'is a file'],
        [{ cwd: '/tmp/\0' }, 'no path'],
        [{ cwd: 7 }, 'string'],
        [{ strings: 12 }, '9'],
        [{ colour: 'red' }, 'colour'],
      ];
      for (const [agent_config, why] of bad) {
        const { status, body } = await c.rest('POST', '/conversations', { agent_key: 'puppet', agent_config });
        expect(status, why).to.equal(400);
        expect(body.error.code).to.equal('AGENT_CONFIG_REJECTED');
        expect(body.error.message).to.contain(why);
      }
      expect((await c.rest('POST', '/conversations', {})).status).to.equal(422);
      expect((await c.rest('GET', '/conversations')).body.total).to.equal(0);
      expect(await audit('conversation_created')).to.deep.equal([]);
    });

    it('work in the workspace of the vault unless told where', async () => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'coffer-cwd-'));
      await c.send(await c.begin(), 'hi');
      await c.send(await c.begin({ cwd: folder }), 'hi');
      expect((await c.puppet.stage(0)).turn.cwd).to.equal(path.join(c.k.home, 'workspace'));
      expect((await c.puppet.stage(1)).turn.cwd).to.equal(folder);
      rmSync(folder, { recursive: true });
    });
  });

  describe('a turn', () => {
    it('streams to the screen, is kept as it came, with its tokens and model, and is in the audit', async () => {
      const id = await c.begin({ model: 'ash' });
      const screen = await watch(id);
      const { status, body } = await c.send(id, 'What is a vault?');
      expect(status).to.equal(202);
      expect(body).to.include({ queued: false });
      const stage = await c.puppet.stage(0);
      expect(stage.turn.history).to.deep.equal([{ role: 'user', text: 'What is a vault?' }]);
      expect(stage.turn.config).to.deep.equal({ model: 'ash' });
      stage.emit({ type: 'text_delta', text: 'A pl' }, { type: 'text_delta', text: 'ace.' });
      stage.emit({ type: 'tool_call', id: 't1', name: 'look', input: { where: 'here' } });
      await screen.seen('tool_call');
      const halfway = (await c.messages(id))[1];
      expect(halfway).to.include({ role: 'assistant', status: 'streaming', seq: 1 });
      stage.emit(
        { type: 'tool_result', id: 't1', output: { content: 'found' }, is_error: false },
        { type: 'text_delta', text: 'Yes.' },
        { type: 'usage', model: 'oak', input_tokens: 12, output_tokens: 5 },
        { type: 'turn_done', stop_reason: 'end_turn' },
      );
      const done = await screen.seen('turn_done');
      expect(screen.text()).to.equal('A place.Yes.');
      // Text that comes fast may reach a screen as one piece.
      const kinds = screen.types().filter((t, i, all) => t !== 'queue_changed' && t !== all[i - 1]);
      expect(kinds).to.deep.equal([
        'attached',
        'turn_start',
        'text_delta',
        'tool_call',
        'tool_result',
        'text_delta',
        'turn_done',
      ]);
      expect(done.data).to.include({
        model_id: 'oak',
        prompt_tokens: 12,
        completion_tokens: 5,
        stop_reason: 'end_turn',
      });
      const [user, answer] = await c.messages(id);
      expect(user).to.deep.include({ seq: 0, role: 'user', content: [{ type: 'text', text: 'What is a vault?' }] });
      expect(answer).to.deep.include({
        id: done.data.message_id,
        status: 'complete',
        model_id: 'oak',
        prompt_tokens: 12,
        completion_tokens: 5,
        stop_reason: 'end_turn',
        error: null,
      });
      expect(answer.content.map((b: { type: string }) => b.type)).to.deep.equal([
        'text',
        'tool_use',
        'tool_result',
        'text',
      ]);
      expect(answer.content[2]).to.deep.include({ output: { content: 'found' }, tool_name: 'look', error: null });
      const [row] = await audit('chat_turn_completed');
      expect(row).to.deep.include({ actor: 'agent', resource_name: id });
      expect(row?.details).to.deep.equal({
        agent: 'puppet',
        model: 'oak',
        status: 'complete',
        prompt_tokens: 12,
        completion_tokens: 5,
      });
      const view = (await c.rest('GET', `/conversations/${id}`)).body;
      expect(view).to.deep.include({
        title: 'What is a vault?',
        running: false,
        tokens: { prompt: 12, completion: 5 },
      });
      await until(() => stage.disposed);
    });

    it('goes on in the agent’s own session, which no answer of ours shows', async () => {
      const id = await c.begin();
      await c.send(id, 'one');
      const first = await c.puppet.stage(0);
      expect(first.turn.sessionId).to.equal(undefined);
      first.emit(
        { type: 'session', session_id: 'own-secret-session' },
        { type: 'text_delta', text: 'eins' },
        { type: 'turn_done', stop_reason: 'end_turn' },
      );
      await until(() => first.disposed);
      await c.send(id, 'two');
      const { turn } = await c.puppet.stage(1);
      expect(turn.sessionId).to.equal('own-secret-session');
      expect(turn.history).to.deep.equal([
        { role: 'user', text: 'one' },
        { role: 'assistant', text: 'eins' },
        { role: 'user', text: 'two' },
      ]);
      for (const at of [
        `/conversations/${id}`,
        '/conversations',
        `/conversations/${id}/agent-config`,
        `/conversations/${id}/messages`,
      ])
        expect(JSON.stringify((await c.rest('GET', at)).body)).not.to.contain('own-secret');
    });

    it('runs on the model that is set for the turns to come; the rest of the config stays', async () => {
      const id = await c.begin({ model: 'oak', strings: 4 });
      const config = `/conversations/${id}/agent-config`;
      expect((await c.rest('GET', config)).body).to.deep.equal({ model: 'oak', cwd: null, strings: 4 });
      await c.send(id, 'one');
      expect((await c.rest('PATCH', config, { model: ' any/model:of-mine ' })).body).to.deep.equal({
        model: 'any/model:of-mine',
        cwd: null,
        strings: 4,
      });
      const first = await c.puppet.stage(0);
      expect(first.turn.config).to.deep.equal({ model: 'oak', strings: 4 });
      first.emit({ type: 'session', session_id: 's' }, { type: 'turn_done', stop_reason: 'end_turn' });
      await until(() => first.disposed);
      await c.send(id, 'two');
      const second = await c.puppet.stage(1);
      expect(second.turn).to.deep.include({ config: { model: 'any/model:of-mine', strings: 4 }, sessionId: 's' });
      expect((await c.rest('PATCH', config, { model: null })).body).to.deep.equal({
        model: null,
        cwd: null,
        strings: 4,
      });
      expect((await c.rest('PATCH', config, { cwd: '/' })).status).to.equal(422);
      second.emit({ type: 'turn_done', stop_reason: 'end_turn' });
      await until(async () => (await c.messages(id)).length === 4 && (await c.messages(id))[3].status === 'complete');
      expect((await c.messages(id)).map((m) => m.model_id)).to.deep.equal([null, 'oak', null, 'any/model:of-mine']);
    });

    it('that fails keeps what was said, says why, and leaves the conversation usable', async () => {
      const id = await c.begin();
      const screen = await watch(id);
      const ends: [(n: number) => Promise<void>, string, string][] = [
        [
          async (n) =>
            (await c.puppet.stage(n)).emit({ type: 'turn_failed', code: 'over_limit', message: 'Too many.' }),
          'over_limit',
          'Too many.',
        ],
        [async (n) => (await c.puppet.stage(n)).end(), 'agent_ended_early', 'without finishing'],
        [async (n) => (await c.puppet.stage(n)).throw(new TypeError('key sk-123')), 'agent_failed', 'TypeError'],
      ];
      for (const [i, [end, code, message]] of ends.entries()) {
        await c.send(id, 'go');
        (await c.puppet.stage(i)).emit({ type: 'text_delta', text: 'half' });
        await end(i);
        const told = await screen.seen('turn_error', i);
        expect(told.data.code).to.equal(code);
        expect(told.data.message).to.contain(message).and.not.contain('sk-123');
        const last = (await c.messages(id)).at(-1);
        expect(last).to.deep.include({ status: 'failed', content: [{ type: 'text', text: 'half' }] });
        expect(last.error).to.deep.include({ code });
        await until(() => c.puppet.stages[i]?.disposed === true);
      }
      expect((await audit('chat_turn_completed')).map((r) => (r.details as { status: string }).status)).to.deep.equal([
        'failed',
        'failed',
        'failed',
      ]);
    });

    it('that cannot begin is told to whoever sent it, and leaves nothing', async () => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'coffer-cwd-'));
      const id = await c.begin({ cwd: folder });
      rmSync(folder, { recursive: true });
      const refused = await c.send(id, 'hi');
      expect(refused.body.error.code).to.equal('AGENT_CONFIG_REJECTED');
      const other = await c.begin();
      await c.k.rest('POST', '/plugins/agent-puppet/disable');
      expect((await c.send(other, 'hi')).body.error.code).to.equal('AGENT_UNAVAILABLE');
      expect((await c.rest('GET', `/conversations/${other}`)).body.agent_name).to.equal(null);
      await c.k.rest('POST', '/plugins/agent-puppet/enable');
      expect(await c.messages(id)).to.deep.equal([]);
      expect(await c.messages(other)).to.deep.equal([]);
      expect((await c.send(other, 'hi')).status).to.equal(202);
    });

    it('of an agent that floods is ended, with the rest of Coffer answering all the while', async () => {
      const id = await c.begin();
      const screen = await watch(id);
      await c.send(id, 'flood');
      const stage = await c.puppet.stage(0);
      for (let i = 0; i < 9000; i++) stage.emit({ type: 'text_delta', text: 'x'.repeat(1000) });
      expect((await c.k.rest('GET', '/daemon/status')).status).to.equal(200);
      expect((await screen.seen('turn_error')).data.code).to.equal('turn_too_large');
      expect(stage.turn.signal.aborted).to.equal(true);
    });

    it('takes sixty-four kilobytes of odd characters as they are, and refuses what is empty or longer', async () => {
      const id = await c.begin();
      for (const text of ['', '   \n', 'x'.repeat(32_769)]) expect((await c.send(id, text)).status).to.equal(422);
      expect((await c.rest('POST', `/conversations/${id}/messages`, { text: 7 })).status).to.equal(422);
      expect((await c.rest('POST', `/conversations/${id}/messages`, { text: 'a', extra: 1 })).status).to.equal(422);
      expect(await c.messages(id)).to.deep.equal([]);
      const odd = `${'界'.repeat(32_000)}\u0000"\\</script>👩‍💻\u202e`;
      expect((await c.send(id, odd)).status).to.equal(202);
      expect((await c.messages(id))[0].content[0].text).to.equal(odd);
    });
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
      await clock.advance(400 * day);
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
