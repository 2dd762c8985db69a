import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { notes } from '../support/notes.js';
import { plugin, workshop } from '../support/kernels.js';
import type { Kernel } from '../../src/plugin/contract.js';

describe('credentials', () => {
  const make = workshop();

  it('are stored encrypted, listed without values, read back audited, and deleted', async () => {
    const k = await make.kernel();
    const value = 'päss wörd\nwith lines';
    expect((await k.rest('POST', '/credentials', { ref: 'provider/x/key', value })).status).to.equal(204);
    const { body } = await k.rest('GET', '/credentials');
    expect(body.credentials).to.have.length(1);
    expect(body.credentials[0]).to.deep.include({ ref: 'provider/x/key', locked: false, cited_by: [] });
    expect(JSON.stringify(body)).to.not.include('wörd');
    expect(
      (await k.rest('GET', '/credentials/provider%2Fx%2Fkey', undefined, { 'X-Coffer-Actor': 'cli' })).body,
    ).to.deep.equal({ value });
    expect((await k.rest('GET', '/credentials/provider%2Fx%2Fkey/exists')).body).to.deep.equal({ present: true });
    await k.rest('POST', '/credentials', { ref: 'provider/x/key', value: 'second' });
    expect((await k.rest('GET', '/credentials/provider%2Fx%2Fkey')).body.value).to.equal('second');
    expect((await k.rest('DELETE', '/credentials/provider%2Fx%2Fkey')).status).to.equal(204);
    expect((await k.rest('DELETE', '/credentials/provider%2Fx%2Fkey')).status).to.equal(204);
    expect((await k.rest('GET', '/credentials/provider%2Fx%2Fkey')).body.error.code).to.equal('CREDENTIAL_NOT_FOUND');

    const rows = (await k.rest('GET', '/audit')).body.entries.filter((e: { event_type: string }) =>
      e.event_type.startsWith('credential_'),
    );
    expect(rows.map((r: { event_type: string; actor: string }) => `${r.event_type} ${r.actor}`)).to.deep.equal([
      'credential_deleted api',
      'credential_read api',
      'credential_set api',
      'credential_read cli',
      'credential_set api',
    ]);
    for (const r of rows) expect(r.details).to.deep.equal({ ref: 'provider/x/key' });
    const everything =
      JSON.stringify(k.services.db.prepare('SELECT * FROM credentials').all()) +
      readFileSync(path.join(k.home, 'logs/daemon.log'), 'utf8');
    expect(everything).to.not.include('wörd').and.not.include('second');
  });

  it('have names of segments and values of some length', async () => {
    const k = await make.kernel();
    for (const ref of ['', '/', 'a/', '/a', 'a//b', 'a b', 'ä', 'a\n', 'x'.repeat(201)])
      expect((await k.rest('POST', '/credentials', { ref, value: 'v' })).body.error.code, ref).to.equal(
        'CONFIG_INVALID',
      );
    for (const value of ['', 'x'.repeat(8193)])
      expect((await k.rest('POST', '/credentials', { ref: 'a', value })).status).to.equal(422);
    expect((await k.rest('POST', '/credentials', { ref: 'x'.repeat(200), value: 'x'.repeat(8192) })).status).to.equal(
      204,
    );
  });

  it('one that is damaged does not hide the others', async () => {
    const k = await make.kernel();
    for (const ref of ['a', 'b']) await k.rest('POST', '/credentials', { ref, value: ref });
    k.services.db.prepare("UPDATE credentials SET token = 'gAAAA' || token WHERE ref = 'a'").run();
    expect(
      (await k.rest('GET', '/credentials')).body.credentials.map((c: { ref: string; locked: boolean }) => [
        c.ref,
        c.locked,
      ]),
    ).to.deep.equal([
      ['a', true],
      ['b', false],
    ]);
    expect((await k.rest('GET', '/credentials/a')).body.error.code).to.equal('CREDENTIAL_LOCKED');
    expect((await k.rest('GET', '/credentials/b')).body.value).to.equal('b');
    // setting it again repairs it
    await k.rest('POST', '/credentials', { ref: 'a', value: 'new' });
    expect((await k.rest('GET', '/credentials/a')).body.value).to.equal('new');
  });

  it('that are cited are not deleted, and one that is missing cannot be cited', async () => {
    const k = await make.kernel({ plugins: [notes] });
    const bad = await k.rest('POST', '/resources', { kind: 'note', name: 'a', config: { text: 'x', key: 'my/key' } });
    expect([bad.status, bad.body.error.code, bad.body.error.details]).to.deep.equal([
      400,
      'CREDENTIAL_MISSING',
      { ref: 'my/key' },
    ]);
    await k.rest('POST', '/credentials', { ref: 'my/key', value: 'v' });
    await k.rest('POST', '/resources', { kind: 'note', name: 'a', config: { text: 'x', key: 'my/key' } });
    expect((await k.rest('GET', '/credentials')).body.credentials[0].cited_by).to.deep.equal(['note:a']);
    const del = await k.rest('DELETE', '/credentials/my%2Fkey');
    expect([del.status, del.body.error.code, del.body.error.details.cited_by]).to.deep.equal([
      409,
      'CREDENTIAL_IN_USE',
      ['note:a'],
    ]);
    await k.rest('DELETE', '/resources/note/a');
    expect((await k.rest('DELETE', '/credentials/my%2Fkey')).status).to.equal(204);
  });

  it('are revealed to a plugin without an audit row, and missing ones are named', async () => {
    let view: Kernel | undefined;
    const k = await make.kernel({ plugins: [plugin('p', (v) => void (view = v))] });
    await k.rest('POST', '/credentials', { ref: 'a', value: 'plain' });
    expect([view?.credentials.has('a'), view?.credentials.has('b'), view?.credentials.reveal('a')]).to.deep.equal([
      true,
      false,
      'plain',
    ]);
    expect(() => view?.credentials.reveal('b')).to.throw('There is no credential b');
    expect((await k.rest('GET', '/audit?event_type=credential_read')).body.entries).to.deep.equal([]);
  });
});
