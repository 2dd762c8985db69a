import { expect } from 'chai';
import { readManifest } from '../../src/plugin/manifest.js';
import { newRecord } from '../../src/plugin/record.js';
import { uiOf } from '../../src/plugin/ui.js';
import { workshop } from '../support/kernels.js';
import { writePackage } from '../support/packages.js';

describe('the translations that a plugin brings', () => {
  const make = workshop();
  const manifestOf = (words: unknown): ReturnType<typeof readManifest>['manifest'] =>
    readManifest(
      writePackage(make.folder(), {
        more: { coffer: { plugin: './index.js', ui: { module: './web/pages.js', words } } },
        files: { 'web/pages.js': 'page;', 'web/zh.js': 'words;' },
      }),
      'installed',
    ).manifest;

  it('have an address for each language, that changes with the version', () => {
    const r = newRecord({
      name: 'p',
      version: '1.2.3',
      description: '',
      source: 'installed',
      dir: '/at',
      manifest: manifestOf({ zh: './web/zh.js' }),
    });
    r.state = 'active';
    expect(uiOf(r)).to.deep.equal({
      module: '/plugins/p/ui/pages.js?v=1.2.3',
      words: { zh: '/plugins/p/ui/zh.js?v=1.2.3' },
    });
  });

  it('are refused when they are no script of the package or of no language', () => {
    const cases: readonly [string, unknown][] = [
      ['another host', { zh: 'https://evil.test/zh.js' }],
      ['outside', { zh: './../other/zh.js' }],
      ['absolute', { zh: '/etc/zh.js' }],
      ['beside the manifest', { zh: './zh.js' }],
      ['no script', { zh: './web/zh.json' }],
      ['no language', { 'zh/../x': './web/zh.js' }],
      ['a name of objects', JSON.parse('{"__proto__": "./web/zh.js"}')],
      ['no list by language', './web/zh.js'],
    ];
    for (const [what, words] of cases) expect(() => manifestOf(words), what).to.throw(/manifest/i);
  });
});
