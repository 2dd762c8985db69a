import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openChat, until } from './support.js';

describe('chat over restarts and full disks', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(os.tmpdir(), 'coffer-test-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('keeps every message; a turn that Coffer’s end cut short is failed, with what was said, and the talk goes on', async () => {
    const first = await openChat({ home });
    const id = await first.begin();
    const screen = await first.watch(id);
    await first.send(id, 'one');
    (await first.puppet.stage(0)).emit(
      { type: 'text_delta', text: 'eins' },
      { type: 'turn_done', stop_reason: 'end_turn' },
    );
    await screen.seen('turn_done');
    const before = await first.messages(id);
    await until(() => first.puppet.stages[0]?.disposed === true);
    await first.send(id, 'two');
    await first.send(id, 'waits in memory only');
    const stage = await first.puppet.stage(1);
    stage.emit({ type: 'text_delta', text: 'zw' });
    await until(() => screen.text() === 'zw');
    await first.k.stop({ keep: true });
    expect(stage.disposed).to.equal(true);
    expect((await screen.seen('turn_error')).data.code).to.equal('coffer_stopped');
    await screen.close();

    const again = await openChat({ home });
    const after = await again.messages(id);
    expect(after.slice(0, 2)).to.deep.equal(before);
    expect(after).to.have.length(4);
    expect(after[3]).to.deep.include({ status: 'failed', content: [{ type: 'text', text: 'zw' }] });
    await again.send(id, 'three');
    expect((await again.puppet.stage(0)).turn.history.at(-1)?.text).to.equal('three');
    await again.k.stop({ keep: true });
  });

  it('marks what a killed Coffer left as failed, keeps what it had written, and goes on in the same session', async () => {
    const child = spawn(
      process.execPath,
      ['--conditions=coffer-source', '--import=tsx/esm', fileURLToPath(new URL('child.ts', import.meta.url)), home],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url, token } = JSON.parse(line.toString()) as { url: string; token: string };
    const rest = async (
      method: string,
      at: string,
      body?: object,
    ): Promise<{ id: string; messages: { content: unknown[] }[] }> => {
      const res = await fetch(`${url}/api/v1/chat/conversations${at}`, {
        method,
        headers: { 'X-Coffer-Token': token, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return (await res.json()) as { id: string; messages: { content: unknown[] }[] };
    };
    const { id } = await rest('POST', '', { agent_key: 'puppet' });
    await rest('POST', `/${id}/messages`, { text: 'go' });
    await until(async () => (await rest('GET', `/${id}/messages`)).messages[1]?.content.length === 1);
    child.kill('SIGKILL');
    await once(child, 'exit');

    const again = await openChat({ home });
    const [, cut] = await again.messages(id);
    expect(cut).to.deep.include({ status: 'failed', content: [{ type: 'text', text: 'half an ans' }] });
    expect(cut.error.code).to.equal('coffer_stopped');
    expect((await again.rest('GET', `/conversations/${id}`)).body).to.include({ running: false });
    await again.send(id, 'go on');
    expect((await again.puppet.stage(0)).turn.sessionId).to.equal('kept');
    await again.k.stop({ keep: true });
  });

  it('tells of a full disk, loses nothing that waits, and goes on when there is room', async () => {
    const c = await openChat({ home });
    const { db } = c.k.services;
    const id = await c.begin();
    const screen = await c.watch(id);
    await c.send(id, 'first');
    await c.send(id, 'second');
    const full = (): void => void db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`);
    const room = (): void => void db.pragma('max_page_count = 1000000');
    full();
    (await c.puppet.stage(0)).emit(
      { type: 'text_delta', text: 'x'.repeat(200_000) },
      { type: 'turn_done', stop_reason: 'end_turn' },
    );
    const told = await screen.seen('turn_error');
    expect(told.data.code).to.equal('VAULT_UNWRITABLE');
    const shown = (await c.messages(id))[1];
    expect(shown.status, 'nothing streams for ever').to.equal('failed');
    await until(() => c.puppet.stages[0]?.disposed === true);
    room();
    const { queue } = (await c.rest('GET', `/conversations/${id}`)).body;
    if (queue.paused) await c.rest('PUT', `/conversations/${id}/pending`, { pending: queue.pending });
    const next = await c.puppet.stage(1);
    expect(next.turn.history.at(-1)?.text).to.equal('second');
    await screen.close();
    await c.k.stop({ keep: true });
  });
});
