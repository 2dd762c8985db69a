/** Plugins with a page, made for a test. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A plugin that does nothing but bring a page at `/NAME`, whose module is `text`. `more` goes into its `coffer.ui`. */
export function pluginWithPage(root: string, name: string, text: string, more: object = {}): string {
  const dir = path.join(root, name);
  mkdirSync(path.join(dir, 'ui'), { recursive: true });
  const route = `/${name}`;
  const ui = {
    module: './ui/index.js',
    nav: [{ id: name, label: { en: `Page of ${name}` }, group: 'provide', route }],
    routes: [{ path: route, element: `${name}-page` }],
    ...more,
  };
  const manifest = { name, version: '1.0.0', type: 'module', coffer: { plugin: './index.js', ui } };
  writeFileSync(path.join(dir, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    path.join(dir, 'index.js'),
    `import { definePlugin } from '@coffer/kernel';\nexport default definePlugin({ name: ${JSON.stringify(name)}, apiVersion: 1, register() {} });\n`,
  );
  writeFileSync(path.join(dir, 'ui/index.js'), text);
  return dir;
}
