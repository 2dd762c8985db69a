import { expect } from 'chai';
import net from 'node:net';
import type { Obj } from '../../src/json.js';
import { createTestKernel, type TestKernel } from '../../src/testing/index.js';
import { notes } from '../support/notes.js';
import { send, type Request } from '../support/wire.js';

describe('the gate', () => {
  let k: TestKernel;
  let doors: { method: string; path: string; open: boolean; ui: boolean }[];
  let cookie: string;
  const host = (): string => new URL(k.url).host;

  before(async () => {
    k = await createTestKernel({ plugins: [notes] });
    const { body } = await k.rest('GET', '/openapi.json');
    doors = Object.entries(body.paths as Record<string, Obj>).flatMap(([path, methods]) =>
      Object.keys(methods).map((m) => ({
        method: m.toUpperCase(),
        path: path.replace(/\{[^}]+\}/g, 'x'),
        open: path === '/api/v1/daemon/status' && m === 'get',
        ui: false,
      })),
    );
    for (const method of ['GET', 'POST', 'DELETE']) doors.push({ method, path: '/mcp', open: false, ui: false });
    doors.push(
      { method: 'GET', path: '/mcp/leash', open: false, ui: false },
      { method: 'GET', path: '/mcp/anything', open: false, ui: false },
    );
    doors.push(
      { method: 'GET', path: '/', open: true, ui: true },
      { method: 'POST', path: '/login', open: true, ui: true },
    );
    const { code } = (await k.rest('POST', '/ui/login')).body;
    const res = await send(k, '/login', {
      method: 'POST',
      token: false,
      headers: { origin: k.url },
      body: JSON.stringify({ code }),
    });
    cookie = String(res.headers['set-cookie']).split(';')[0] ?? '';
  });
  after(() => k.stop());

  /** Sends the same to every door; returns those whose answer has another code. */
  const others = async (
    request: Request,
    code: string,
    filter: (d: (typeof doors)[number]) => boolean = () => true,
  ): Promise<string[]> => {
    const bad: string[] = [];
    for (const d of doors.filter(filter)) {
      const res = await send(k, d.path, { ...request, method: d.method });
      const got =
        res.status === 200 && res.text === ''
          ? '200'
          : ((JSON.parse(res.text || '{}') as Obj)['error']?.code ?? String(res.status));
      if (got !== code) bad.push(`${d.method} ${d.path}: ${got}`);
    }
    return bad;
  };

  it('knows all the doors', () => {
    expect(doors.length).to.be.greaterThan(35);
    expect(doors.filter((d) => d.open && !d.ui)).to.have.length(1);
  });

  for (const h of [
    'evil.test',
    'evil.test:7420',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    '127.0.0.1@evil.test',
    '0.0.0.0',
    '127.0.0.2',
    '[::1',
    'localhost:1:2',
    'localhost:x',
    'localhost.',
  ])
    it(`lets no request to the host "${h}" through, on any route`, async () => {
      expect(await others({ headers: { host: h } }, 'HOST_NOT_ALLOWED')).to.deep.equal([]);
    });

  it('lets no request without a host through', async () => {
    for (const head of ['GET /api/v1/kinds HTTP/1.1\r\nHost:\r\n', 'GET /api/v1/kinds HTTP/1.0\r\n']) {
      const answer = await new Promise<string>((resolve, reject) => {
        let text = '';
        const socket = net.connect(Number(new URL(k.url).port), '127.0.0.1', () =>
          socket.write(`${head}X-Coffer-Token: ${k.token}\r\nConnection: close\r\n\r\n`),
        );
        socket
          .on('data', (c) => (text += c.toString()))
          .on('close', () => resolve(text))
          .on('error', reject);
      });
      expect(answer).to.include(' 403 ').and.include('HOST_NOT_ALLOWED');
    }
  });

  it('lets no page of another origin through, on any route, token or not', async () => {
    for (const origin of [
      'http://evil.test',
      'null',
      'https://127.0.0.1',
      'http://127.0.0.1',
      `http://localhost:${new URL(k.url).port}`,
      `https://${host()}`,
      `http://${host()}.evil.test`,
      `http://${host()}@evil.test`,
      `http://${host()}/`,
      `HTTP://${host()}`,
      `chrome-extension://${host()}`,
    ])
      expect(await others({ headers: { origin } }, 'ORIGIN_NOT_ALLOWED'), origin).to.deep.equal([]);
  });

  it('lets nobody in without a token, or with a wrong one', async () => {
    for (const headers of [
      {},
      { 'x-coffer-token': '' },
      { 'x-coffer-token': 'x'.repeat(k.token.length) },
      { 'x-coffer-token': k.token.slice(1) },
      { 'x-coffer-token': `${k.token}x` },
      { authorization: `Bearer ${k.token}x` },
      { authorization: `Basic ${k.token}` },
      { authorization: k.token },
      { cookie: 'coffer_session=x' },
      { cookie: `coffer_session=${k.token}` },
    ] as Record<string, string>[])
      expect(
        await others({ headers, token: false }, 'UNAUTHENTICATED', (d) => !d.open),
        JSON.stringify(Object.keys(headers)),
      ).to.deep.equal([]);
    expect(
      await others({ token: false, headers: { cookie, 'x-coffer-token': 'wrong' } }, 'UNAUTHENTICATED', (d) => !d.open),
    ).to.deep.equal([]);
  });

  it('a token in the query is none', async () => {
    for (const q of [`token=${k.token}`, `x-coffer-token=${k.token}`])
      expect((await send(k, `/api/v1/kinds?${q}`, { token: false })).status).to.equal(401);
  });

  for (const name of ['127.0.0.1', 'localhost', '[::1]'])
    it(`takes the token or a bearer, under the name ${name}`, async () => {
      const h = `${name}:${new URL(k.url).port}`;
      expect((await send(k, '/api/v1/kinds', { headers: { host: h } })).status).to.equal(200);
      expect(
        (await send(k, '/api/v1/kinds', { token: false, headers: { host: h, authorization: `Bearer ${k.token}` } }))
          .status,
      ).to.equal(200);
      expect(
        (await send(k, '/api/v1/kinds', { token: false, headers: { host: h, authorization: `bearer ${k.token}` } }))
          .status,
      ).to.equal(200);
      expect((await send(k, '/api/v1/kinds', { headers: { host: h, origin: `http://${h}` } })).status).to.equal(200);
    });

  it('a browser session may read, may change from our own page only, and never across sites', async () => {
    const read = (headers: Record<string, string>): Promise<number> =>
      send(k, '/api/v1/kinds', { token: false, headers: { cookie, ...headers } }).then((r) => r.status);
    expect(await read({})).to.equal(200);
    expect(await read({ 'sec-fetch-site': 'same-origin' })).to.equal(200);
    expect(await read({ 'sec-fetch-site': 'none' })).to.equal(200);
    for (const site of ['cross-site', 'same-site', 'anything'])
      expect(await read({ 'sec-fetch-site': site }), site).to.equal(401);

    const change = (headers: Record<string, string>): Promise<number> =>
      send(k, '/api/v1/retention/prune', {
        method: 'POST',
        token: false,
        body: '{}',
        headers: { cookie, ...headers },
      }).then((r) => r.status);
    expect(await change({})).to.equal(401);
    expect(await change({ origin: k.url })).to.equal(200);
    expect(await change({ origin: k.url, 'sec-fetch-site': 'cross-site' })).to.equal(401);
    expect(await change({ origin: 'http://evil.test' })).to.equal(403);
  });

  it('status is open, says nothing secret, and only for GET', async () => {
    const res = await send(k, '/api/v1/daemon/status', { token: false });
    expect(res.status).to.equal(200);
    expect(res.text).to.not.include(k.token);
    for (const method of ['POST', 'HEAD', 'PUT', 'OPTIONS'])
      expect((await send(k, '/api/v1/daemon/status', { token: false, method })).status, method).to.equal(401);
    for (const path of [
      '/api/v1/daemon/status/',
      '/api/v1//daemon/status',
      '/api/v1',
      '/api/v1/',
      '/api/v1/daemon/status/../../kinds',
    ])
      expect((await send(k, path, { token: false })).status, path).to.equal(401);
  });
});
