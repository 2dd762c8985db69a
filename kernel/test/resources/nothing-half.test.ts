import { expect } from 'chai';
import type { Kernel } from '../../src/plugin/contract.js';
import type { TestKernel } from '../../src/testing/index.js';
import { notes } from '../support/notes.js';
import { plugin, workshop } from '../support/kernels.js';

/** All that a refused change must leave as it was: memory, table, audit. */
async function state(k: TestKernel): Promise<unknown> {
  return {
    memory: (await k.rest('GET', '/resources')).body.resources,
    table: k.services.db.prepare('SELECT * FROM resources ORDER BY kind, name').all(),
    audit: k.services.db.prepare('SELECT event_type FROM audit_log WHERE resource_kind IS NOT NULL').all(),
  };
}

describe('a change that is refused leaves nothing behind', () => {
  const make = workshop();
  const veto = (tap: (k: Kernel, no: () => never) => void): ReturnType<typeof plugin> =>
    plugin('veto', (k) =>
      tap(k, () => {
        throw new Error('veto');
      }),
    );

  const cases: [string, (k: Kernel, no: () => never) => void, [method: string, path: string, body?: object]][] = [
    [
      'creating',
      (k, no) => k.tap(k.hooks.resource.creating.for('note'), (d) => (d.name === 'new' ? no() : undefined)),
      ['POST', '/resources', { kind: 'note', name: 'new', config: { text: 'x' } }],
    ],
    [
      'validating',
      (k, no) =>
        k.tap(k.hooks.resource.validating.for('note'), (_d, before) => (before === undefined ? undefined : no())),
      ['PATCH', '/resources/note/old', { config: { text: 'y' } }],
    ],
    [
      'updating',
      (k, no) => k.tap(k.hooks.resource.updating.for('note'), no),
      ['PATCH', '/resources/note/old', { config: { text: 'y' } }],
    ],
    [
      'disabling',
      (k, no) => k.tap(k.hooks.resource.disabling.for('note'), no),
      ['POST', '/resources/note/old/disable'],
    ],
    ['deleting', (k, no) => k.tap(k.hooks.resource.deleting.for('note'), no), ['DELETE', '/resources/note/old']],
  ];
  for (const [what, tap, request] of cases) {
    it(`by a tap of resource.${what}`, async () => {
      const k = await make.kernel({ plugins: [notes, veto(tap)] });
      await k.rest('POST', '/resources', { kind: 'note', name: 'old', config: { text: 'x' } });
      const before = await state(k);
      const { status, body } = await k.rest(...request);
      expect(status).to.equal(500);
      expect(body.error.message).to.include('Plugin veto failed in resource.').and.not.include('threw');
      expect(await state(k)).to.deep.equal(before);
    });
  }

  for (const [what, table] of [
    ['the audit row', 'audit_log'],
    ['the row', 'resources'],
  ] as const) {
    it(`when ${what} cannot be written`, async () => {
      const k = await make.kernel({ plugins: [notes] });
      await k.rest('POST', '/resources', { kind: 'note', name: 'old', config: { text: 'x' } });
      const before = await state(k);
      for (const verb of ['INSERT', 'UPDATE', 'DELETE'])
        k.services.db.exec(
          `CREATE TRIGGER no_${verb} BEFORE ${verb} ON ${table} BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
        );
      for (const request of [
        ['POST', '/resources', { kind: 'note', name: 'new', config: { text: 'x' } }],
        ['PATCH', '/resources/note/old', { config: { text: 'y' } }],
        ['POST', '/resources/note/old/disable'],
        ['PUT', '/resources/note/old/scope', { scope: {} }],
        ['DELETE', '/resources/note/old'],
      ] as [string, string, object?][]) {
        const { status, body } = await k.rest(...request);
        expect([request[0], status]).to.deep.equal([request[0], 500]);
        expect(JSON.stringify(body)).to.not.include('disk full');
      }
      expect(await state(k)).to.deep.equal(before);
      for (const verb of ['INSERT', 'UPDATE', 'DELETE']) k.services.db.exec(`DROP TRIGGER no_${verb}`);
    });
  }

  it('what only watches a change does not undo it', async () => {
    const watch = plugin('watch', (k) =>
      k.tap(k.hooks.resource.deleted.for('note'), () => {
        throw new Error('x');
      }),
    );
    const k = await make.kernel({ plugins: [notes, watch] });
    await k.rest('POST', '/resources', { kind: 'note', name: 'a', config: { text: 'x' } });
    expect((await k.rest('DELETE', '/resources/note/a')).status).to.equal(204);
    expect((await k.rest('GET', '/resources/note/a')).status).to.equal(404);
  });
});
