/**
 * Types for plugins that bring commands: `export default (toolkit: Toolkit): Commands => [...]`.
 * @packageDocumentation
 */
export type { CliModule, Commands, Toolkit } from './toolkit.js';
export type { Api, RequestOptions } from './api.js';
