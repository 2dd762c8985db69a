import { expect } from 'chai';
import type { TestKernel } from '../../src/testing/index.js';
import { fakeClock } from '../../src/testing/clock.js';
import { NOTE, notes } from '../support/notes.js';
import { plugin, workshop } from '../support/kernels.js';

interface Row {
  event_type: string;
  actor: string;
  details: Record<string, unknown>;
}

describe('a resource', () => {
  const make = workshop();
  const add = (
    k: TestKernel,
    name: string,
    config: unknown = { text: 'hi' },
    more = {},
  ): ReturnType<TestKernel['rest']> => k.rest('POST', '/resources', { kind: 'note', name, config, ...more });
  const rows = async (k: TestKernel): Promise<Row[]> => (await k.rest('GET', '/audit?kind=note')).body.entries;

  it('lives: made, read, listed, changed, disabled, enabled, deleted, each with its audit row', async () => {
    const clock = fakeClock();
    const k = await make.kernel({ plugins: [notes], clock });
    const made = await add(k, 'a', { text: 'hi', secret: 's3cret' }, { description: 'first' });
    expect(made.status).to.equal(201);
    expect(made.body).to.deep.include({
      ref: 'note:a',
      kind: 'note',
      name: 'a',
      description: 'first',
      enabled: true,
      scope: null,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
      // the default of the schema was filled in
      config: { text: 'hi', secret: 's3cret', colour: 'red' },
    });
    await clock.advance(1000);
    const changed = await k.rest('PATCH', '/resources/note/a', { config: { text: 'ho' } }, { 'X-Coffer-Actor': 'cli' });
    expect(changed.body).to.deep.include({
      description: 'first',
      config: { text: 'ho', colour: 'red' },
      updated_at: '2026-01-01T00:00:01.000Z',
      created_at: '2026-01-01T00:00:00.000Z',
    });
    expect((await k.rest('PATCH', '/resources/note/a', { description: null })).body).to.deep.include({
      description: null,
      config: { text: 'ho', colour: 'red' },
    });
    expect((await k.rest('POST', '/resources/note/a/disable')).body.enabled).to.equal(false);
    expect((await k.rest('POST', '/resources/note/a/disable')).body.enabled).to.equal(false);
    expect((await k.rest('POST', '/resources/note/a/enable')).body.enabled).to.equal(true);
    expect(
      (await k.rest('GET', '/resources?kind=note')).body.resources.map((r: { ref: string }) => r.ref),
    ).to.deep.equal(['note:a']);
    expect((await k.rest('GET', '/resources?kind=other')).body.resources).to.deep.equal([]);
    expect((await k.rest('DELETE', '/resources/note/a')).status).to.equal(204);
    expect((await k.rest('GET', '/resources/note/a')).body.error.code).to.equal('RESOURCE_NOT_FOUND');
    const audit = await rows(k);
    // the second disable changed nothing and left no row
    expect(audit.map((r) => r.event_type)).to.deep.equal([
      'resource_deleted',
      'resource_enabled',
      'resource_disabled',
      'resource_updated',
      'resource_updated',
      'resource_created',
    ]);
    expect(audit[4]).to.deep.include({
      actor: 'cli',
      details: {
        before: { config: { text: 'hi', colour: 'red' }, description: 'first' },
        after: { config: { text: 'ho', colour: 'red' }, description: 'first' },
      },
    });
    expect(audit[0]?.details).to.deep.equal({
      snapshot: { kind: 'note', name: 'a', config: { text: 'ho', colour: 'red' }, enabled: true },
    });
    expect(JSON.stringify(audit)).to.not.include('s3cret');
  });

  it('is checked in order: kind, who may make it, name, existence, schema, credentials, hooks', async () => {
    const own = plugin('own', (k) => k.kinds.define({ ...NOTE, kind: 'own', creation: 'own' }));
    const veto = plugin('veto', (k) =>
      k.tap(k.hooks.resource.validating.for('note'), () => {
        throw new Error('veto');
      }),
    );
    const k = await make.kernel({ plugins: [notes, own, veto] });
    const code = async (body: object): Promise<string> =>
      (await k.rest('POST', '/resources', { description: null, ...body })).body.error.code;
    const bad = { text: 1, key: 'no/such' };
    expect(await code({ kind: 'ghost', name: '!', config: bad })).to.equal('UNKNOWN_KIND');
    expect(await code({ kind: 'own', name: '!', config: bad })).to.equal('GENERIC_CREATE_NOT_ALLOWED');
    const name = await k.rest('POST', '/resources', { kind: 'note', name: '!', config: bad });
    expect(name.body.error.code).to.equal('CONFIG_INVALID');
    expect(name.body.error.details).to.deep.equal({ pointer: '/name' });
    expect((await add(k, 'dash-', bad)).body.error.message).to.equal('A note ends with no dash.');
    expect(await code({ kind: 'note', name: 'ok', config: bad })).to.equal('CONFIG_INVALID');
    expect(await code({ kind: 'note', name: 'ok', config: { text: 'x', key: 'no/such' } })).to.equal(
      'CREDENTIAL_MISSING',
    );
    expect(await code({ kind: 'note', name: 'ok', config: { text: 'x' } })).to.equal('INTERNAL_ERROR');
  });

  it('has a name of letters, digits, dots, dashes and underscores', async () => {
    const k = await make.kernel({ plugins: [notes] });
    for (const good of ['a', 'A1', '0', 'a.b', 'a-b', 'a__b', 'x'.repeat(64)])
      expect((await add(k, good)).status, good).to.equal(201);
    for (const bad of ['', '.', '..', '_a', '-a', 'a/b', 'a b', 'ä', 'a:b', 'x'.repeat(65), 'a\n'])
      expect((await add(k, bad)).body.error.code, JSON.stringify(bad)).to.equal('CONFIG_INVALID');
  });

  it('is refused a change that was based on an old reading, however fast the changes came', async () => {
    const k = await make.kernel({ plugins: [notes], clock: fakeClock() });
    const { updated_at } = (await add(k, 'a')).body;
    const first = await k.rest('PATCH', '/resources/note/a', {
      config: { text: '1' },
      expected_updated_at: updated_at,
    });
    expect(first.status).to.equal(200);
    expect(first.body.updated_at > updated_at).to.equal(true);
    const stale = await k.rest('PATCH', '/resources/note/a', {
      config: { text: '2' },
      expected_updated_at: updated_at,
    });
    expect([stale.status, stale.body.error.code, stale.body.error.details.updated_at]).to.deep.equal([
      409,
      'RESOURCE_STALE',
      first.body.updated_at,
    ]);
    expect((await k.rest('GET', '/resources/note/a')).body.config.text).to.equal('1');
  });

  it('is made once by many who try at the same time', async () => {
    const slow = plugin('slow', (k) =>
      k.tap(k.hooks.resource.creating.for('note'), () => new Promise((resolve) => setImmediate(resolve))),
    );
    const k = await make.kernel({ plugins: [notes, slow] });
    const all = await Promise.all(Array.from({ length: 8 }, (_, i) => add(k, 'same', { text: `t${i}` })));
    expect(all.map((r) => r.status).sort()).to.deep.equal([201, 409, 409, 409, 409, 409, 409, 409]);
    const winner = all.find((r) => r.status === 201)?.body.config.text;
    expect((await k.rest('GET', '/resources/note/same')).body.config.text).to.equal(winner);
    expect(await rows(k)).to.have.length(1);
  });

  it('changed by many at the same time loses nothing: one of those based on one reading wins', async () => {
    const k = await make.kernel({ plugins: [notes] });
    const { updated_at } = (await add(k, 'a')).body;
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        k.rest('PATCH', '/resources/note/a', { config: { text: `t${i}` }, expected_updated_at: updated_at }),
      ),
    );
    expect(all.filter((r) => r.status === 200)).to.have.length(1);
    expect((await rows(k)).filter((r) => r.event_type === 'resource_updated')).to.have.length(1);
  });

  it('of a kind made by its own commands takes no generic change, but a scope and a switch', async () => {
    const own = plugin('own', (k) => k.kinds.define({ ...NOTE, kind: 'own' }));
    const home = make.folder();
    const first = await make.kernel({ plugins: [own], home });
    await first.rest('POST', '/resources', { kind: 'own', name: 'a', config: { text: 'x' } });
    await first.stop({ keep: true });
    const k = await make.kernel({
      plugins: [plugin('own', (v) => v.kinds.define({ ...NOTE, kind: 'own', creation: 'own' }))],
      home,
    });
    expect((await k.rest('PATCH', '/resources/own/a', { description: 'x' })).body.error.code).to.equal(
      'GENERIC_CREATE_NOT_ALLOWED',
    );
    expect((await k.rest('PUT', '/resources/own/a/scope', { scope: {} })).status).to.equal(200);
    expect((await k.rest('POST', '/resources/own/a/disable')).status).to.equal(200);
  });

  it('tells its health by the tap of its kind, unknown when that throws or says nothing', async () => {
    const seen: string[] = [];
    const kind = plugin('kind-note', (k) => {
      k.kinds.define(NOTE);
      k.tap(k.hooks.resource.status.for('note'), (r) => {
        seen.push(r.name);
        if (r.name === 'bad') throw new Error('x');
        return r.name === 'ok' ? { status: 'healthy', since: 1 } : (undefined as never);
      });
    });
    const k = await make.kernel({ plugins: [kind] });
    for (const name of ['ok', 'bad', 'none']) await add(k, name);
    const status = async (name: string): Promise<unknown> =>
      (await k.rest('GET', `/resources/note/${name}/status`)).body;
    expect(await status('ok')).to.deep.equal({ status: 'healthy', since: 1 });
    expect(await status('bad')).to.deep.include({ status: 'unknown' });
    expect(await status('none')).to.deep.equal({ status: 'unknown' });
    expect(seen).to.include('none');
  });
});
