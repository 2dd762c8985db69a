import { expect } from 'chai';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestKernel } from '../../src/testing/index.js';
import { workshop } from '../support/kernels.js';
import { rawTarball, writePackage, type Entry } from '../support/packages.js';

const PKG = JSON.stringify({ name: 'evil', version: '1.0.0', type: 'module', coffer: { plugin: './index.js' } });
const HONEST: Entry[] = [
  { path: 'package/package.json', text: PKG },
  { path: 'package/index.js', text: 'export default 1;' },
];

describe('a package that means harm', () => {
  const make = workshop();
  const refused = async (k: TestKernel, spec: string): Promise<string> => {
    for (const route of ['/plugins/preview', '/plugins']) {
      const { status, body } = await k.rest('POST', route, { spec });
      expect(status, JSON.stringify(body)).to.equal(422);
      expect(body.error.code).to.equal('PLUGIN_INVALID');
      if (route === '/plugins') return body.error.message as string;
    }
    throw new Error('unreachable');
  };
  const leftOver = (k: TestKernel): string[] =>
    existsSync(path.join(k.home, 'plugins'))
      ? readdirSync(path.join(k.home, 'plugins')).filter((f) => f !== 'node_modules')
      : [];

  for (const [what, entry] of [
    ['a way up', { path: 'package/../../../evil.txt', text: 'x' }],
    ['a way up behind the folder', { path: 'package/a/../../../../evil.txt', text: 'x' }],
  ] as const) {
    it(`with ${what} is refused and writes nothing`, async () => {
      const at = make.folder();
      const k = await make.kernel();
      await refused(k, rawTarball(path.join(at, 'p.tgz'), [...HONEST, entry]));
      expect(leftOver(k)).to.deep.equal([]);
      for (const dir of [k.home, path.dirname(k.home), path.join(k.home, 'plugins')])
        expect(existsSync(path.join(dir, 'evil.txt'))).to.equal(false);
    });
  }

  it('with an absolute path writes nothing there', async () => {
    const at = make.folder();
    const k = await make.kernel();
    const target = path.join(at, 'absolute.txt');
    await k.rest('POST', '/plugins', {
      spec: rawTarball(path.join(at, 'p.tgz'), [...HONEST, { path: target, text: 'x' }]),
    });
    expect(existsSync(target)).to.equal(false);
  });

  it('with links and devices gets none of them, and no file through one', async () => {
    const at = make.folder();
    const outside = path.join(at, 'outside');
    mkdirSync(outside);
    const k = await make.kernel();
    const { body } = await k.rest('POST', '/plugins', {
      spec: rawTarball(path.join(at, 'p.tgz'), [
        ...HONEST,
        { path: 'package/link', type: 'SymbolicLink', linkpath: outside },
        { path: 'package/link/through.txt', text: 'x' },
        { path: 'package/hard', type: 'Link', linkpath: 'package/package.json' },
        { path: 'package/dev', type: 'CharacterDevice' },
      ]),
    });
    expect(body.name, JSON.stringify(body)).to.equal('evil');
    expect(readdirSync(outside)).to.deep.equal([]);
    const [id = ''] = readdirSync(path.join(k.home, 'plugins/evil'));
    expect(readdirSync(path.join(k.home, 'plugins/evil', id)).sort()).to.deep.equal([
      'index.js',
      'link',
      'package.json',
    ]);
  });

  it('with too many files is refused, packed or not', async function () {
    this.timeout(90_000);
    const at = make.folder();
    const k = await make.kernel();
    const many = Array.from({ length: 5001 }, (_, i): Entry => ({ path: `package/f${i}` }));
    expect(await refused(k, rawTarball(path.join(at, 'p.tgz'), [...HONEST, ...many]))).to.include('5000 files');
    const files = Object.fromEntries(many.map((e) => [e.path.slice(8), '']));
    expect(await refused(k, writePackage(at, { files }))).to.include('5000 files');
    expect(leftOver(k)).to.deep.equal([]);
  });

  it('too large is refused, packed or not', async function () {
    this.timeout(90_000);
    const at = make.folder();
    const k = await make.kernel();
    const text = '\0'.repeat(101 * 1_048_576);
    expect(await refused(k, rawTarball(path.join(at, 'p.tgz'), [...HONEST, { path: 'package/big', text }]))).to.include(
      '100 MiB',
    );
    await refused(k, rawTarball(path.join(at, 'bomb.tgz'), [...HONEST, { path: 'package/big', text }], 9));
    expect(await refused(k, writePackage(at, { files: { big: text } }))).to.include('100 MiB');
    expect(leftOver(k)).to.deep.equal([]);
  });

  it('that is no package at all is refused in plain words', async () => {
    const at = make.folder();
    const k = await make.kernel();
    writeFileSync(path.join(at, 'noise.tgz'), 'this is no tarball, and long enough to be looked at '.repeat(40));
    expect(await refused(k, path.join(at, 'noise.tgz'))).to.include('no npm tarball');
    const cut = rawTarball(path.join(at, 'cut.tgz'), HONEST);
    writeFileSync(cut, readFileSync(cut).subarray(0, 80));
    await refused(k, cut);
    expect(await refused(k, rawTarball(path.join(at, 'empty.tgz'), []))).to.be.a('string');
    mkdirSync(path.join(at, 'bare'));
    expect(await refused(k, path.join(at, 'bare'))).to.include('package.json is missing or no JSON');
    expect(leftOver(k)).to.deep.equal([]);
  });

  it('a spec that is no package name never reaches npm', async () => {
    const k = await make.kernel();
    for (const spec of [
      '--registry=http://127.0.0.1:1',
      '-g',
      './nowhere',
      '../nowhere',
      '/nowhere/at/all',
      'http://127.0.0.1:1/x.tgz',
      'git+ssh://x',
      'a b',
      'a;b',
      'A',
      '$(x)',
      'file:x',
      'x@file:../y',
      'x/y/z',
    ])
      expect(await refused(k, spec), spec).to.include('There is no such folder or file');
    expect((await k.rest('POST', '/plugins', { spec: '' })).body.error.code).to.equal('CONFIG_INVALID');
  });

  it('a manifest that points elsewhere or says what Coffer does not know is refused', async () => {
    const k = await make.kernel();
    for (const more of [
      { coffer: undefined },
      { coffer: {} },
      { coffer: { plugin: '../../etc/x.js' } },
      { coffer: { plugin: './a/../../x.js' } },
      { coffer: { plugin: '/etc/x.js' } },
      { coffer: { plugin: './index.js', surprise: 1 } },
      { coffer: { plugin: './index.js', cli: { module: './cli.js', groups: [] } } },
      { coffer: { plugin: './index.js', ui: { module: 'ui.js' } } },
      { name: '..' },
      { name: 'UPPER' },
      { name: 'node_modules' },
      { version: 1 },
    ])
      expect(await refused(k, writePackage(make.folder(), { more })), JSON.stringify(more)).to.include('package.json');
    expect(leftOver(k)).to.deep.equal([]);
  });
});
