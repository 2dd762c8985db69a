import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
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
});
