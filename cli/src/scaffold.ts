/** `coffer plugin new KIND`: a plugin that works as written, to be changed from there. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure, usage } from './failure.js';
import { daemonProgram, version } from './product.js';

/** Writes `<where>/kind-<kind>/`. Throws when the folder is there already. */
export function scaffold(kind: string, where: string): { folder: string; files: string[] } {
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(kind))
    throw usage(
      'a kind is lower case letters, digits and underscores, and starts with a letter: for example bookmark.',
    );
  const name = `kind-${kind.replaceAll('_', '-')}`;
  const folder = join(where, name);
  if (existsSync(folder))
    throw new Failure('PLUGIN_CONFLICT', `${folder} exists already. Choose another kind or another place.`, {
      status: 409,
    });
  const files = filesOf(kind, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  // So that its test finds the kernel of this Coffer without an install; the daemon does the same for installed plugins.
  mkdirSync(join(folder, 'node_modules', '@coffer'), { recursive: true });
  symlinkSync(dirname(dirname(daemonProgram())), join(folder, 'node_modules', '@coffer', 'kernel'), 'junction');
  return { folder, files: Object.keys(files) };
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function filesOf(kind: string, name: string): Record<string, string> {
  const words = kind.replaceAll('_', ' ');
  const label = words[0]?.toUpperCase() + words.slice(1);
  return {
    'package.json': json({
      name,
      version: '0.1.0',
      description: `${label}s as resources of Coffer`,
      license: 'MIT',
      type: 'module',
      files: ['index.js', 'schema.json', 'README.md'],
      coffer: { plugin: './index.js' },
      scripts: { test: 'node --test' },
    }),
    'schema.json': json({
      type: 'object',
      required: ['title'],
      additionalProperties: false,
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 200, title: 'Title' },
        notes: {
          type: 'string',
          maxLength: 4000,
          default: '',
          title: 'Notes',
          description: `What there is to know about this ${words}.`,
        },
      },
    }),
    'index.js': `import { definePlugin } from '@coffer/kernel';
import schema from './schema.json' with { type: 'json' };

export default definePlugin({
  name: '${name}',
  apiVersion: 1,

  register(kernel) {
    // Enough for REST, CLI, audit, scope, backup and a page in the UI.
    kernel.kinds.define({
      kind: '${kind}',
      label: { one: '${label}', many: '${label}s' },
      schema,
      scopeAxes: ['machine', 'agent'],
    });

    // Every agent sees it as coffer__find_${kind}s.
    kernel.tools.define({
      name: 'find_${kind}s',
      description: 'Find ${words}s by words in their title or notes.',
      inputSchema: { type: 'object', required: ['query'], properties: { query: { type: 'string', maxLength: 200 } } },
      call({ query }, { session }) {
        const visible = kernel.resources.list('${kind}', { visibleTo: session.viewpoint });
        return { ${kind}s: visible.map((r) => ({ name: r.name, ...r.config })).filter((r) => matches(r, query)) };
      },
    });
  },
});

function matches(record, query) {
  const text = \`\${record.name} \${record.title} \${record.notes}\`.toLowerCase();
  return query.toLowerCase().split(/\\s+/).every((word) => text.includes(word));
}
`,
    'test/plugin.test.js': `import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestKernel, kindContract } from '@coffer/kernel/testing';
import plugin from '../index.js';

kindContract(
  [plugin],
  {
    kind: '${kind}',
    valid: { title: 'One' },
    changed: { title: 'One', notes: 'changed' },
    invalid: [{}, { title: '' }, { title: 'One', unknown: true }],
  },
  { describe, it, before, after },
);

describe('find_${kind}s', () => {
  let kernel;
  before(async () => void (kernel = await createTestKernel({ plugins: [plugin] })));
  after(() => kernel.stop());

  it('finds by words and leaves the rest out', async () => {
    for (const name of ['first', 'second']) {
      await kernel.rest('POST', '/resources', { kind: '${kind}', name, config: { title: \`The \${name} one\` } });
    }
    const { status, body } = await kernel.rest('POST', '/gateway/call', { name: 'coffer__find_${kind}s', arguments: { query: 'second one' } });
    assert.equal(status, 200);
    assert.deepEqual(body.structuredContent.${kind}s.map((r) => r.name), ['second']);
  });
});
`,
    'README.md': `# ${name}

A plugin for Coffer ${version()}: the kind \`${kind}\` and the tool \`coffer__find_${kind}s\`.

\`\`\`
npm test                                              # the contract of every kind, and the tool, against a real kernel
coffer plugin add .                                   # shows what it declares, asks, installs it into the vault
coffer resource add ${kind} first --set 'title="The first one"'
\`\`\`

\`schema.json\` is the whole shape of a ${words}; forms, checks and defaults follow from it. \`index.js\` reads top to bottom as the
list of what the plugin adds. The test finds \`@coffer/kernel\` through the link in \`node_modules\`, which is not part of the
package: Coffer gives installed plugins its own copy.
`,
    '.gitignore': 'node_modules/\n',
  };
}
