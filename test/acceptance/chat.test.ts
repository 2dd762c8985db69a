import path from 'node:path';
import { ROOT, acceptance, startDaemon, until, type RealDaemon } from '@coffer/testing';
import { expect } from 'chai';
import { openScreen, type Screen } from '../../plugins/chat/test/support.js';
import { addTwoAgents } from '../two-agents.js';

describe('chat', function () {
  this.timeout(60_000);
  let d: RealDaemon;
  const screens: Screen[] = [];
  before(async () => {
    d = await startDaemon();
    for (const agent of ['parrot', 'messenger'])
      await d.rest('POST', '/plugins', { spec: path.join(ROOT, 'testing/agents', agent) });
  });
  afterEach(async () => void (await Promise.all(screens.splice(0).map((s) => s.close()))));
  after(() => d?.stop());
  const chat = (method: string, at: string, body?: object): ReturnType<RealDaemon['rest']> =>
    d.rest(method, `/chat${at}`, body);
  const begin = async (agent_config: object = {}): Promise<string> =>
    (await chat('POST', '/conversations', { agent_key: 'parrot', agent_config })).body.id;
  const send = (id: string, text: string): ReturnType<RealDaemon['rest']> =>
    chat('POST', `/conversations/${id}/messages`, { text });
  const watch = async (id: string): Promise<Screen> => {
    const screen = await openScreen({ url: `http://127.0.0.1:${d.port}`, token: d.token }, id);
    screens.push(screen);
    await screen.seen('queue_changed');
    return screen;
  };
  interface Kept {
    role: string;
    status: string;
    stop_reason: string | null;
    model_id: string | null;
    prompt_tokens: number;
    completion_tokens: number;
    content: { text: string }[];
  }
  const messages = async (id: string): Promise<Kept[]> =>
    (await chat('GET', `/conversations/${id}/messages`)).body.messages;
  const texts = async (id: string): Promise<(string | undefined)[]> =>
    (await messages(id)).map((m) => m.content[0]?.text);
  const settled = (id: string, n: number): Promise<unknown> =>
    until(`${n} messages that are complete`, async () => {
      const all = await messages(id);
      return all.length === n && all.every((m) => m.status !== 'streaming');
    });
  const pending = async (id: string): Promise<{ pending: string[]; paused: boolean }> =>
    (await chat('GET', `/conversations/${id}`)).body.queue;

  acceptance('008-chat', 'list available agents', async () => {
    const { agents } = (await chat('GET', '/agents')).body;
    const keys = agents.map((a: { agent_key: string }) => a.agent_key);
    expect(keys).to.include.members(['claude_code', 'codex', 'parrot']).and.not.include('builtin');
    for (const a of agents) expect(a).to.include.keys('display_name', 'available', 'reason');
    expect((await d.cli(['chat', 'agents', '--json'])).stdout).to.contain('"display_name": "Claude Code"');
    const refused = await chat('POST', '/conversations', { agent_key: 'builtin' });
    expect([refused.status, refused.body.error.code]).to.deep.equal([400, 'UNKNOWN_AGENT']);
  });

  acceptance('008-chat', 'choose an agent when starting a conversation', async () => {
    const { status, body } = await chat('POST', '/conversations', {
      agent_key: 'parrot',
      agent_config: { cwd: d.home, colour: 'green' },
    });
    expect(status).to.equal(201);
    const kept = (await chat('GET', `/conversations/${body.id}`)).body;
    expect(kept).to.deep.include({ agent_key: 'parrot', agent_config: { cwd: d.home, colour: 'green' } });
    await send(body.id, 'say Ready.');
    await settled(body.id, 2);
    expect(await texts(body.id)).to.deep.equal(['say Ready.', 'Ready.']);
  });

  acceptance('008-chat', 'reject an unknown agent or invalid agent configuration', async () => {
    const { total } = (await chat('GET', '/conversations')).body;
    const unknown = await chat('POST', '/conversations', { agent_key: 'phoenix' });
    expect([unknown.status, unknown.body.error.code]).to.deep.equal([400, 'UNKNOWN_AGENT']);
    expect(unknown.body.error.message).to.contain('parrot');
    for (const agent_config of [{ cwd: path.join(d.home, 'nowhere') }, { colour: 'red' }, { wings: 2 }]) {
      const { status, body } = await chat('POST', '/conversations', { agent_key: 'parrot', agent_config });
      expect([status, body.error.code]).to.deep.equal([400, 'AGENT_CONFIG_REJECTED']);
      expect(body.error.message).to.match(/folder does not exist|colour|wings/);
    }
    expect((await chat('GET', '/conversations')).body.total).to.equal(total);
  });

  acceptance('008-chat', 'send a message and receive a streamed reply', async () => {
    const id = await begin();
    const screen = await watch(id);
    const { status, body } = await send(id, 'words 10');
    expect([status, body.queued]).to.deep.equal([202, false]);
    const { data } = await screen.seen('turn_done');
    expect(screen.types().filter((t) => t === 'text_delta').length).to.be.greaterThan(1);
    expect(screen.text()).to.equal('1 2 3 4 5 6 7 8 9 10 ');
    const kept = (await messages(id)).at(-1);
    expect(kept).to.include({ id: data.message_id, role: 'assistant', status: 'complete' });
    expect(kept?.content[0]?.text).to.equal(screen.text());
  });

  acceptance('008-chat', 'observe a turn started from another surface', async () => {
    const { body } = await d.rest('POST', '/messenger', { text: 'say Begun.\nwords 30' });
    const id = body.conversation as string;
    await until('some words', async () => (await texts(id)).at(-1)?.includes('3 '));
    const late = await watch(id);
    expect((await late.seen('attached')).data.turn_id).to.be.a('string');
    await late.seen('turn_done');
    expect(late.types().indexOf('turn_start')).to.be.lessThan(late.types().indexOf('text_delta'));
    expect(late.text()).to.equal((await texts(id)).at(-1));
  });

  acceptance('008-chat', 'reply survives a restart', async () => {
    const id = await begin();
    await send(id, 'say Kept 世界.\ntool look {"at":"it"}\nresult seen');
    await settled(id, 2);
    const before = await messages(id);
    await d.restart();
    expect(await messages(id)).to.deep.equal(before);
    expect(before[1]?.content).to.have.length(3);
  });

  acceptance('008-chat', 'stop a running turn', async () => {
    const id = await begin();
    const screen = await watch(id);
    await send(id, 'say So far.\nhang');
    await screen.seen('text_delta');
    await chat('POST', `/conversations/${id}/interrupt`);
    expect((await screen.seen('turn_done')).data.stop_reason).to.equal('interrupted');
    expect((await messages(id))[1]).to.deep.include({ status: 'complete', stop_reason: 'interrupted' });
    await send(id, 'say Next.');
    await settled(id, 4);
    expect(await texts(id)).to.deep.equal(['say So far.\nhang', 'So far.', 'say Next.', 'Next.']);
    expect((await chat('POST', `/conversations/${id}/interrupt`)).status, 'harmless when nothing runs').to.equal(204);
  });

  acceptance('008-chat', 'token usage and audit', async () => {
    const id = await begin();
    await send(id, 'say Counted.\nusage parrot-9 1200 34');
    await settled(id, 2);
    expect((await messages(id))[1]).to.include({ prompt_tokens: 1200, completion_tokens: 34, model_id: 'parrot-9' });
    const { entries } = (await d.rest('GET', '/audit?event_type=chat_turn_completed')).body;
    const row = entries.find((e: { resource_name: string }) => e.resource_name === id);
    expect(row).to.include({ actor: 'agent' });
    expect(row.details).to.include({ agent: 'parrot', model: 'parrot-9', prompt_tokens: 1200, completion_tokens: 34 });
    expect(JSON.stringify(row)).not.to.contain('Counted');
    const shown = JSON.parse((await d.cli(['chat', 'show', id, '--json'])).stdout);
    expect(shown.conversation.tokens).to.deep.equal({ prompt: 1200, completion: 34 });
  });

  acceptance('008-chat', 'second message queues during a streaming turn', async () => {
    const id = await begin();
    const [here, there] = [await watch(id), await watch(id)];
    await send(id, 'hang');
    expect((await send(id, 'say later')).body).to.include({ queued: true, turn_id: null });
    for (const screen of [here, there])
      await until('it waits on every screen', () => screen.events.at(-1)?.data.pending?.[0] === 'say later');
    expect(await texts(id)).to.deep.equal(['hang', undefined]);
    expect(await pending(id)).to.deep.include({ pending: ['say later'], paused: false });
    await chat('DELETE', `/conversations/${id}`);
  });

  acceptance('008-chat', 'a queued message runs after the current turn', async () => {
    const id = await begin();
    await send(id, 'words 5');
    await send(id, 'say second');
    await send(id, 'say third');
    await settled(id, 6);
    expect((await texts(id)).filter((_, i) => i % 2 === 1)).to.deep.equal(['1 2 3 4 5 ', 'second', 'third']);
  });

  acceptance('008-chat', 'interrupting a turn pauses the pending queue', async () => {
    const id = await begin();
    await send(id, 'say Part.\nhang');
    await until('it runs', async () => (await texts(id))[1] === 'Part.');
    for (const text of ['say a', 'say b']) await send(id, text);
    await chat('POST', `/conversations/${id}/interrupt`);
    expect(await texts(id)).to.deep.equal(['say Part.\nhang', 'Part.']);
    expect(await pending(id)).to.deep.include({ pending: ['say a', 'say b'], paused: true });
    await chat('PUT', `/conversations/${id}/pending`, { pending: ['say b'] });
    await settled(id, 4);
    expect((await texts(id)).at(-1)).to.equal('b');
    expect(await pending(id)).to.deep.include({ pending: [], paused: false });
  });

  acceptance('008-chat', 'manage conversations', async () => {
    const [one, two] = [await begin(), await begin()];
    for (const id of [one, two]) await send(id, 'say hi');
    await chat('PATCH', `/conversations/${one}`, { title: 'Renamed' });
    const list = async (): Promise<[string, string][]> =>
      (await chat('GET', '/conversations?limit=200')).body.conversations.map((c: { id: string; title: string }) => [
        c.id,
        c.title,
      ]);
    expect(await list()).to.deep.include.members([
      [one, 'Renamed'],
      [two, 'say hi'],
    ]);
    await settled(one, 2);
    await chat('DELETE', `/conversations/${one}`);
    expect((await list()).map(([id]) => id)).not.to.include(one);
    expect((await chat('GET', `/conversations/${one}/messages`)).status).to.equal(404);
    expect((await messages(two)).length).to.equal(2);
  });

  acceptance('008-chat', 'archive and restore a conversation', async () => {
    const id = await begin();
    await send(id, 'say keep this');
    await settled(id, 2);
    const ids = async (archived: boolean): Promise<string[]> =>
      (await chat('GET', `/conversations?limit=200&archived=${archived}`)).body.conversations.map(
        (c: { id: string }) => c.id,
      );
    expect((await d.cli(['chat', 'archive', id])).code).to.equal(0);
    expect([(await ids(false)).includes(id), (await ids(true)).includes(id)]).to.deep.equal([false, true]);
    expect(await texts(id)).to.deep.equal(['say keep this', 'keep this']);
    await chat('POST', `/conversations/${id}/unarchive`);
    expect([(await ids(false)).includes(id), (await ids(true)).includes(id)]).to.deep.equal([true, false]);
    expect((await chat('POST', '/conversations/none/archive')).body.error.code).to.equal('CONVERSATION_NOT_FOUND');
  });

  acceptance('008-chat', 'model selection is recorded', async () => {
    const id = await begin();
    await send(id, 'say one');
    await settled(id, 2);
    await chat('PATCH', `/conversations/${id}/agent-config`, { model: 'parrot-2' });
    await send(id, 'say two');
    await settled(id, 4);
    expect((await messages(id)).map((m) => m.model_id)).to.deep.equal([null, 'parrot-1', null, 'parrot-2']);
  });

  acceptance('008-chat', 'skills are reachable as tools', async () => {
    const agents = await addTwoAgents(d);
    try {
      const folder = path.join(agents.dir, 'greeting');
      agents.skill(folder, 'How to greet.');
      expect((await d.cli(['skill', 'import', folder, '--all'])).code).to.equal(0);
      const client = await d.shim({ args: ['--agent', 'codex'] });
      const names = (await client.listTools()).tools.map((t) => t.name);
      expect(names).to.include.members(['coffer__list_skills', 'coffer__load_skill']);
      const loaded = await client.callTool({ name: 'coffer__load_skill', arguments: { name: 'greeting' } });
      expect(JSON.stringify(loaded)).to.contain('How to greet.');
    } finally {
      agents.done();
    }
  });
});
