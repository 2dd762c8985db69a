import { expect } from 'chai';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Obj } from '../../src/json.js';
import { createTestKernel, openHttp, type TestKernel } from '../../src/testing/index.js';
import { NOTE } from '../support/notes.js';
import { plugin } from '../support/kernels.js';
import { offering, result, server } from '../support/sources.js';
import { openEvents } from '../support/wire.js';
import { writePackage } from '../support/packages.js';

/** A schema in which every object says all its fields, so that an undeclared one is noticed too. */
function closed(schema: Obj): Obj {
  const copy: Obj = { ...schema };
  if (copy['properties'] !== undefined) {
    copy['properties'] = Object.fromEntries(
      Object.entries(copy['properties'] as Obj).map(([k, v]) => [k, closed(v as Obj)]),
    );
    copy['additionalProperties'] ??= false;
  }
  if (copy['items'] !== undefined) copy['items'] = closed(copy['items'] as Obj);
  return copy;
}

describe('openapi.json', () => {
  let k: TestKernel;
  let doc: Obj;
  let at: string;
  const ajv = new Ajv2020({ strict: false });
  // CommonJS default export seen through nodenext
  (formats as unknown as (a: Ajv2020) => void)(ajv);
  const done = new Set<string>();

  before(async () => {
    at = mkdtempSync(path.join(tmpdir(), 'coffer-test-'));
    const tool = plugin('tool', (v) => {
      v.tools.define({ name: 'ping', description: '', inputSchema: { type: 'object' }, call: () => ({ pong: true }) });
      v.tap(v.hooks.resource.status.for('note'), () => ({ status: 'healthy' }));
    });
    const back = plugin('kind-note', (v) => v.kinds.define({ ...NOTE, deletion: 'restorable' }));
    k = await createTestKernel({
      plugins: [back, tool, offering([server('a', { onCall: () => result({ done: true }) })])],
    });
    doc = (await k.rest('GET', '/openapi.json')).body;
  });
  after(async () => {
    await k.stop();
    rmSync(at, { recursive: true, force: true });
  });

  /** Calls a route as declared and holds the answer to its declared schema. */
  const call = async (
    method: string,
    template: string,
    params: Record<string, string> = {},
    body?: unknown,
    query = '',
  ): Promise<Obj> => {
    const declared = doc['paths'][`/api/v1${template}`]?.[method.toLowerCase()] as Obj | undefined;
    expect(declared, `${method} ${template} is described`).to.not.equal(undefined);
    const [status, answer] = Object.entries((declared as Obj)['responses'] as Obj)[0] as [string, Obj];
    const real = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'x'));
    const res = await k.rest(method, real + query, body);
    expect(res.status, `${method} ${template} ${JSON.stringify(res.body)}`).to.equal(Number(status));
    const schema = answer['content']?.['application/json']?.schema as Obj | undefined;
    if (schema === undefined) expect(res.body).to.equal(undefined);
    else {
      const valid = ajv.compile(closed(schema));
      expect(
        valid(res.body),
        `${method} ${template}: ${JSON.stringify(valid.errors)} in ${JSON.stringify(res.body)}`,
      ).to.equal(true);
    }
    done.add(`${method} ${template}`);
    return res.body as Obj;
  };

  it('holds for every route, called in the order of a life', async () => {
    const note = { kind: 'note', name: 'a' };
    const mcp = await openHttp(`${k.url}/mcp`, { headers: { 'x-coffer-token': k.token } });
    await call('GET', '/kinds');
    await call('POST', '/credentials', {}, { ref: 'a/b', value: 'v' });
    await call('GET', '/credentials');
    await call('GET', '/credentials/{ref}', { ref: 'a/b' });
    await call('GET', '/credentials/{ref}/exists', { ref: 'a/b' });
    await call('DELETE', '/credentials/{ref}', { ref: 'a/b' });
    await call('GET', '/settings/credentials');
    await call('PUT', '/settings/credentials', {}, { master_key_storage: 'file' });
    await call('POST', '/resources', {}, { ...note, config: { text: 'x' } });
    await call('GET', '/resources', {}, undefined, '?kind=note');
    await call('GET', '/resources/{kind}/{name}', note);
    await call('PATCH', '/resources/{kind}/{name}', note, { description: 'd' });
    await call('POST', '/resources/{kind}/{name}/disable', note);
    await call('POST', '/resources/{kind}/{name}/enable', note);
    await call('PUT', '/resources/{kind}/{name}/scope', note, { scope: { '*': ['a'] } });
    await call('GET', '/resources/{kind}/{name}/scope', note);
    await call('GET', '/resources/{kind}/{name}/status', note);
    await call('POST', '/gateway/call', {}, { name: 'coffer__ping' });
    await call('POST', '/gateway/read', {}, { uri: 'coffer://a/x' });
    await call('POST', '/gateway/prompt', {}, { name: 'a__p', arguments: { city: 'Rome' } });
    await call('GET', '/gateway/sessions');
    await call('GET', '/invocations');
    await call('GET', '/resources/{kind}/{name}/invocations', note);
    await call('GET', '/audit', {}, undefined, '?limit=500');
    await call('GET', '/retention/policies');
    await call('PATCH', '/retention/policies/{table}', { table: 'audit_log' }, { retention_days: 10 });
    await call('POST', '/retention/prune', {}, {});
    const { machines } = await call('GET', '/machines');
    await call('PATCH', '/machines/{id}', { id: machines[0].id as string }, { display_name: 'desk' });
    const spec = writePackage(at);
    await call('POST', '/plugins/preview', {}, { spec });
    await call('POST', '/plugins', {}, { spec });
    await call('GET', '/plugins');
    await call('GET', '/plugins/{name}', { name: 'tool' });
    await call('POST', '/plugins/{name}/disable', { name: 'tool' });
    await call('POST', '/plugins/{name}/enable', { name: 'tool' });
    await call('DELETE', '/plugins/{name}', { name: 'kind-pebble' });
    await call('POST', '/vault/backup', {}, { path: path.join(at, 'backup') });
    await call('DELETE', '/resources/{kind}/{name}', note);
    await call('POST', '/resources/{kind}/{name}/restore', note);
    await call('GET', '/daemon/status');
    await call('POST', '/ui/login');
    await call('GET', '/openapi.json');
    await call('POST', '/daemon/rotate-token');
    await mcp.close();
    const stream = await openEvents(k, '/api/v1/events');
    expect(stream.status).to.equal(200);
    done.add('GET /events');
    stream.close();
    // last, since nothing answers after it; see the tests of the daemon for what it does
    done.add('POST /daemon/shutdown');
    done.add('POST /daemon/restart');
    const all = Object.entries(doc['paths'] as Record<string, Obj>).flatMap(([p, ms]) =>
      Object.keys(ms).map((m) => `${m.toUpperCase()} ${p.replace('/api/v1', '')}`),
    );
    expect(
      all.filter((r) => !done.has(r)),
      'routes that this test does not call',
    ).to.deep.equal([]);
  });

  it('is made of schemas, with every parameter of a path named', () => {
    for (const [p, methods] of Object.entries(doc['paths'] as Record<string, Obj>)) {
      const named = [...p.matchAll(/\{(\w+)\}/g)].map((m) => m[1]);
      for (const op of Object.values(methods) as Obj[]) {
        expect(op['summary']).to.be.a('string').and.not.equal('');
        expect(
          (op['parameters'] as Obj[]).filter((q) => q['in'] === 'path').map((q) => q['name'] as string),
        ).to.deep.equal(named);
        for (const r of Object.values(op['responses'] as Obj) as Obj[])
          for (const media of Object.values((r['content'] ?? {}) as Obj) as Obj[])
            expect(() => ajv.compile(media['schema'] as Obj)).to.not.throw();
      }
    }
    expect(doc['openapi']).to.equal('3.1.0');
    const open = Object.entries(doc['paths'] as Record<string, Obj>).filter(([, ms]) =>
      Object.values(ms).some((m) => (m as Obj)['security'] !== undefined),
    );
    expect(open.map(([p]) => p)).to.deep.equal(['/api/v1/daemon/status']);
  });
});
