import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createLogins, type SessionMemory } from '../../src/http/logins.js';
import { fakeClock } from '../../src/testing/clock.js';
import type { TestKernel } from '../../src/testing/index.js';
import { workshop } from '../support/kernels.js';
import { send } from '../support/wire.js';

const HOUR = 3_600_000;

async function signIn(k: TestKernel): Promise<string> {
  const { code } = (await k.rest('POST', '/ui/login')).body;
  const answer = await send(k, '/login', {
    method: 'POST',
    token: false,
    headers: { origin: k.url },
    body: JSON.stringify({ code }),
  });
  return String(answer.headers['set-cookie']).split(';')[0] ?? '';
}
const opens = async (k: TestKernel, cookie: string): Promise<boolean> =>
  (await send(k, '/api/v1/kinds', { token: false, headers: { cookie } })).status === 200;

describe('the session of a browser', () => {
  const make = workshop();

  it('outlives the daemon, though the token does not', async () => {
    const home = make.folder();
    const first = await make.kernel({ home });
    const cookie = await signIn(first);
    const old = first.token;
    await first.stop({ keep: true });
    const second = await make.kernel({ home });
    expect(second.token).not.to.equal(old);
    expect(await opens(second, cookie)).to.equal(true);
    expect(await opens(second, cookie.slice(0, -1))).to.equal(false);
  });

  it('that a new token ended stays ended after a restart', async () => {
    const home = make.folder();
    const first = await make.kernel({ home });
    const cookie = await signIn(first);
    await first.rest('POST', '/daemon/rotate-token');
    expect(await opens(first, cookie)).to.equal(false);
    const later = await signIn(first);
    await first.stop({ keep: true });
    const second = await make.kernel({ home });
    expect(await opens(second, cookie)).to.equal(false);
    expect(await opens(second, later)).to.equal(true);
  });

  it('ends twelve hours after its last request, also when the daemon was away meanwhile', async () => {
    const home = make.folder();
    const first = await make.kernel({ home, clock: fakeClock() });
    const cookie = await signIn(first);
    await first.stop({ keep: true });
    const start = fakeClock().now();
    const second = await make.kernel({ home, clock: fakeClock(start + 11 * HOUR) });
    expect(await opens(second, cookie)).to.equal(true);
    await second.stop({ keep: true });
    const third = await make.kernel({ home, clock: fakeClock(start + 22 * HOUR) });
    expect(await opens(third, cookie)).to.equal(true);
    await third.stop({ keep: true });
    const fourth = await make.kernel({ home, clock: fakeClock(start + 34 * HOUR) });
    expect(await opens(fourth, cookie)).to.equal(false);
  });

  it('is nowhere on disk, nor is a code: only a hash is', async () => {
    const home = make.folder();
    const k = await make.kernel({ home });
    const { code } = (await k.rest('POST', '/ui/login')).body;
    const cookie = await signIn(k);
    const secret = cookie.split('=')[1] ?? '';
    await opens(k, cookie);
    expect(JSON.stringify(k.services.settings.get('ui_sessions'))).to.match(/^\{"[\w-]{43}":\d+\}$/);
    await k.stop({ keep: true });
    for (const e of readdirSync(home, { recursive: true, withFileTypes: true })) {
      if (!e.isFile()) continue;
      const bytes = readFileSync(path.join(e.parentPath, e.name)).toString('latin1');
      expect(bytes.includes(secret), e.name).to.equal(false);
      expect(bytes.includes(String(code)), e.name).to.equal(false);
    }
  });
});

describe('the memory of sessions', () => {
  function remembering(): SessionMemory & { kept: Readonly<Record<string, number>>; saves: number } {
    const m = {
      kept: {} as Readonly<Record<string, number>>,
      saves: 0,
      load: () => m.kept,
      save: (sessions: Readonly<Record<string, number>>) => {
        m.kept = sessions;
        m.saves++;
      },
    };
    return m;
  }

  it('is written when a session begins and ends, and at most once in ten minutes while it is used', async () => {
    const clock = fakeClock();
    const memory = remembering();
    const logins = createLogins(clock, memory);
    const session = logins.exchange(logins.issue());
    expect(memory.saves).to.equal(1);
    for (let i = 0; i < 59; i++) {
      await clock.advance(10_000);
      expect(logins.alive(session)).to.equal(true);
    }
    expect(memory.saves).to.equal(1);
    await clock.advance(10_000);
    expect(logins.alive(session)).to.equal(true);
    expect(memory.saves).to.equal(2);
    expect(Object.values(memory.kept)).to.deep.equal([clock.now() + 12 * HOUR]);
    logins.end(session);
    expect(memory.kept).to.deep.equal({});
    expect(logins.alive(session)).to.equal(false);
    // a used session that was not written since is still one after a restart
    const other = logins.exchange(logins.issue());
    await clock.advance(5 * 60_000);
    expect(logins.alive(other)).to.equal(true);
    expect(createLogins(clock, memory).alive(other)).to.equal(true);
  });

  it('does not grow: sessions that nobody uses are dropped with the next write', async () => {
    const clock = fakeClock();
    const memory = remembering();
    const logins = createLogins(clock, memory);
    for (let i = 0; i < 20; i++) logins.exchange(logins.issue());
    expect(Object.keys(memory.kept)).to.have.length(20);
    await clock.advance(12 * HOUR);
    logins.exchange(logins.issue());
    expect(Object.keys(memory.kept)).to.have.length(1);
  });
});
