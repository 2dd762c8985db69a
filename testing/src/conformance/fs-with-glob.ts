/**
 * The conformance package imports `fs.globSync`, which Node has since 22 only, for a command that is not used here. Loaded with
 * `--import`, this gives its `fs` such an export, so that it starts on Node 20.
 */
export const FS_WITH_GLOB = `data:text/javascript,${encodeURIComponent(`
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(`
export async function resolve(specifier, context, next) {
  const isFs = specifier === 'fs' || specifier === 'node:fs';
  if (isFs && context.parentURL?.includes('/conformance/dist/')) return { url: 'fs-with-glob:', shortCircuit: true };
  return next(specifier, context);
}
export async function load(url, context, next) {
  if (url !== 'fs-with-glob:') return next(url, context);
  const source = "import fs from 'node:fs'; export * from 'node:fs'; export default fs;"
    + " export const globSync = () => { throw new Error('there is no fs.globSync before Node 22'); };";
  return { format: 'module', shortCircuit: true, source };
}`)}));`)}`;
