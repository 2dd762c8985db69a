import { expect } from 'chai';
import { fakeClock } from '../../src/testing/clock.js';
import type { TestKernel } from '../../src/testing/index.js';
import { workshop } from '../support/kernels.js';
import { send, type Answer } from '../support/wire.js';

describe('the login of a browser', () => {
  const make = workshop();
  const exchange = (k: TestKernel, body: string, origin: string | undefined = k.url): Promise<Answer> =>
    send(k, '/login', { method: 'POST', token: false, body, headers: { origin } });
  const withCookie = (k: TestKernel, cookie: string): Promise<number> =>
    send(k, '/api/v1/kinds', { token: false, headers: { cookie } }).then((r) => r.status);

  it('a code in the fragment of an address is good once, for a cookie that scripts cannot read', async () => {
    const k = await make.kernel();
    const { code, url } = (await k.rest('POST', '/ui/login')).body;
    expect(url).to.equal(`${k.url}/#login=${code}`);
    expect(url).to.not.include(k.token);
    const first = await exchange(k, JSON.stringify({ code }));
    expect(first.status).to.equal(204);
    const set = String(first.headers['set-cookie']);
    expect(set).to.include('HttpOnly').and.include('SameSite=Strict').and.include('Path=/').and.not.include(k.token);
    expect(await withCookie(k, set.split(';')[0] ?? '')).to.equal(200);
    expect(await withCookie(k, `other=1; ${set.split(';')[0]}; more=2`)).to.equal(200);
    const second = await exchange(k, JSON.stringify({ code }));
    expect([second.status, second.json().error.code]).to.deep.equal([401, 'UNAUTHENTICATED']);
    expect(second.headers['set-cookie']).to.equal(undefined);
  });

  it('a code is good for a minute, a session for twelve hours after its last request', async () => {
    const clock = fakeClock();
    const k = await make.kernel({ clock });
    const late = (await k.rest('POST', '/ui/login')).body.code;
    await clock.advance(60_000);
    expect((await exchange(k, JSON.stringify({ code: late }))).status).to.equal(401);
    const { code } = (await k.rest('POST', '/ui/login')).body;
    await clock.advance(59_999);
    const cookie = String((await exchange(k, JSON.stringify({ code }))).headers['set-cookie']).split(';')[0] ?? '';
    for (let i = 0; i < 3; i++) {
      await clock.advance(11 * 3_600_000);
      expect(await withCookie(k, cookie)).to.equal(200);
    }
    await clock.advance(12 * 3_600_000);
    expect(await withCookie(k, cookie)).to.equal(401);
  });

  it('is only for our own page, and takes no rubbish', async () => {
    const k = await make.kernel();
    const { code } = (await k.rest('POST', '/ui/login')).body;
    expect(
      (await send(k, '/login', { method: 'POST', token: false, body: JSON.stringify({ code }) })).json().error.code,
    ).to.equal('ORIGIN_NOT_ALLOWED');
    expect((await exchange(k, JSON.stringify({ code }), 'http://evil.test')).status).to.equal(403);
    for (const [body, status] of [
      ['{', 400],
      ['', 400],
      ['null', 401],
      ['{}', 401],
      ['{"code":1}', 401],
      ['{"code":""}', 401],
      [JSON.stringify({ code: 'x'.repeat(5000) }), 413],
    ] as const)
      expect((await exchange(k, body)).status, body.slice(0, 20)).to.equal(status);
    // none of that used the code up
    expect((await exchange(k, JSON.stringify({ code }))).status).to.equal(204);
  });

  it('ends with a new token, as the old token does, and unused codes with it', async () => {
    const k = await make.kernel();
    const codes = [(await k.rest('POST', '/ui/login')).body.code, (await k.rest('POST', '/ui/login')).body.code];
    const cookie =
      String((await exchange(k, JSON.stringify({ code: codes[0] }))).headers['set-cookie']).split(';')[0] ?? '';
    const old = k.token;
    const { token } = (await k.rest('POST', '/daemon/rotate-token')).body;
    expect(token).to.not.equal(old);
    expect(k.token).to.equal(token);
    expect((await send(k, '/api/v1/kinds', { token: false, headers: { 'x-coffer-token': old } })).status).to.equal(401);
    expect(await withCookie(k, cookie)).to.equal(401);
    expect((await exchange(k, JSON.stringify({ code: codes[1] }))).status).to.equal(401);
    expect((await k.rest('GET', '/audit?event_type=token_rotated')).body.entries).to.have.length(1);
    expect(JSON.stringify((await k.rest('GET', '/audit')).body)).to.not.include(token);
  });
});
