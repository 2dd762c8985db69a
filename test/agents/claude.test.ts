import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT, startAnthropic, until, type Service } from '@coffer/testing';
import plugin from '../../plugins/agent-claude-code/src/plugin.js';
import { openAgents, type AgentBench } from './bench.js';

describe('claude in a conversation', function () {
  this.timeout(120_000);
  let service: Service;
  let b: AgentBench;
  before(async function () {
    this.timeout(300_000);
    service = await startAnthropic();
    b = await openAgents(plugin, 'claude_code');
    // The SDK is in the vault, as it is after the first conversation.
    const folder = path.join(b.k.home, 'agents/claude-code');
    mkdirSync(folder, { recursive: true });
    symlinkSync(path.join(ROOT, 'testing/agents/real/node_modules'), path.join(folder, 'node_modules'));
    writeFileSync(
      path.join(b.home, '.claude.json'),
      JSON.stringify({
        hasCompletedOnboarding: true,
        mcpServers: {
          everything: {
            type: 'stdio',
            command: process.execPath,
            args: [path.join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
          },
        },
      }),
    );
    b.setEnv({
      ANTHROPIC_BASE_URL: service.url,
      ANTHROPIC_API_KEY: 'dummy',
      ANTHROPIC_MODEL: 'stand-in-1',
      CLAUDE_CODE_MAX_RETRIES: '0',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1',
      COFFER_SECRET_OF_OURS: 'not for agents',
    });
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
    expect(await agent()).to.deep.include({ agent_key: 'claude_code', display_name: 'Claude Code', available: true });
    const { PATH } = process.env;
    process.env['PATH'] = '/usr/bin:/bin';
    try {
      expect(await agent()).to.deep.include({ available: false, reason: 'claude was not found on the PATH' });
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
    await b.rest('PATCH', `/conversations/${id}/agent-config`, { model: 'stand-in-2' });
    expect((await b.ask(id, 'RECALL')).model_id).to.equal('stand-in-2');
    expect(service.requests.at(-1)?.body.model).to.equal('stand-in-2');
    await b.rest('PATCH', `/conversations/${id}/agent-config`, { model: '' });
    expect((await b.ask(id, 'RECALL')).model_id, 'its own again').to.equal('stand-in-1');
    expect((await b.ask(id, 'THINK boxes')).content.map((c) => c.type)).to.deep.equal(['thinking', 'text']);
  });

  it('runs commands in its folder with all permissions, and sees nothing of Coffer’s', async () => {
    const id = await b.begin();
    const answer = await b.ask(id, 'SHELL pwd; echo "[$COFFER_SECRET_OF_OURS]"; touch made-here');
    expect(answer.content.map((c) => c.type)).to.deep.equal(['text', 'tool_use', 'tool_result', 'text']);
    expect(answer.content[1]).to.deep.include({ tool_name: 'Bash' });
    expect(answer.content[2].output.content.trim()).to.equal(`${b.cwd}\n[]`);
    expect(existsSync(path.join(b.cwd, 'made-here'))).to.equal(true);
    const failed = await b.ask(id, 'SHELL echo no; exit 3');
    expect(failed.content[2]).to.include({ output: null });
    expect(failed.content[2].error).to.contain('3').and.contain('no');
    expect(failed.status).to.equal('complete');
  });

  it('calls tools of MCP servers, and those calls are shown', async () => {
    const id = await b.begin();
    const answer = await b.ask(id, 'TOOL mcp__everything__echo {"message":"over MCP"}');
    expect(answer.content[0]).to.deep.include({
      tool_name: 'mcp__everything__echo',
      tool_input: { message: 'over MCP' },
    });
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
    rmSync(path.join(b.home, '.claude/projects'), { recursive: true });
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
    expect((await b.messages(id))[1]?.error?.code).to.equal('sdk_stream_error');
  });
});
