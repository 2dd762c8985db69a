/** The rules of the house: who may import whom. `testing/test/boundaries.test.ts` proves that each of them catches what it forbids. */
const OURS = '^(kernel|plugins|cli|shim|ui|testing)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Modules that need each other are one module. Cycles of types alone vanish when compiled.',
      severity: 'error',
      from: { path: OURS },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolvable',
      comment: 'Every import must lead somewhere.',
      severity: 'error',
      from: { path: OURS },
      to: { couldNotResolve: true },
    },
    {
      name: 'kernel-stands-alone',
      comment: 'The kernel knows no plugin, no surface and no MCP library.',
      severity: 'error',
      from: { path: '^kernel/src/' },
      to: { path: ['^(plugins|cli|shim|ui|testing)/', 'node_modules/@modelcontextprotocol/'] },
    },
    {
      name: 'kernel-without-its-test-kit',
      comment: 'What tests share is not part of the running product.',
      severity: 'error',
      from: { path: '^kernel/src/', pathNot: '^kernel/src/testing/' },
      to: { path: '^kernel/src/testing/' },
    },
    {
      name: 'plugins-see-the-public-kernel',
      comment:
        'A plugin imports @coffer/kernel, libraries and its own files. Of another plugin it may know the types of its entry.',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/src/' },
      to: {
        path: OURS,
        pathNot: [
          '^plugins/$1/',
          '^plugins/[^/]+/src/plugin\\.ts$',
          '^kernel/src/index\\.ts$',
          '^cli/src/index\\.ts$',
          '^ui/src/kit/index\\.ts$',
        ],
      },
    },
    {
      name: 'plugins-know-only-types-of-each-other',
      comment: 'What a plugin does for others it offers as a service, so that it can be absent.',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/src/' },
      to: { path: '^plugins/[^/]+/src/plugin\\.ts$', pathNot: '^plugins/$1/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'plugin-tests-see-the-test-kit-too',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/test/' },
      to: {
        path: OURS,
        // A plugin that uses another's service is tried with the real one.
        pathNot: [
          '^plugins/$1/',
          '^plugins/[^/]+/src/plugin\\.ts$',
          '^kernel/src/(testing/)?index\\.ts$',
          '^cli/src/index\\.ts$',
          '^testing/src/',
        ],
      },
    },
    {
      name: 'only-pages-see-the-kit',
      comment: 'The daemon loads plugins; what draws in a browser is for their pages alone.',
      severity: 'error',
      from: { path: '^plugins/[^/]+/src/', pathNot: '^plugins/[^/]+/src/ui/' },
      to: { path: ['^ui/', '^plugins/[^/]+/src/ui/'] },
    },
    {
      name: 'plugins-know-only-types-of-the-cli',
      comment: 'The daemon loads plugins; it must not load the command line with them.',
      severity: 'error',
      from: { path: '^plugins/' },
      to: { path: '^cli/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'surfaces-speak-to-the-daemon',
      comment:
        'The command line, the shim and the UI use REST and MCP, not the kernel. Offline backup is the exception.',
      severity: 'error',
      from: { path: '^(cli|shim|ui)/src/' },
      to: { path: '^kernel/', pathNot: '^kernel/src/vault/index\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-the-cli-opens-the-vault',
      severity: 'error',
      from: { path: '^(shim|ui)/src/' },
      to: { path: '^kernel/src/vault/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'surfaces-are-apart',
      severity: 'error',
      from: { path: '^(cli|shim|ui)/src/' },
      to: { path: '^(plugins|cli|shim|ui)/', pathNot: '^$1/' },
    },
    {
      name: 'declared-dependencies',
      comment: 'A package lists what it imports.',
      severity: 'error',
      // The pages of a plugin get lit from the shell, by the import map.
      from: { path: '^(kernel|plugins/[^/]+|cli|shim)/src/', pathNot: '^plugins/[^/]+/src/ui/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['coffer-source', 'import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
