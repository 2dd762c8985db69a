/** A copy of what was built, in which a test may delete something. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '@coffer/testing';

export interface BuildCopy {
  /** Its daemon's program. */
  readonly main: string;
  readonly plugins: readonly string[];
  /** Takes away the UI module of a plugin and its neighbours; `manifest`: what the manifest says of it, too. */
  dropUi(plugin: string, options: { manifest: boolean }): void;
  remove(): void;
}

export function copyBuild(): BuildCopy {
  const root = mkdtempSync(path.join(tmpdir(), 'coffer-build-'));
  const own = readdirSync(path.join(ROOT, 'plugins'));
  for (const place of ['kernel', 'ui', ...own.map((name) => `plugins/${name}`)]) {
    for (const part of ['package.json', 'dist'])
      cpSync(path.join(ROOT, place, part), path.join(root, place, part), { recursive: true });
    const inner = path.join(ROOT, place, 'node_modules');
    if (existsSync(inner)) symlinkSync(inner, path.join(root, place, 'node_modules'));
  }
  // What is of others is shared; what is ours must be the copy, or two kernels would meet.
  const modules = path.join(root, 'node_modules');
  mkdirSync(path.join(modules, '@coffer'), { recursive: true });
  for (const name of readdirSync(path.join(ROOT, 'node_modules')))
    if (name !== '@coffer') symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  for (const place of ['kernel', ...own.map((name) => `plugins/${name}`)]) {
    const { name } = JSON.parse(readFileSync(path.join(root, place, 'package.json'), 'utf8')) as { name: string };
    symlinkSync(path.join(root, place), path.join(modules, name));
  }
  return {
    main: path.join(root, 'kernel/dist/main.js'),
    plugins: own,
    dropUi(plugin, { manifest }) {
      const dir = path.join(root, 'plugins', plugin);
      const file = path.join(dir, 'package.json');
      const json = JSON.parse(readFileSync(file, 'utf8')) as { coffer?: { ui?: { module: string } } };
      if (json.coffer?.ui === undefined) return;
      rmSync(path.join(dir, path.dirname(json.coffer.ui.module)), { recursive: true });
      if (!manifest) return;
      delete json.coffer.ui;
      writeFileSync(file, JSON.stringify(json));
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
