import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT, acceptance, startOpenAi, until, type Service } from '@coffer/testing';
import plugin from '../../plugins/agent-codex/src/plugin.js';
import { openAgents, type AgentBench } from './bench.js';

describe('codex in a conversation', function () {
  this.timeout(120_000);
  let service: Service;
  let b: AgentBench;
  before(async function () {
    this.timeout(300_000);
    service = await startOpenAi();
    b = await openAgents(plugin, 'codex');
    const codex = path.join(b.home, '.codex');
    mkdirSync(codex);
    writeFileSync(
      path.join(codex, 'config.toml'),
      `model = "stand-in-1"
model_provider = "standin"
check_for_update_on_startup = false
[model_providers.standin]
name = "standin"
base_url = "${service.url}/v1"
env_key = "STANDIN_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[mcp_servers.everything]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(path.join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'))}, "stdio"]
`,
    );
    b.setEnv({ STANDIN_KEY: 'dummy', COFFER_SECRET_OF_OURS: 'not for agents' });
  });
  after(async () => {
    await b?.close();
    await service?.close();
  });
  afterEach(async () =>
    until('no process is left', () => b.processes().length === 0, 5000).catch(() =>
      expect(b.processes()).to.deep.equal([]),
    ),
  );

  it('is available when its program is on the PATH, and listed when it is not', async () => {
    const agent = async (): Promise<{ available: boolean; reason: string | null }> =>
      (await b.rest('GET', '/agents')).body.agents[0];
    expect(await agent()).to.deep.include({ agent_key: 'codex', display_name: 'Codex', available: true });
    const { PATH } = process.env;
    process.env['PATH'] = '/usr/bin:/bin';
    try {
      expect(await agent()).to.deep.include({ available: false, reason: 'codex was not found on the PATH' });
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  it('answers, word by word, with its tokens and model, and goes on in its own session', async () => {
    const id = await b.begin();
    const first = await b.ask(id, 'Grüße, 世界 👩‍💻');
    expect(first).to.deep.include({
      status: 'complete',
      stop_reason: 'end_turn',
      model_id: 'stand-in-1',
      prompt_tokens: 11,
      completion_tokens: 7,
    });
    expect(first.text).to.equal('You said: Grüße, 世界 👩‍💻');
    expect((await b.ask(id, 'RECALL')).text).to.contain('Before: ["Grüße, 世界 👩‍💻"]');
    expect((await b.ask(id, 'THINK boxes')).content.map((c) => c.type)).to.deep.equal(['thinking', 'text']);
  });

  acceptance('008-chat', "set a managed agent's model per conversation", async () => {
    const id = await b.begin();
    await b.ask(id, 'first');
    const set = async (model: string | null): Promise<object> =>
      (await b.rest('PATCH', `/conversations/${id}/agent-config`, { model })).body;
    expect(await set('stand-in-2')).to.deep.equal({ model: 'stand-in-2', cwd: b.cwd });
    const second = await b.ask(id, 'RECALL');
    expect(second.model_id).to.equal('stand-in-2');
    expect(second.text, 'the same session').to.contain('first');
    expect(service.requests.at(-1)?.body.model).to.equal('stand-in-2');
    expect(await set(null)).to.deep.equal({ model: null, cwd: b.cwd });
    expect((await b.ask(id, 'RECALL')).text).to.contain('first');
    expect(service.requests.at(-1)?.body.model).to.equal('stand-in-1');
  });

  acceptance('008-chat', 'chat runs on the built-in model when no connection', async () => {
    const answer = await b.ask(await b.begin({}), 'hello');
    expect(answer).to.include({ status: 'complete', text: 'You said: hello', model_id: 'stand-in-1' });
    expect(service.requests.at(-1)?.body.model).to.equal('stand-in-1');
  });

  it('runs commands in its folder with all permissions, and sees nothing of Coffer’s', async () => {
    const id = await b.begin();
    const answer = await b.ask(id, 'SHELL pwd; echo "[$COFFER_SECRET_OF_OURS]"; touch made-here');
    expect(answer.content.map((c) => c.type)).to.deep.equal(['text', 'tool_use', 'tool_result', 'text']);
    expect(answer.content[1]).to.deep.include({ tool_name: 'shell' });
    expect(answer.content[2].output.content).to.equal(`${b.cwd}\n[]\n`);
    expect(existsSync(path.join(b.cwd, 'made-here'))).to.equal(true);
    const failed = await b.ask(id, 'SHELL echo no; exit 3');
    expect(failed.content[2]).to.deep.include({ output: null, error: 'no\n\nexit code 3' });
    expect(failed.status).to.equal('complete');
  });

  it('calls tools of MCP servers, and those calls are shown', async () => {
    const id = await b.begin();
    const answer = await b.ask(id, 'TOOL mcp__everything/echo {"message":"over MCP"}');
    expect(answer.content[0]).to.deep.include({ tool_name: 'everything__echo', tool_input: { message: 'over MCP' } });
    expect(JSON.stringify(answer.content[1].output)).to.contain('over MCP');
  });

  it('is stopped with what it had said kept and no process left, also while it starts', async () => {
    const id = await b.begin();
    await b.send(id, 'SLOW 400');
    await until('some words', async () => ((await b.messages(id))[1]?.text.length ?? 0) > 15);
    await b.rest('POST', `/conversations/${id}/interrupt`);
    const [, cut] = await b.messages(id);
    expect(cut).to.deep.include({ status: 'complete', stop_reason: 'interrupted' });
    expect(cut?.text).to.match(/^(tick )+/);
    await until('no process is left', () => b.processes().length === 0, 8000);
    expect((await b.ask(id, 'RECALL')).text).to.contain('SLOW 400');
    await until('no process is left', () => b.processes().length === 0, 8000);
    await b.send(id, 'SLOW 400');
    await until('it runs', async () => (await b.rest('GET', `/conversations/${id}`)).body.running as boolean);
    await b.rest('POST', `/conversations/${id}/interrupt`);
    await until('no process is left', () => b.processes().length === 0, 8000);
    expect((await b.ask(id, 'still there?')).text).to.equal('You said: still there?');
  });

  it('says what the service refused, and a cut answer is no success', async () => {
    const id = await b.begin();
    for (const status of [401, 429, 500]) {
      const answer = await b.ask(id, `ERROR ${status}`);
      expect(answer.status, String(status)).to.equal('failed');
      // Codex words overload by itself.
      expect(answer.error?.message, String(status)).to.match(
        status === 500 ? /demand|500/ : new RegExp(String(status)),
      );
    }
    const cut = await b.ask(id, 'CUT');
    expect(cut.status).to.equal('failed');
    expect(cut.text).to.contain('This breaks off 在半 way');
  });

  it('begins anew with a word about it when its session is gone', async () => {
    const id = await b.begin();
    await b.ask(id, 'first');
    const sessions = path.join(b.home, '.codex/sessions');
    expect(readdirSync(sessions)).not.to.deep.equal([]);
    for (const name of readdirSync(path.join(b.home, '.codex')))
      if (/^(sessions|state|sqlite)/.test(name) || /\.sqlite/.test(name))
        rmSync(path.join(b.home, '.codex', name), { recursive: true, force: true });
    const answer = await b.ask(id, 'RECALL');
    expect(answer.content[0]).to.deep.include({ type: 'note' });
    expect(answer.text).to.equal('Before: []');
    expect(answer.status).to.equal('complete');
  });

  it('that dies in the middle fails the turn with what it had said', async () => {
    const id = await b.begin();
    await b.send(id, 'SLOW 400');
    await until('some words', async () => ((await b.messages(id))[1]?.text.length ?? 0) > 15);
    for (const line of b.processes()) process.kill(Number(line.split(' ')[0]), 'SIGKILL');
    await until('the turn failed', async () => (await b.messages(id))[1]?.status === 'failed');
    expect((await b.messages(id))[1]?.error?.code).to.equal('codex_stream_error');
  });
});
