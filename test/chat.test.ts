import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT, startDaemon, type RealDaemon, type Ran } from '@coffer/testing';

describe('chat from the command line', function () {
  this.timeout(60_000);
  let d: RealDaemon;
  let folder: string;
  const cli = (...args: string[]): Promise<Ran> => d.cli(['chat', ...args]);
  const begin = async (...args: string[]): Promise<string> => (await cli('new', 'parrot', ...args)).stdout.trim();
  before(async () => {
    d = await startDaemon();
    await d.rest('POST', '/plugins', { spec: path.join(ROOT, 'testing/agents/parrot') });
    folder = mkdtempSync(path.join(os.tmpdir(), 'coffer-chat-'));
  });
  after(async () => {
    await d.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const until = async (there: () => Promise<boolean>): Promise<void> => {
    for (let i = 0; !(await there()); i++) {
      if (i > 400) throw new Error('in vain');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };

  it('lists agents, begins, says, shows, and reads with --json', async () => {
    const agents = await cli('agents');
    expect(agents.stdout)
      .to.match(/parrot +Parrot +available/)
      .and.match(/dodo +Dodo +unavailable: it is extinct/);
    const id = await begin('--cwd', folder, '--model', 'parrot-2', '--config', '{"colour":"grey"}');
    expect(id).to.match(/^[0-9a-f]{32}$/);
    const answer = await cli(
      'send',
      id.slice(0, 8),
      '--wait',
      'think hm\nsay Hello 世界, **you**.\ntool read {"file":"a"}\nfailed no such file',
    );
    expect(answer.code, answer.stderr).to.equal(0);
    expect(answer.stdout)
      .to.contain('Hello 世界, **you**.')
      .and.contain('> read {"file":"a"}')
      .and.contain('no such file');
    const shown = await cli('show', id);
    expect(shown.stdout).to.contain('Parrot, 2 messages').and.contain('parrot-2');
    const { conversation, messages } = JSON.parse((await cli('show', id, '--json')).stdout);
    expect(conversation).to.deep.include({ agent_config: { cwd: folder, model: 'parrot-2', colour: 'grey' } });
    expect(messages[1]).to.deep.include({ status: 'complete', completion_tokens: 1 });
    const list = JSON.parse((await cli('list', '--json')).stdout);
    expect(list.conversations[0].id).to.equal(id);
    const said = JSON.parse((await cli('send', id, '--wait', '--json', 'plain')).stdout);
    expect(said.message.content).to.deep.equal([{ type: 'text', text: 'You said: plain' }]);
  });

  it('tails a turn from its middle, character by character, and stops it', async () => {
    const id = await begin();
    await cli('send', id, 'say 半个字 half\nhang');
    const tail = spawn(process.execPath, [path.join(ROOT, 'cli/bin/coffer.js'), 'chat', 'tail', id], { env: d.env });
    const ended = once(tail, 'exit');
    let seen = '';
    tail.stdout.setEncoding('utf8').on('data', (t: string) => (seen += t));
    await until(() => Promise.resolve(seen.includes('半个字 half')));
    await cli('send', id, 'say later');
    await until(() => Promise.resolve(seen.includes('1 waiting')));
    const stopped = await cli('interrupt', id);
    expect(stopped.stdout).to.contain('1 message held back');
    await until(() => Promise.resolve(/stopped/.test(seen)));
    expect((await cli('list')).stdout).to.contain('held back');
    expect((await cli('resume', id)).stdout).to.contain('goes on');
    await until(() => Promise.resolve(seen.includes('later')));
    await cli('delete', id, '--force');
    expect(await ended).to.deep.equal([0, null]);
    expect(seen).to.contain('The conversation was deleted.');
  });

  it('ends with a reason for what cannot be', async () => {
    const id = await begin();
    const faults: [string[], number, string][] = [
      [['new', 'nobody'], 6, 'UNKNOWN_AGENT'],
      [['new', 'dodo'], 5, 'AGENT_UNAVAILABLE'],
      [['new', 'parrot', '--cwd', path.join(folder, 'nowhere')], 6, 'AGENT_CONFIG_REJECTED'],
      [['show', 'ffffffff'], 4, 'CONVERSATION_NOT_FOUND'],
      [['tail', 'f'.repeat(32)], 4, 'CONVERSATION_NOT_FOUND'],
      [['send', id, ' '], 6, 'CONFIG_INVALID'],
      [['send', id, '--wait', 'fail over_limit'], 7, 'The parrot fails'],
    ];
    for (const [args, code, says] of faults) {
      const ran = await cli(...args);
      expect(ran.code, args.join(' ')).to.equal(code);
      expect(ran.stderr, args.join(' ')).to.contain(says);
    }
  });

  it('tells one true story on every screen, over an interrupt, the command line, and a Coffer that is killed', async () => {
    const id = await begin();
    const gate = path.join(folder, 'gate');
    await cli('send', id, `say One.\nwait ${gate}\nsay never`);
    const messages = async (): Promise<{ status: string; stop_reason: string | null; content: { text: string }[] }[]> =>
      (await d.rest('GET', `/chat/conversations/${id}/messages`)).body.messages;
    await until(async () => (await messages())[1]?.content.length === 1);
    await cli('interrupt', id);
    await cli('send', id, '--wait', 'say Two.');
    await cli('send', id, `session kept\nsay Three.\nwait ${gate}`);
    await until(async () => (await messages())[5]?.content.length === 1);
    await d.kill();
    await d.restart();
    expect(
      (await messages()).filter((_, i) => i % 2 === 1).map((m) => [m.status, m.stop_reason, m.content[0]?.text]),
    ).to.deep.equal([
      ['complete', 'interrupted', 'One.'],
      ['complete', 'end_turn', 'Two.'],
      ['failed', null, 'Three.'],
    ]);
    expect((await cli('show', id)).stdout).to.contain('Coffer was stopped while this turn ran.');
    expect((await cli('send', id, '--wait', 'say Four.')).stdout).to.contain('Four.');
    writeFileSync(gate, '');
    expect(existsSync(gate)).to.equal(true);
  });
});
