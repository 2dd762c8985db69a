import { existsSync, mkdirSync } from 'node:fs';
import { definePlugin, serviceToken, type Obj } from '@coffer/kernel';
import { expect } from 'chai';
import type { AgentTypes } from '../src/plugin.js';
import { ALL, bench, type Bench } from './support.js';
import gnuCoder, { gnu } from './third.js';

describe('an agent that a third party describes', () => {
  let b: Bench;
  beforeEach(async () => void (b = await bench([...ALL, gnuCoder])));
  afterEach(() => b.stop());

  it('is found, registered and served like any other, with the parts that it has and no other', async () => {
    mkdirSync(b.at('.gnu-coder'));
    b.write('{ "herd": 3 }\n', '.gnu-coder', 'gnu.json');
    const [candidate] = (await b.ok('GET', '/agents/candidates'))['candidates'] as Obj[];
    expect(candidate).to.include({
      type: 'gnu_coder',
      display_name: 'GNU Coder',
      default_skill_dir: b.at('.gnu-coder', 'tricks'),
    });
    const made = await b.ok('POST', '/agents', { type: 'gnu_coder' });
    expect(made).to.deep.include({
      name: 'gnu-coder',
      facets: ['mcpConfig', 'configFiles', 'modelConnection', 'skills'],
    });
    expect((await b.fails('POST', '/agents/gnu-coder/hook-install')).code).to.equal('AGENT_FACET_NOT_FOUND');
    expect((await b.fails('GET', '/agents/gnu-coder/plugins')).code).to.equal('AGENT_FACET_NOT_FOUND');
    expect((await b.fails('PATCH', '/agents/gnu-coder', { disable_native_memory: true })).code).to.equal(
      'AGENT_FACET_NOT_FOUND',
    );

    await b.ok('POST', '/agents/gnu-coder/mcp-install');
    const written = JSON.parse(b.read('.gnu-coder', 'gnu.json')) as Obj;
    expect(written['tools']['mcp']['coffer']).to.include({ on: true });
    expect(await b.ok('PATCH', '/agents/gnu-coder/mcp-entries/coffer', { enabled: false })).to.include({
      enabled: false,
    });
    await b.ok('POST', '/llm-connections', { name: 'own', protocol: 'ollama', base_url: 'http://127.0.0.1:9' });
    await b.ok('PUT', '/llm-agents/gnu-coder', { connection: 'own', model: 'gnu-2' });
    expect((JSON.parse(b.read('.gnu-coder', 'gnu.json')) as Obj)['brain']).to.include({
      at: 'http://127.0.0.1:9',
      model: 'gnu-2',
    });
    expect(((await b.ok('GET', '/skill-targets'))['targets'] as Obj[]).map((t) => t['agent'])).to.deep.equal([
      'gnu-coder',
    ]);
    await b.ok('DELETE', '/agents/gnu-coder');
    expect(b.read('.gnu-coder', 'gnu.json')).to.equal('{ "herd": 3 }\n');
    expect(existsSync(b.at('.gnu-coder', 'tricks'))).to.equal(true);
  });

  it('goes and comes with its plugin, and cannot take the name of another', async () => {
    const types = async (): Promise<string[]> =>
      ((await b.ok('GET', '/agents/types'))['types'] as Obj[]).map((t) => t['type'] as string);
    expect(await types()).to.deep.equal(['claude_code', 'codex', 'gnu_coder']);
    await b.ok('POST', '/plugins/agent-gnu-coder/disable');
    expect(await types()).to.deep.equal(['claude_code', 'codex']);
    await b.ok('POST', '/plugins/agent-gnu-coder/enable');
    expect(await types()).to.include('gnu_coder');
    await b.stop();
    const copy = (name: string, definition: Partial<typeof gnu>): ReturnType<typeof definePlugin> =>
      definePlugin({
        name,
        apiVersion: 1,
        requires: ['kind-agent'],
        register: (k) => void k.use(serviceToken<AgentTypes>('agent-types')).add({ ...gnu, ...definition }),
      });
    b = await bench([
      ...ALL,
      copy('same-type', { type: 'codex' }),
      copy('same-name', { name: 'codex' }),
      copy('odd', { type: 'No!' }),
    ]);
    for (const name of ['same-type', 'same-name', 'odd'])
      expect((await b.ok('GET', `/plugins/${name}`))['state'], name).to.equal('failed');
    expect(await types()).to.deep.equal(['claude_code', 'codex']);
  });
});
