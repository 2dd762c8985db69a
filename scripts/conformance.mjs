#!/usr/bin/env node
// The official MCP conformance suite, compared with testing/conformance/expected-<version>.json.
//
//   node scripts/conformance.mjs                                       against the scripted server: every scenario must pass
//   node scripts/conformance.mjs --url URL [--header 'NAME: VALUE'] [--name-prefix s__] [--uri-prefix coffer://s/]
//                                                                      against any server, or a gateway in front of the scripted one
import { parseArgs } from 'node:util';
import 'tsx/esm';

const { allPass, readExpectations, runConformance } = await import('../testing/src/conformance/index.ts');
const { startFixture } = await import('../kernel/src/testing/mcp/index.ts');

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    header: { type: 'string', multiple: true, default: [] },
    'name-prefix': { type: 'string' },
    'uri-prefix': { type: 'string' },
    'spec-version': { type: 'string', default: '2025-11-25' },
  },
});
const specVersion = values['spec-version'];
let expected = readExpectations(specVersion);
let server;
if (values.url === undefined) {
  server = await startFixture('scripted', ['--http', '0']);
  expected = allPass(expected);
}
try {
  const headers = Object.fromEntries(values.header.map((h) => h.split(/:\s*(.*)/s).slice(0, 2)));
  const report = await runConformance({
    url: values.url ?? server.url,
    specVersion,
    expected,
    ...(values.header.length ? { headers } : {}),
    namePrefix: values['name-prefix'],
    uriPrefix: values['uri-prefix'],
  });
  const { scenarios, checks, differences } = report;
  console.log(
    `${specVersion}: ${scenarios.passed} scenarios passed, ${scenarios.failed} failed; ${checks.passed} checks passed, ${checks.failed} failed`,
  );
  for (const difference of differences) console.log(`  unexpected: ${difference}`);
  process.exitCode = differences.length ? 1 : 0;
} finally {
  await server?.stop();
}
