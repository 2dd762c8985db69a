import { expect } from 'chai';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CofferError, type Obj } from '@coffer/kernel';
import { acceptance } from '@coffer/testing';
import { masked } from '../src/masked.js';
import { bench, KEY, type Bench } from './support.js';

const SPEC = '011-llm-connections';

describe('switching agents', () => {
  let b: Bench;
  beforeEach(async () => (b = await bench()));
  afterEach(() => b.stop());

  const use = (agent: string, wish: Obj): ReturnType<Bench['k']['rest']> =>
    b.k.rest('PUT', `/llm-agents/${agent}`, wish);
  const written = (agent: string): unknown => (JSON.parse(b.settings(agent) || '{}') as Obj)['llm'];
  const onWhat = async (): Promise<Obj> =>
    Object.fromEntries(
      ((await b.k.rest('GET', '/llm-agents')).body.agents as Obj[]).map((a) => [a['agent'], a['connection']]),
    );

  acceptance(SPEC, "an agent's model binding drives the projected model", async () => {
    await b.add('a');
    await use('claude-code', { connection: 'a', model: 'large-2', fast_model: 'small-1' });
    expect(written('claude-code')).to.deep.equal({
      name: 'a',
      protocol: 'anthropic',
      base_url: b.endpoint.url,
      model: 'large-2',
      fast_model: 'small-1',
    });
    await use('claude-code', { connection: 'a' });
    expect(written('claude-code')).not.to.have.any.keys('model', 'fast_model');
    expect(b.llm.forAgent('claude-code')).to.deep.include({ name: 'a', key: KEY });
    expect(b.llm.forAgent('codex')).to.equal(undefined);
  });

  it('show what would change and write nothing; other secrets stay unseen', async () => {
    await b.add('a');
    b.setSettings('claude-code', JSON.stringify({ env: { GITHUB_TOKEN: 'ghp_123', apiKeyHelper: 'x' } }, null, 2));
    const before = b.settings('claude-code');
    const { body } = await b.k.rest('POST', '/llm-agents/claude-code/preview', { connection: 'a' });
    expect(body.changes).to.have.length(1);
    expect(body.changes[0].after).to.include('"base_url"');
    expect(JSON.stringify(body)).not.to.include('ghp_123');
    expect(body.changes[0].before).to.include('"GITHUB_TOKEN": "…"').and.include('"apiKeyHelper": "x"');
    expect(b.settings('claude-code')).to.equal(before);
    expect(await onWhat()).to.deep.equal({ 'claude-code': null, codex: null });
  });

  it('mask keys of JSON and TOML on both sides, and nothing else', () => {
    const text =
      'api_key = "abc"\nexperimental_bearer_token = \'x\'\nenv_key = "NAME"\n"A_PASSWORD": "a\\"b",\nurl = "u"';
    const [change] = masked([{ path: 'p', before: text, after: text }]);
    expect(change?.after).to.equal(
      'api_key = "…"\nexperimental_bearer_token = "…"\nenv_key = "NAME"\n"A_PASSWORD": "…",\nurl = "u"',
    );
    expect(change?.before).to.equal(change?.after);
  });

  acceptance(SPEC, 'activating a profile deactivates the previous active profile of the same wire format', async () => {
    await b.add('a');
    await b.add('b');
    await b.k.rest('POST', '/llm-connections/a/activate', {});
    const done = await b.k.rest('POST', '/llm-connections/b/activate', { model: 'small-1' });
    expect(done.body).to.deep.equal({ activated: ['claude-code'], skipped: [] });
    expect(await onWhat()).to.deep.equal({ 'claude-code': 'b', codex: null });
    const { body } = await b.k.rest('GET', '/llm-connections');
    expect((body.connections as Obj[]).map((c) => c['used_by'])).to.deep.equal([[], ['claude-code']]);
  });

  acceptance(SPEC, 'switch a wire back to the agent built-in login', async () => {
    b.setSettings('claude-code', '{\n  "mine": true\n}\n');
    const start = b.settings('claude-code');
    await b.add('a');
    await use('claude-code', { connection: 'a' });
    expect(b.settings('claude-code')).not.to.equal(start);
    await use('claude-code', { connection: null });
    expect(b.settings('claude-code')).to.equal(start);
    expect(await onWhat()).to.deep.equal({ 'claude-code': null, codex: null });
    expect((await use('claude-code', { connection: null })).status, 'twice is fine').to.equal(200);
    const [, last, ...more] = await b.audit('llm_switched');
    expect(last?.['details']).to.include({ agent: 'claude-code', from: 'a', to: null });
    expect(more).to.deep.equal([]);
  });

  acceptance(
    SPEC,
    'activate a profile whose wire matches no registered agent records active but projects nothing',
    async () => {
      await b.add('local', { protocol: 'ollama' });
      const done = await b.k.rest('POST', '/llm-connections/local/activate', {});
      expect(done.status).to.equal(200);
      expect(done.body).to.deep.equal({ activated: [], skipped: [] });
      expect(b.settings('claude-code') + b.settings('codex')).to.equal('');
    },
  );

  acceptance(SPEC, 'a provider switch is recorded in the audit log', async () => {
    await b.add('a');
    await b.add('b');
    await use('claude-code', { connection: 'a' });
    await use('claude-code', { connection: 'b', model: 'small-1' });
    expect((await b.audit('llm_switched')).map((e) => e['details'])).to.deep.equal([
      { agent: 'claude-code', from: null, to: 'a', model: null },
      { agent: 'claude-code', from: 'a', to: 'b', model: 'small-1' },
    ]);
  });

  acceptance(SPEC, 'route an openai-compatible connection to Claude Code via compatible_agents', async () => {
    await b.add('a', { protocol: 'openai' });
    const refused = await use('claude-code', { connection: 'a' });
    expect([refused.status, refused.body.error.code]).to.deep.equal([422, 'LLM_INCOMPATIBLE']);
    expect(b.settings('claude-code')).to.equal('');
    await b.k.rest('PATCH', '/llm-connections/a', { compatible_agents: ['claude_code'] });
    expect((await use('claude-code', { connection: 'a' })).status).to.equal(200);
    expect((await use('codex', { connection: 'a' })).body.error.code).to.equal('LLM_INCOMPATIBLE');
    const back = await b.k.rest('PATCH', '/llm-connections/a', { compatible_agents: null });
    expect(back.body.error.code, 'somebody runs on it').to.equal('LLM_INCOMPATIBLE');
  });

  it('leave all as it was when an agent’s file cannot be written', async () => {
    await b.add('a');
    await b.add('b');
    await use('claude-code', { connection: 'a' });
    const before = b.settings('claude-code');
    b.setSettings('claude-code', '{ broken');
    const refused = await use('claude-code', { connection: 'b' });
    expect(refused.body.error.code).to.equal('CONFIG_INVALID');
    expect(await onWhat()).to.deep.equal({ 'claude-code': 'a', codex: null });
    expect(b.settings('claude-code')).to.equal('{ broken');
    b.setSettings('claude-code', before);
    expect((await b.audit('llm_switched')).length).to.equal(1);
  });

  it('write an agent’s file anew when its connection changes, and put it back when the change fails', async () => {
    await b.add('a', { compatible_agents: ['claude_code', 'codex'] });
    await use('claude-code', { connection: 'a', model: 'small-1' });
    await use('codex', { connection: 'a' });
    await b.k.rest('PATCH', '/llm-connections/a', { base_url: 'https://new.example' });
    expect(written('claude-code')).to.include({ base_url: 'https://new.example', model: 'small-1' });
    expect(written('codex')).to.include({ base_url: 'https://new.example' });
    const claude = b.settings('claude-code');
    const codex = b.targets[1];
    if (codex === undefined) throw new Error('two agents');
    const { apply } = codex;
    codex.apply = (c) =>
      c?.base_url === 'https://third.example'
        ? Promise.reject(new CofferError('CONFIG_INVALID', 'read-only'))
        : apply(c);
    const refused = await b.k.rest('PATCH', '/llm-connections/a', { base_url: 'https://third.example' });
    expect(refused.status).to.equal(422);
    expect(b.settings('claude-code')).to.equal(claude);
    expect((await b.k.rest('GET', '/llm-connections/a')).body.base_url).to.equal('https://new.example');
  });

  it('refuse what cannot be: unknown agents and connections, disabled ones, odd model names', async () => {
    await b.add('a');
    expect((await use('nobody', { connection: 'a' })).body.error.code).to.equal('LLM_AGENT_NOT_FOUND');
    expect((await use('codex', { connection: 'nope' })).body.error.code).to.equal('RESOURCE_NOT_FOUND');
    expect((await use('claude-code', { connection: 'a', model: 'a\nb' })).status).to.equal(422);
    await b.k.rest('POST', '/resources/llm_connection/a/disable');
    expect((await use('claude-code', { connection: 'a' })).body.error.code).to.equal('LLM_NOT_CONFIGURED');
    expect(existsSync(path.join(b.dir, 'claude-code.json'))).to.equal(false);
  });

  it('keep a connection that somebody runs on, and forget an agent that is gone', async () => {
    await b.add('a');
    await use('claude-code', { connection: 'a' });
    const refused = await b.k.rest('DELETE', '/llm-connections/a');
    expect(refused.body.error).to.deep.include({ code: 'LLM_IN_USE', details: { used_by: ['claude-code'] } });
    b.targets.shift();
    expect((await b.k.rest('GET', '/llm-connections/a')).body.used_by).to.deep.equal([]);
    expect((await b.k.rest('DELETE', '/llm-connections/a')).status).to.equal(204);
  });

  it('do not mix when two are switched at once', async () => {
    await b.add('a');
    await b.add('b');
    await Promise.all(['a', 'b', 'a', 'b'].map((connection) => use('claude-code', { connection })));
    expect(written('claude-code')).to.include({ name: 'b' });
    expect(await onWhat()).to.deep.equal({ 'claude-code': 'b', codex: null });
  });
});
