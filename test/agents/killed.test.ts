import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import {
  ROOT,
  realAgents,
  startAnthropic,
  startDaemon,
  startOpenAi,
  until,
  type RealDaemon,
  type Service,
} from '@coffer/testing';
import { processesIn } from './bench.js';

describe('a Coffer that is killed while real agents talk', function () {
  this.timeout(300_000);
  let base: string;
  let services: Service[];
  let d: RealDaemon | undefined;
  before(async () => {
    base = mkdtempSync(path.join(os.tmpdir(), 'coffer-killed-'));
    services = [await startOpenAi(), await startAnthropic()];
    for (const name of ['bin', 'work', '.codex']) mkdirSync(path.join(base, name));
    realAgents(path.join(base, 'bin'));
    writeFileSync(
      path.join(base, '.codex/config.toml'),
      `model = "m"\nmodel_provider = "s"\n[model_providers.s]\nname = "s"\nbase_url = "${services[0]?.url}/v1"\nenv_key = "STANDIN_KEY"\nwire_api = "responses"\n`,
    );
    d = await startDaemon({
      env: {
        HOME: base,
        PATH: `${path.join(base, 'bin')}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
        STANDIN_KEY: 'dummy',
        ANTHROPIC_BASE_URL: services[1]?.url ?? '',
        ANTHROPIC_API_KEY: 'dummy',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        IS_SANDBOX: '1',
      },
    });
    const sdk = path.join(d.home, 'agents/claude-code');
    mkdirSync(sdk, { recursive: true });
    symlinkSync(path.join(ROOT, 'testing/agents/real/node_modules'), path.join(sdk, 'node_modules'));
  });
  after(async () => {
    await d?.stop();
    await Promise.all(services.map((s) => s.close()));
    rmSync(base, { recursive: true, force: true });
  });

  it('leaves none of them behind, tells the truth of what they said, and goes on in their sessions', async () => {
    const daemon = d as RealDaemon;
    const cwd = path.join(base, 'work');
    const agents = (): string[] => processesIn(base).filter((line) => !line.includes('kernel/dist/main.js'));
    const chat = async (
      method: string,
      at: string,
      body?: object,
    ): Promise<{ id: string; messages: { status: string; content: { type: string; text?: string }[] }[] }> =>
      (await daemon.rest(method, `/chat/conversations${at}`, body)).body;
    const ids: string[] = [];
    for (const agent_key of ['codex', 'claude_code']) {
      const { id } = await chat('POST', '', { agent_key, agent_config: { cwd } });
      ids.push(id);
      await chat('POST', `/${id}/messages`, { text: 'SLOW 600' });
    }
    const said = async (id: string): Promise<string> =>
      ((await chat('GET', `/${id}/messages`)).messages.at(-1)?.content ?? []).map((b) => b.text ?? '').join('');
    for (const id of ids) await until('some words', async () => /tick/.test(await said(id)), 20_000);
    await daemon.kill();
    await daemon.restart();
    await until('none of them lives', () => agents().length === 0, 10_000);
    for (const id of ids) {
      expect((await chat('GET', `/${id}/messages`)).messages[1]?.status).to.equal('failed');
      expect(await said(id)).to.match(/^(tick )+/);
      await chat('POST', `/${id}/messages`, { text: 'RECALL' });
      await until(
        'an answer',
        async () => (await chat('GET', `/${id}/messages`)).messages[3]?.status === 'complete',
        30_000,
      );
      expect(await said(id)).to.contain('SLOW 600');
    }
    await until('none is left', () => agents().length === 0, 10_000);
  });
});
