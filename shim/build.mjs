// Bundles the shim into one CommonJS file, the form that Node starts fastest.
import { build } from 'esbuild';
import { chmod, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const { version } = JSON.parse(await readFile(at('package.json'), 'utf8'));
const outfile = at('dist/coffer-mcp-shim.cjs');

await build({
  entryPoints: [at('src/main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  banner: { js: '#!/usr/bin/env node' },
  define: { SHIM_VERSION: JSON.stringify(version) },
  // import() becomes a late require(): the loader of ES modules is not needed for it.
  supported: { 'dynamic-import': false },
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
});
await chmod(outfile, 0o755);
