import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { createTestKernel, type TestKernel } from '../../src/testing/index.js';
import { notes } from '../support/notes.js';
import { plugin, until } from '../support/kernels.js';
import { send } from '../support/wire.js';

describe('what REST answers', () => {
  let k: TestKernel;
  before(async () => {
    const bad = plugin('bad', (v) =>
      v.routes([
        {
          method: 'GET',
          path: '/bad',
          summary: '',
          response: {},
          handle: () => {
            throw new Error('inner words');
          },
        },
      ]),
    );
    k = await createTestKernel({ plugins: [notes, bad] });
  });
  after(() => k.stop());

  const code = async (at: string, r: Parameters<typeof send>[2] = {}): Promise<[number, string]> => {
    const res = await send(k, at, r);
    expect(Object.keys(res.json()), at).to.deep.equal(['error']);
    expect(Object.keys(res.json().error)).to.deep.equal(['code', 'message', 'details']);
    expect(res.headers['content-type']).to.match(/^application\/json/);
    return [res.status, res.json().error.code];
  };

  it('errors in one envelope: unknown address, method, body, actor', async () => {
    expect(await code('/api/v1/nowhere')).to.deep.equal([404, 'NOT_FOUND']);
    expect(await code('/api/v1/kinds', { method: 'DELETE' })).to.deep.equal([405, 'METHOD_NOT_ALLOWED']);
    expect(await code('/api/v1/kinds', { method: 'PROPFIND' })).to.deep.equal([405, 'METHOD_NOT_ALLOWED']);
    for (const body of ['{', 'undefined', '\u0000', '[1]', '"x"', 'null', '1'])
      expect(await code('/api/v1/resources', { method: 'POST', body }), body).to.deep.equal([400, 'BAD_REQUEST']);
    expect(await code('/api/v1/resources', { method: 'POST', body: '' })).to.deep.equal([422, 'CONFIG_INVALID']);
    expect(await code('/api/v1/resources', { method: 'POST', body: Buffer.from([0xff, 0xfe, 0x7b]) })).to.deep.equal([
      400,
      'BAD_REQUEST',
    ]);
    expect(await code('/api/v1/kinds', { headers: { 'x-coffer-actor': 'root' } })).to.deep.equal([400, 'BAD_REQUEST']);
    expect(await code('/api/v1/credentials/%E0%A4%A')).to.have.members([404, 'CREDENTIAL_NOT_FOUND']);
  });

  it('each of the five actors, and api for none', async () => {
    const seen: Record<string, string> = {};
    for (const actor of ['cli', 'api', 'ui', 'system', 'agent', '']) {
      await send(k, '/api/v1/credentials', {
        method: 'POST',
        headers: actor === '' ? {} : { 'x-coffer-actor': actor },
        body: JSON.stringify({ ref: 'a', value: 'v' }),
      });
      seen[actor] = (await k.rest('GET', '/audit?event_type=credential_set&limit=1')).body.entries[0].actor;
    }
    expect(seen).to.deep.equal({ cli: 'cli', api: 'api', ui: 'ui', system: 'system', agent: 'agent', '': 'api' });
  });

  it('a trace on every answer, the same as in the log line of what failed', async () => {
    const traces = new Set<string>();
    for (const at of ['/api/v1/kinds', '/api/v1/nowhere', '/', '/mcp', '/nowhere.txt']) {
      const trace = String((await send(k, at)).headers['x-coffer-trace']);
      expect(trace, at).to.match(/^[\w-]{8,}$/);
      traces.add(trace);
    }
    expect(traces.size).to.equal(5);
    expect(String((await send(k, '/', { headers: { host: 'evil.test' } })).headers['x-coffer-trace'])).to.match(
      /^[\w-]{8,}$/,
    );
    const res = await send(k, '/api/v1/bad');
    expect(res.status).to.equal(500);
    expect(res.text).to.not.include('inner words');
    const lines = (): string[] => readFileSync(path.join(k.home, 'logs/daemon.log'), 'utf8').split('\n');
    const mine = (l: string): boolean => l.includes(String(res.headers['x-coffer-trace'])) && l.endsWith('}');
    await until('the log has it', () => lines().some(mine));
    const line = lines().find(mine);
    expect(JSON.parse(line ?? '')).to.deep.include({ level: 'error', msg: 'request failed', path: '/api/v1/bad' });
  });

  it('413 for a body that is too large, said or not, and the next request works', async () => {
    const limit = 8 * 1_048_576;
    const big = Buffer.alloc(limit + 1, 0x20);
    expect(
      await code('/api/v1/resources', { method: 'POST', body: big, headers: { 'content-length': String(big.length) } }),
    ).to.deep.equal([413, 'PAYLOAD_TOO_LARGE']);
    const chunked = await new Promise<number>((resolve, reject) => {
      const req = http.request(
        `${k.url}/api/v1/resources`,
        { method: 'POST', agent: false, headers: { 'x-coffer-token': k.token, 'transfer-encoding': 'chunked' } },
        (res) => {
          res.resume();
          resolve(res.statusCode ?? 0);
        },
      );
      req.on('error', reject);
      for (let sent = 0; sent < big.length; sent += 1_048_576) req.write(big.subarray(sent, sent + 1_048_576));
      req.end();
    });
    expect(chunked).to.equal(413);
    const text = JSON.stringify({ kind: 'note', name: 'ok', config: { text: 'x' } });
    expect((await send(k, '/api/v1/resources', { method: 'POST', body: text.padEnd(limit) })).status).to.equal(201);
  });

  it('a body cut off in the middle ends that request and nothing else', async () => {
    await new Promise<void>((resolve) => {
      const req = http.request(`${k.url}/api/v1/resources`, {
        method: 'POST',
        agent: false,
        headers: { 'x-coffer-token': k.token, 'content-length': '1000' },
      });
      req.on('error', () => resolve()).on('close', () => resolve());
      req.write('{"kind"', () => req.destroy());
    });
    expect((await k.rest('GET', '/daemon/status')).body.status).to.equal('ready');
  });
});
