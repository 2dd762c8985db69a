// The pages of the kind for the web UI. What the shell shares stays an import: the page's import map leads it there.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
rmSync(at('dist/ui'), { recursive: true, force: true });
await build({
  entryPoints: { index: at('src/ui/index.ts') },
  outdir: at('dist/ui'),
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  tsconfig: at('src/ui/tsconfig.json'),
  external: ['lit', 'lit/*', '@coffer/ui'],
  logLevel: 'warning',
});
