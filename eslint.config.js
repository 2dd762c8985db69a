import tseslint from 'typescript-eslint';

const TESTS = ['**/test/**', 'testing/**', 'kernel/src/testing/**'];
const UI = ['ui/src/**/*.ts', 'plugins/*/src/ui/**/*.ts'];
const SOURCES = ['kernel/**/*.ts', 'plugins/**/*.ts', 'cli/**/*.ts', 'shim/**/*.ts', 'testing/**/*.ts', 'test/**/*.ts'];

export default tseslint.config(
  {
    ignores: ['**/dist/**', '**/node_modules/**', '**/build/**', 'coverage/**', 'kernel/assets/**', '**/*.d.ts'],
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.base],
    rules: {
      'max-lines': ['warn', { max: 300 }],
      'prefer-const': 'error',
      'no-var': 'error',
      eqeqeq: ['error', 'smart'],
    },
  },
  {
    files: [...SOURCES, ...UI],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['testing/tsconfig.all.json', 'ui/tsconfig.json', 'plugins/*/src/ui/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // messages of MCP are relayed without being modelled (see kernel/src/json.ts), so their fields are read unchecked on purpose
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      // an implementation of an asynchronous interface need not await
      '@typescript-eslint/require-await': 'off',
      // callbacks of node's emitters are given async functions that catch for themselves
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      'no-console': 'error',
      eqeqeq: ['error', 'smart'],
      'max-lines': ['warn', { max: 300 }],
    },
  },
  {
    files: TESTS,
    rules: {
      // chai's property assertions are expressions
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  // Lit calls listeners with their element as `this`
  { files: UI, rules: { '@typescript-eslint/unbound-method': 'off' } },
  { files: ['cli/**', 'shim/**', 'bench/**'], rules: { 'no-console': 'off' } },
);
