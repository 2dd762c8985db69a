import { expect } from 'chai';
import path from 'node:path';
import { readManifest } from '../../src/plugin/manifest.js';
import { newRecord } from '../../src/plugin/record.js';
import { uiDirOf, uiOf, type UiManifest } from '../../src/plugin/ui.js';
import { workshop } from '../support/kernels.js';
import { writePackage } from '../support/packages.js';
import { send } from '../support/wire.js';

const UI: UiManifest = {
  module: './web/pages.js',
  nav: [
    { id: 'pebbles', label: { en: 'Pebbles', zh: '卵石' }, icon: 'M2 2h12v12H2z', group: 'provide', route: '/pebbles' },
  ],
  routes: [{ path: '/pebbles/:name?', element: 'kind-pebble-list' }],
  slots: [{ slot: 'home.cards', id: 'pebble', label: { en: 'Pebbles' }, element: 'kind-pebble-card', order: 3 }],
  palette: [{ id: 'pebble.new', label: { en: 'New pebble' }, route: '/pebbles?add=1', keys: 'a p' }],
  search: [{ id: 'pebbles', label: { en: 'Pebbles' } }],
};
const packed = (ui: unknown, version = '1.0.0', page = 'first'): Parameters<typeof writePackage>[1] => ({
  version,
  more: { coffer: { plugin: './index.js', ui } },
  files: {
    'web/pages.js': `export const page = '${page}';`,
    'web/part.js': 'part;',
    'lib/inner.js': 'not for the web;',
  },
});

describe('what a plugin adds to the web UI', () => {
  const make = workshop();
  const problem = (ui: unknown): string => {
    try {
      readManifest(writePackage(make.folder(), packed(ui)), 'installed');
      return '';
    } catch (e) {
      return (e as Error).message;
    }
  };

  it('is taken from the manifest as it stands there', () => {
    const { manifest } = readManifest(writePackage(make.folder(), packed(UI)), 'installed');
    expect(manifest.ui).to.deep.equal(UI);
    expect(problem({ module: './web/pages.js' })).to.equal('');
  });

  it('is refused when it could be more than a picture, a word or an address of the page', () => {
    const nav = (more: object): unknown => ({ ...UI, nav: [{ ...UI.nav?.[0], ...more }] });
    const cases: readonly [string, unknown][] = [
      ['no module', { nav: UI.nav }],
      ['module beside the manifest: all would be served', { ...UI, module: './pages.js' }],
      ['module outside', { ...UI, module: './../other/pages.js' }],
      ['module outside, absolute', { ...UI, module: '/etc/pages.js' }],
      ['module elsewhere', { ...UI, module: 'https://evil.test/pages.js' }],
      ['module that is no script', { ...UI, module: './web/pages.css' }],
      ['markup as an icon', nav({ icon: '<svg onload=x>' })],
      ['an address as an icon', nav({ icon: 'url(http://evil.test)' })],
      ['an icon without end', nav({ icon: 'M'.repeat(2001) })],
      ['no English label', nav({ label: { zh: '卵石' } })],
      ['an empty label', nav({ label: { en: '' } })],
      ['a label without end', nav({ label: { en: 'x'.repeat(81) } })],
      ['another host as a route', nav({ route: '//evil.test' })],
      ['a script as a route', nav({ route: 'javascript:alert(1)' })],
      ['a group that is none', nav({ group: 'nowhere' })],
      ['something unknown', nav({ html: '<b>' })],
      ['an element of HTML', { ...UI, routes: [{ path: '/x', element: 'script' }] }],
      ['an element with an attribute', { ...UI, routes: [{ path: '/x', element: 'a-b onload=x' }] }],
      ['a slot that is none', { ...UI, slots: [{ ...UI.slots?.[0], slot: 'body' }] }],
      ['too many entries', { ...UI, palette: Array.from({ length: 51 }, () => UI.palette?.[0]) }],
      ['a search with an address', { ...UI, search: [{ ...UI.search?.[0], route: '/x' }] }],
      ['a list of them', [UI]],
    ];
    for (const [what, ui] of cases) expect(problem(ui), what).to.match(/manifest/i);
  });

  it('is told only of a plugin that runs', () => {
    const found = { name: 'p', version: '1.2.3+x y', description: '', source: 'installed' as const, dir: '/at' };
    const r = newRecord({ ...found, manifest: { plugin: './index.js', ui: UI } });
    const { module: _module, ...rest } = UI;
    for (const state of ['active', 'degraded'] as const) {
      r.state = state;
      expect(uiOf(r)).to.deep.equal({ ...rest, module: '/plugins/p/ui/pages.js?v=1.2.3%2Bx%20y' });
      expect(uiDirOf(r)).to.equal(path.join('/at', 'web'));
    }
    for (const state of ['failed', 'disabled'] as const) {
      r.state = state;
      expect([uiOf(r), uiDirOf(r)]).to.deep.equal([null, undefined]);
    }
    const plain = newRecord({ ...found, manifest: { plugin: './index.js' } });
    plain.state = 'active';
    expect([uiOf(plain), uiDirOf(plain), uiDirOf(undefined)]).to.deep.equal([null, undefined, undefined]);
  });

  it('is served while it runs: its folder and no other', async () => {
    const k = await make.kernel();
    const get = (at: string): Promise<[number, string]> =>
      send(k, at, { token: false }).then((a) => [a.status, a.status === 200 ? a.text : a.json().error.code]);
    const added = await k.rest('POST', '/plugins', { spec: writePackage(make.folder(), packed(UI)) });
    expect(added.status, JSON.stringify(added.body)).to.equal(201);
    expect(added.body.ui.module).to.equal('/plugins/kind-pebble/ui/pages.js?v=1.0.0');
    expect(await get(added.body.ui.module)).to.deep.equal([200, "export const page = 'first';"]);
    expect(await get('/plugins/kind-pebble/ui/part.js')).to.deep.equal([200, 'part;']);
    for (const at of ['index.js', 'inner.js', 'lib/inner.js', '../lib/inner.js', '../index.js', 'package.json'])
      expect(await get(`/plugins/kind-pebble/ui/${at}`), at).to.deep.equal([404, 'NOT_FOUND']);

    expect((await k.rest('POST', '/plugins/kind-pebble/disable')).status).to.equal(200);
    expect((await k.rest('GET', '/plugins/kind-pebble')).body.ui).to.equal(null);
    expect(await get('/plugins/kind-pebble/ui/part.js')).to.deep.equal([404, 'NOT_FOUND']);
    await k.rest('POST', '/plugins/kind-pebble/enable');
    expect((await get('/plugins/kind-pebble/ui/part.js'))[0]).to.equal(200);
  });

  it('of another version has another address, and is the new one', async () => {
    const k = await make.kernel();
    await k.rest('POST', '/plugins', { spec: writePackage(make.folder(), packed(UI)) });
    await send(k, '/plugins/kind-pebble/ui/pages.js');
    const { body } = await k.rest('POST', '/plugins', {
      spec: writePackage(make.folder(), packed(UI, '2.0.0', 'second')),
    });
    expect(body.ui?.module, JSON.stringify(body)).to.equal('/plugins/kind-pebble/ui/pages.js?v=2.0.0');
    expect((await send(k, body.ui.module)).text).to.equal("export const page = 'second';");
  });
});
