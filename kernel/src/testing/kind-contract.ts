import assert from 'node:assert/strict';
import type { Obj } from '../json.js';
import type { Plugin } from '../plugin/contract.js';
import { createTestKernel, type TestKernel } from './kernel.js';

export interface KindSample {
  kind: string;
  /** A config that the kind accepts. */
  valid: Obj;
  /** Another one, for updates. */
  changed: Obj;
  /** Configs it must refuse. */
  invalid: readonly Obj[];
}

/** The test functions of a runner, mocha's by default names. */
export interface Runner {
  describe(title: string, body: () => void): void;
  it(title: string, body: () => Promise<void>): void;
  before(body: () => Promise<void>): void;
  after(body: () => Promise<void>): void;
}

/** The same checks for every kind, bundled or third party: what a kind gets from the kernel must work for it. */
export function kindContract(
  plugins: readonly Plugin[],
  sample: KindSample,
  { describe, it, before, after }: Runner,
): void {
  describe(`kind ${sample.kind} keeps the contract of kinds`, () => {
    let k: TestKernel;
    const at = `/resources/${sample.kind}/sample`;
    before(async () => void (k = await createTestKernel({ plugins })));
    after(() => k.stop());

    it('is listed with a schema and a label', async () => {
      const { body } = await k.rest('GET', '/kinds');
      const kind = (body.kinds as Obj[]).find((x) => x['kind'] === sample.kind);
      assert.ok(kind, 'the kind is listed');
      assert.equal(typeof kind['label'].one, 'string');
      assert.equal(typeof kind['schema'], 'object');
    });
    it('refuses what its schema refuses and stores nothing of it', async () => {
      for (const config of sample.invalid) {
        const res = await k.rest('POST', '/resources', { kind: sample.kind, name: 'bad', config });
        assert.ok(res.status === 422 || res.status === 400, `status ${res.status}`);
        assert.equal(typeof res.body.error.code, 'string');
      }
      assert.equal((await k.rest('GET', `/resources/${sample.kind}/bad`)).status, 404);
    });
    it('registers, shows and lists', async () => {
      const made = await k.rest('POST', '/resources', { kind: sample.kind, name: 'sample', config: sample.valid });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      assert.equal(made.body.ref, `${sample.kind}:sample`);
      assert.equal((await k.rest('GET', at)).body.enabled, true);
      assert.equal((await k.rest('GET', `/resources?kind=${sample.kind}`)).body.resources.length, 1);
    });
    it('refuses a second one of the same name', async () => {
      const again = await k.rest('POST', '/resources', { kind: sample.kind, name: 'sample', config: sample.valid });
      assert.equal(again.status, 409);
      assert.equal(again.body.error.code, 'RESOURCE_ALREADY_EXISTS');
    });
    it('updates, and refuses a change based on an old reading', async () => {
      const before_ = (await k.rest('GET', at)).body;
      assert.equal((await k.rest('PATCH', at, { config: sample.changed })).status, 200);
      const stale = await k.rest('PATCH', at, { config: sample.valid, expected_updated_at: before_.updated_at });
      assert.equal(stale.body.error.code, 'RESOURCE_STALE');
    });
    it('can be disabled and enabled', async () => {
      assert.equal((await k.rest('POST', `${at}/disable`)).body.enabled, false);
      assert.equal((await k.rest('POST', `${at}/enable`)).body.enabled, true);
    });
    it('takes a scope of its axes, or none', async () => {
      const { axes } = (await k.rest('GET', `${at}/scope`)).body;
      const res = await k.rest('PUT', `${at}/scope`, { scope: { '*': '*' } });
      assert.equal(res.status, (axes as string[]).length > 0 ? 200 : 422);
      assert.equal((await k.rest('PUT', `${at}/scope`, { scope: null })).status, 200);
    });
    it('survives a restart and leaves an audit trail', async () => {
      await k.stop({ keep: true });
      k = await createTestKernel({ plugins, home: k.home });
      assert.equal((await k.rest('GET', at)).status, 200);
      const events = ((await k.rest('GET', `/audit?kind=${sample.kind}&name=sample`)).body.entries as Obj[]).map(
        (e) => e['event_type'] as string,
      );
      for (const e of ['resource_created', 'resource_updated', 'resource_disabled', 'resource_enabled'])
        assert.ok(events.includes(e), e);
    });
    it('stays intact, as an unknown kind, while its plugin is away', async () => {
      await k.stop({ keep: true });
      k = await createTestKernel({ home: k.home });
      const alone = await k.rest('GET', at);
      assert.equal(alone.status, 200);
      assert.match(String(alone.body.status.reason), /unknown kind/);
      await k.stop({ keep: true });
      k = await createTestKernel({ plugins, home: k.home });
      assert.doesNotMatch(String((await k.rest('GET', at)).body.status.reason), /unknown kind/);
    });
    it('is deleted for good', async () => {
      assert.equal((await k.rest('DELETE', at)).status, 204);
      assert.equal((await k.rest('GET', at)).status, 404);
    });
  });
}
