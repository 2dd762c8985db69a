// The page, and beside it the modules that plugins share with it: an import map names them, so lit and the kit exist once.
import { defineConfig } from 'vite';

const LIT = ['class-map', 'if-defined', 'keyed', 'live', 'ref', 'repeat', 'style-map', 'unsafe-html', 'until', 'when'];
const SHARED = {
  lit: "export * from 'lit';",
  'lit/decorators.js': "export * from 'lit/decorators.js';",
  ...Object.fromEntries(LIT.map((name) => [`lit/directives/${name}.js`, `export * from 'lit/directives/${name}.js';`])),
  '@coffer/ui': "export * from '/src/kit/index.ts';",
};
const entryOf = (name) => `shared-${name.replaceAll(/[^a-z]+/g, '-').replace(/^-|-js$/g, '')}`;

const sharing = {
  name: 'coffer-shared-modules',
  resolveId: (id) => (id.startsWith('coffer-shared:') ? `\0${id}` : undefined),
  load: (id) => (id.startsWith('\0coffer-shared:') ? SHARED[id.slice('\0coffer-shared:'.length)] : undefined),
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      const files = Object.values(bundle ?? {}).filter((c) => c.type === 'chunk' && c.isEntry);
      const imports = Object.fromEntries(
        Object.keys(SHARED).map((name) => [name, `/${files.find((c) => c.name === entryOf(name)).fileName}`]),
      );
      // Before any module, or the browser refuses it.
      return html.replace('<head>', `<head><script type="importmap">${JSON.stringify({ imports })}</script>`);
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [sharing],
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      preserveEntrySignatures: 'exports-only',
      input: {
        main: `${import.meta.dirname}/index.html`,
        ...Object.fromEntries(Object.keys(SHARED).map((name) => [entryOf(name), `coffer-shared:${name}`])),
      },
    },
  },
});
