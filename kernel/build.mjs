// The daemon's program as one file: reading two hundred small modules costs a third of its start. Plugins import the modules that
// tsc wrote (`dist/index.js`), so what is bundled here is the program alone.
import { chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
await build({
  entryPoints: [at('dist/program.js')],
  outfile: at('dist/main.js'),
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
  legalComments: 'linked',
  // Native, or needed only when a plugin is installed.
  external: ['better-sqlite3', '@napi-rs/keyring', 'tar'],
  // CommonJS dependencies in a module need a `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
chmodSync(at('dist/main.js'), 0o755);
