#!/usr/bin/env node
// Writes docs/hooks.md and docs/errors.md from what the kernel declares, and docs/ui-kit.md from the kit. `--check` writes nothing
// and fails when they are out of date. Needs a build (npm run build).
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import { uiKitPage } from './docs-ui-kit.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What each word of the tables means; in the order of the kernel's own declarations. */
const POLICIES = {
  refuse: 'the error refuses the change; nothing was written yet',
  isolate: 'it is logged, the plugin is degraded, the others go on',
  fail: 'the plugin has failed: what it did is undone, the others go on',
  closed: 'what the tap guards is hidden or refused, and the plugin is degraded',
};
const MODES = {
  sync: 'each tap in turn, at once',
  bail: 'each tap in turn, at once; the first that answers ends it',
  waterfall: 'each tap in turn, at once; each gets what the one before returned',
  series: 'each tap in turn, awaited',
  'series-bail': 'each tap in turn, awaited; the first that answers ends it',
  parallel: 'all taps at the same time, awaited',
};

const { createHooks, allHooks } = await import('../kernel/dist/hooks.js');
const { HookMap } = await import('../kernel/dist/hook.js');
const { ERRORS } = await import('../kernel/dist/errors.js');

const row = (cells) => `| ${cells.join(' | ')} |\n`;
const table = (head, rows) => row(head) + row(head.map(() => '---')) + rows.map(row).join('');
const words = (meanings, used) =>
  Object.entries(meanings)
    .filter(([w]) => used.has(w))
    .map(([w, text]) => [`\`${w}\``, text]);

function hooksPage() {
  const infos = allHooks(createHooks()).map((h) => ({ ...h.info, map: h instanceof HookMap }));
  return `# Hooks

Every hook a plugin may tap with \`kernel.tap(kernel.hooks.<name>, …)\`. Those with \`.for(kind)\` exist once for each kind.
This page is made by \`node scripts/docs.mjs\` from \`kernel/src/hooks.ts\`.

${table(
  ['Hook', 'When', 'Mode', 'A tap that throws', 'Typically tapped by'],
  infos.map((i) => [`\`${i.name}${i.map ? '.for(kind)' : ''}\``, i.when, `\`${i.mode}\``, `\`${i.onError}\``, i.who]),
)}
## Modes

${table(['Mode', 'How the taps are run'], words(MODES, new Set(infos.map((i) => i.mode))))}
\`undefined\` and \`null\` are no answer. A tap of a mode that runs at once must not return a promise.

## A tap that throws

${table(['Policy', 'What becomes of it'], words(POLICIES, new Set(infos.map((i) => i.onError))))}`;
}

function errorsPage() {
  return `# Error codes

Every code that REST answers in \`{"error": {"code", "message", "details"}}\`, with its HTTP status and the exit code of the
\`coffer\` command. Codes are never renamed or reused. This page is made by \`node scripts/docs.mjs\` from \`kernel/src/errors.ts\`.

${table(
  ['Code', 'HTTP status', 'Exit code'],
  Object.entries(ERRORS).map(([code, e]) => [`\`${code}\``, e.status, e.exit]),
)}`;
}

const check = process.argv.includes('--check');
let stale = false;
for (const [name, page] of [
  ['docs/hooks.md', hooksPage()],
  ['docs/errors.md', errorsPage()],
  ['docs/ui-kit.md', await uiKitPage()],
]) {
  const text = await prettier.format(page, { ...(await prettier.resolveConfig(ROOT + name)), parser: 'markdown' });
  if (!check) {
    writeFileSync(ROOT + name, text);
    continue;
  }
  let now = '';
  try {
    now = readFileSync(ROOT + name, 'utf8');
  } catch {
    // A missing page is out of date.
  }
  if (now === text) continue;
  stale = true;
  console.error(`${name} is out of date: run node scripts/docs.mjs`);
}
process.exit(stale ? 1 : 0);
