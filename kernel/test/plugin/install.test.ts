import { expect } from 'chai';
import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { notes } from '../support/notes.js';
import { workshop } from '../support/kernels.js';
import { npmPack, writePackage } from '../support/packages.js';

describe('installing a plugin', () => {
  const make = workshop();
  const staging = (home: string): string[] =>
    existsSync(path.join(home, 'plugins'))
      ? readdirSync(path.join(home, 'plugins')).filter((f) => f.startsWith('.'))
      : [];

  it('from a folder that imports @coffer/kernel, without an install or a build', async () => {
    const dir = writePackage(make.folder(), {
      more: { scripts: { postinstall: 'touch RAN' }, dependencies: { '@coffer/kernel': '*' } },
      files: { 'lib/a.js': 'x' },
    });
    const k = await make.kernel();
    const preview = await k.rest('POST', '/plugins/preview', { spec: dir });
    expect(preview.body).to.deep.include({
      name: 'kind-pebble',
      version: '1.0.0',
      description: 'Pebbles',
      dependencies: ['@coffer/kernel'],
      skipped_scripts: ['postinstall'],
      files: 3,
      replaces: null,
    });
    expect((await k.rest('GET', '/plugins/kind-pebble')).status).to.equal(404);

    const added = await k.rest('POST', '/plugins', { spec: dir });
    expect(added.status, JSON.stringify(added.body)).to.equal(201);
    expect(added.body).to.deep.include({
      name: 'kind-pebble',
      state: 'active',
      source: 'installed',
      kinds: ['pebble'],
    });
    expect((await k.rest('POST', '/resources', { kind: 'pebble', name: 'a', config: {} })).status).to.equal(201);
    expect(staging(k.home)).to.deep.equal([]);
    const [id = ''] = readdirSync(path.join(k.home, 'plugins/kind-pebble'));
    expect(readdirSync(path.join(k.home, 'plugins/kind-pebble', id)).sort()).to.deep.equal([
      'index.js',
      'lib',
      'package.json',
    ]);
    const link = path.join(k.home, 'plugins/node_modules/@coffer/kernel');
    expect(realpathSync(link)).to.equal(realpathSync(fileURLToPath(new URL('../../', import.meta.url))));
    expect((await k.rest('GET', '/audit?event_type=plugin_added')).body.entries[0].details).to.deep.equal({
      name: 'kind-pebble',
      version: '1.0.0',
      state: 'active',
    });
  });

  it('from the tarball that npm packs, scoped name and all', async () => {
    const file = npmPack(
      writePackage(make.folder(), {
        name: '@someone/kind-pebble',
        more: { scripts: { preinstall: 'exit 1', prepare: 'exit 1' } },
      }),
    );
    const k = await make.kernel();
    const added = await k.rest('POST', '/plugins', { spec: file });
    expect(added.body).to.deep.include({ name: 'kind-pebble', state: 'active', kinds: ['pebble'] });
  });

  it('is there after a restart, and gone for good after it was removed; what it defined waits for it', async () => {
    const dir = writePackage(make.folder());
    const home = make.folder();
    const first = await make.kernel({ home });
    await first.rest('POST', '/plugins', { spec: dir });
    await first.rest('POST', '/resources', { kind: 'pebble', name: 'a', config: { n: 1 } });
    await first.stop({ keep: true });

    const k = await make.kernel({ home });
    expect(k.host.get('kind-pebble').state).to.equal('active');
    expect((await k.rest('DELETE', '/plugins/kind-pebble')).status).to.equal(204);
    expect((await k.rest('GET', '/plugins/kind-pebble')).status).to.equal(404);
    expect(existsSync(path.join(home, 'plugins/kind-pebble'))).to.equal(false);
    const orphan = (await k.rest('GET', '/resources/pebble/a')).body;
    expect(orphan.config).to.deep.equal({ n: 1 });
    expect(orphan.status.reason).to.include('unknown kind');
    expect((await k.rest('POST', '/resources', { kind: 'pebble', name: 'b', config: {} })).body.error.code).to.equal(
      'UNKNOWN_KIND',
    );

    await k.rest('POST', '/plugins', { spec: dir });
    expect((await k.rest('GET', '/resources/pebble/a')).body.status.status).to.equal('unknown');
    expect((await k.rest('GET', '/resources/pebble/a')).body.status.reason).to.equal(undefined);
  });

  it('replaces an older version whole, running plugin and files, and brings its users back', async () => {
    const at = make.folder();
    const k = await make.kernel();
    const old = writePackage(at, { files: { 'old.txt': '' } });
    await k.rest('POST', '/plugins', { spec: old });
    const user = writePackage(at, {
      name: 'user',
      code: "export default definePlugin({ name, apiVersion: 1, requires: ['kind-pebble'], register() {} });",
    });
    await k.rest('POST', '/plugins', { spec: user });
    const fresh = writePackage(make.folder(), { version: '2.0.0' });
    expect((await k.rest('POST', '/plugins/preview', { spec: fresh })).body.replaces).to.equal('1.0.0');
    const res = await k.rest('POST', '/plugins', { spec: fresh });
    expect(res.body).to.deep.include({ version: '2.0.0', state: 'active', kinds: ['pebble'] });
    const ids = readdirSync(path.join(k.home, 'plugins/kind-pebble'));
    expect(ids).to.have.length(1);
    expect(readdirSync(path.join(k.home, 'plugins/kind-pebble', ids[0] ?? ''))).to.not.include('old.txt');
    expect((await k.rest('GET', '/plugins/user')).body.state).to.equal('active');
  });

  it('leaves links out, wherever they lead, and follows one that is the spec itself', async () => {
    const at = make.folder();
    const secret = path.join(at, 'secret.txt');
    writeFileSync(secret, 'outside');
    const dir = writePackage(at);
    symlinkSync(secret, path.join(dir, 'leak.txt'));
    symlinkSync(at, path.join(dir, 'up'));
    const link = path.join(at, 'link');
    symlinkSync(dir, link);
    const k = await make.kernel();
    const { body } = await k.rest('POST', '/plugins', { spec: link });
    expect(body.state, JSON.stringify(body)).to.equal('active');
    const [id = ''] = readdirSync(path.join(k.home, 'plugins/kind-pebble'));
    expect(readdirSync(path.join(k.home, 'plugins/kind-pebble', id)).sort()).to.deep.equal([
      'index.js',
      'package.json',
    ]);
  });

  it('whose module fails is installed and failed, and says why', async () => {
    const k = await make.kernel();
    for (const [name, code, says] of [
      ['throws', 'throw new Error("at import");', 'Error: at import'],
      ['plain', 'export default { name };', 'definePlugin()'],
      ['other', "export default definePlugin({ name: 'another', apiVersion: 1, register() {} });", 'use one name'],
      ['future', 'export default definePlugin({ name, apiVersion: 99, register() {} });', 'needs plugin API 99'],
    ] as const) {
      const { status, body } = await k.rest('POST', '/plugins', { spec: writePackage(make.folder(), { name, code }) });
      expect(status).to.equal(201);
      expect(body.state).to.equal('failed');
      expect(body.note).to.include(says);
    }
    await k.rest('POST', '/plugins/throws/disable');
    const again = await k.rest('POST', '/plugins/throws/enable');
    expect(again.body.state).to.equal('failed');
    // Node keeps the outcome of an import; the reason is still the one to mend.
    expect(again.body.note).to.include('Error: at import');
  });

  it('cannot take the name of a bundled one, and a bundled one cannot be removed', async () => {
    const k = await make.kernel({ plugins: [notes] });
    const res = await k.rest('POST', '/plugins', { spec: writePackage(make.folder(), { name: 'kind-note' }) });
    expect(res.body.error.code).to.equal('PLUGIN_CONFLICT');
    const gone = await k.rest('DELETE', '/plugins/kind-note');
    expect(gone.body.error.code).to.equal('PLUGIN_CONFLICT');
    expect(gone.body.error.message).to.include('coffer plugin disable kind-note');
    expect(k.host.get('kind-note').state).to.equal('active');
    expect(staging(k.home)).to.deep.equal([]);
  });

  it('a damaged one in the vault is shown with its reason and does not keep the daemon down', async () => {
    const home = make.folder();
    mkdirSync(path.join(home, 'plugins/broken/1'), { recursive: true });
    writeFileSync(path.join(home, 'plugins/broken/1/package.json'), '{ no json');
    const k = await make.kernel({ home });
    const { body } = await k.rest('GET', '/plugins/broken');
    expect(body.state).to.equal('failed');
    expect(body.note).to.include('no JSON');
    expect(readFileSync(path.join(home, 'plugins/broken/1/package.json'), 'utf8')).to.equal('{ no json');
  });
});
