/**
 * What authors of plugins test with: a real kernel, a clock that obeys, MCP servers that follow a script or misbehave.
 * @packageDocumentation
 */
export { fakeClock, type FakeClock } from './clock.js';
export { createTestKernel, fakeKeychain, type TestKernel, type TestKernelOptions } from './kernel.js';
export { kindContract, type KindSample } from './kind-contract.js';
export * from './mcp/index.js';
