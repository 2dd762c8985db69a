#!/usr/bin/env node
// Builds the pages of a plugin for the web UI: `src/ui/index.ts` and `words.ts` of the package it is run in, to `dist/ui/`. What the shell shares stays an
// import: the page's import map leads it there.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const at = (file) => path.resolve(file);
rmSync(at('dist/ui'), { recursive: true, force: true });
await build({
  entryPoints: { index: at('src/ui/index.ts'), words: at('src/ui/words.ts') },
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
