import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { cruise, type ICruiseOptions, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';

const rules: { forbidden: IForbiddenRuleType[]; options: ICruiseOptions } = createRequire(import.meta.url)(
  '../../.dependency-cruiser.cjs',
);

/** A house in small: what is right about it, and one thing that is not. */
const HOUSE: Record<string, string> = {
  'kernel/src/index.ts': 'export const kernel = 1;',
  'kernel/src/inner.ts': 'export const inner = 1; export type Inner = number;',
  'kernel/src/vault/index.ts': 'export const vault = 1;',
  'kernel/src/testing/index.ts': "import { inner } from '../inner.js'; export const kit = inner;",
  'plugins/one/src/plugin.ts':
    "import { kernel } from '@coffer/kernel'; import type { Command } from '@coffer/cli'; import type { Two } from '../../two/src/plugin.js'; export const one: Command & Two = kernel;",
  'plugins/one/test/one.test.ts':
    "import { kit } from '@coffer/kernel/testing'; import { one } from '../src/plugin.js'; void [kit, one];",
  'plugins/two/src/plugin.ts': 'export const two = 2; export type Two = number;',
  'plugins/two/src/inner.ts': 'export type Inner = number;',
  'cli/src/index.ts': 'export type Command = number; export const cli = 1;',
  'cli/src/backup.ts':
    "import { vault } from '@coffer/kernel/vault'; import type { kernel } from '@coffer/kernel'; export const b: typeof kernel = vault;",
  'shim/src/shim.ts': 'export const shim = 1;',
  'ui/src/kit.ts': 'export const kit = 1;',
};

const packageOf = (name: string, entries: Record<string, string>): string =>
  JSON.stringify({ name, type: 'module', exports: entries });

async function violations(wrong: Record<string, string>): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), 'coffer-house-'));
  try {
    const files = {
      ...HOUSE,
      'kernel/package.json': packageOf('@coffer/kernel', {
        '.': './src/index.ts',
        './testing': './src/testing/index.ts',
        './vault': './src/vault/index.ts',
      }),
      'cli/package.json': packageOf('@coffer/cli', { '.': './src/index.ts' }),
      'node_modules/@modelcontextprotocol/sdk/package.json': packageOf('@modelcontextprotocol/sdk', {
        '.': './index.js',
      }),
      'node_modules/@modelcontextprotocol/sdk/index.js': 'export const sdk = 1;',
      ...wrong,
    };
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), `${text}\n`);
    }
    await mkdir(join(root, 'node_modules/@coffer'), { recursive: true });
    for (const name of ['kernel', 'cli']) await symlink(join(root, name), join(root, 'node_modules/@coffer', name));
    const { enhancedResolveOptions: resolve, ...options } = rules.options;
    const report = await cruise(
      ['kernel', 'plugins', 'cli', 'shim'],
      { ...options, baseDir: root, validate: true, ruleSet: { forbidden: rules.forbidden } },
      resolve,
    );
    // without an output type the cruise returns its result as an object, which the types do not tell
    return (report.output as ICruiseResult).summary.violations.map((v) => v.rule.name);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

describe('the boundaries of the house', () => {
  it('let the right imports pass', async () => {
    expect(await violations({})).to.deep.equal([]);
  });

  const wrong: Record<string, [rule: string, file: string, text: string]> = {
    'two modules that need each other': [
      'no-circular',
      'shim/src/shim.ts',
      "import { b } from './other.js'; export const a = () => b;",
    ],
    'an import that leads nowhere': ['no-unresolvable', 'shim/src/bad.ts', "import './nowhere.js';"],
    'a kernel that knows a plugin': [
      'kernel-stands-alone',
      'kernel/src/bad.ts',
      "import '../../plugins/one/src/plugin.js';",
    ],
    'a kernel that knows the MCP SDK': [
      'kernel-stands-alone',
      'kernel/src/bad.ts',
      "import '@modelcontextprotocol/sdk';",
    ],
    'a kernel that runs its test kit': [
      'kernel-without-its-test-kit',
      'kernel/src/bad.ts',
      "import './testing/index.js';",
    ],
    'a plugin inside the kernel': [
      'plugins-see-the-public-kernel',
      'plugins/one/src/bad.ts',
      "import '../../../kernel/src/inner.js';",
    ],
    'a plugin that imports another': [
      'plugins-know-only-types-of-each-other',
      'plugins/one/src/bad.ts',
      "import '../../two/src/plugin.js';",
    ],
    'a plugin that knows the inside of another': [
      'plugins-see-the-public-kernel',
      'plugins/one/src/bad.ts',
      "import type { Inner } from '../../two/src/inner.js'; export const bad: Inner = 1;",
    ],
    'a plugin that ships the test kit': [
      'plugins-see-the-public-kernel',
      'plugins/one/src/bad.ts',
      "import '@coffer/kernel/testing';",
    ],
    'a plugin test inside the kernel': [
      'plugin-tests-see-the-test-kit-too',
      'plugins/one/test/bad.ts',
      "import '../../../kernel/src/inner.js';",
    ],
    'a plugin that draws in the daemon': [
      'only-pages-see-the-kit',
      'plugins/one/src/bad.ts',
      "import '../../../ui/src/kit.js';",
    ],
    'a plugin that loads the command line': [
      'plugins-know-only-types-of-the-cli',
      'plugins/one/src/bad.ts',
      "import { cli } from '@coffer/cli'; void cli;",
    ],
    'a command line that runs the kernel': [
      'surfaces-speak-to-the-daemon',
      'cli/src/bad.ts',
      "import '@coffer/kernel';",
    ],
    'a shim that opens the vault': [
      'only-the-cli-opens-the-vault',
      'shim/src/bad.ts',
      "import '../../kernel/src/vault/index.js';",
    ],
    'a shim that runs the command line': ['surfaces-are-apart', 'shim/src/bad.ts', "import '../../cli/src/index.js';"],
    'a library that is not declared': [
      'declared-dependencies',
      'cli/src/bad.ts',
      "import '@modelcontextprotocol/sdk';",
    ],
  };
  for (const [what, [rule, file, text]] of Object.entries(wrong)) {
    it(`catch ${what}`, async () => {
      const other = { 'shim/src/other.ts': "import { a } from './shim.js'; export const b = () => a;" };
      expect(await violations({ [file]: text, ...(rule === 'no-circular' ? other : {}) })).to.include(rule);
    });
  }

  it('are all tried here', () => {
    const tried = new Set(Object.values(wrong).map(([rule]) => rule));
    expect([...tried].sort()).to.deep.equal(rules.forbidden.map((rule) => rule.name).sort());
  });
});
