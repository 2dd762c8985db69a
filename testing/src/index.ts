/** What Coffer's own tests share. */
export { acceptance } from './acceptance.js';
export { readSpecs, type Spec } from './specs.js';
export {
  allPass,
  readExpectations,
  runConformance,
  type ConformanceOptions,
  type Expectations,
} from './conformance/index.js';
export { alive, ROOT, servers, sleep, startDaemon, until, type Answer, type Ran, type RealDaemon } from './daemon.js';
export { realAgents } from './real-agents.js';
export { startAnthropic } from './services/anthropic.js';
export { startOpenAi } from './services/openai.js';
export type { Service } from './services/service.js';
