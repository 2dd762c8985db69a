export * from '../../../kernel/src/testing/mcp/index.js';
