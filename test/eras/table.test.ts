import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { fixtureCommand, startFixture, type RunningFixture } from '@coffer/kernel/testing';
import { ROOT, startDaemon, type RealDaemon } from '@coffer/testing';
import { openDoor, type Door, type Era, type Opened } from './door.js';
import { PROBES } from './probes.js';

const PAIRS: readonly (readonly [Era, Era])[] = [
  ['older', 'older'],
  ['older', 'newer'],
  ['newer', 'older'],
  ['newer', 'newer'],
];
const DOORS: readonly Door[] = ['stdio', 'HTTP'];

/** What docs/protocol.md says of each cell. */
function documented(): Map<string, string> {
  const rows = readFileSync(path.join(ROOT, 'docs/protocol.md'), 'utf8').split('\n');
  const cells = (row = ''): string[] =>
    row
      .split('|')
      .map((c) => c.trim())
      .slice(1, -1);
  const head = rows.findIndex((r) => r.includes('older → older'));
  const columns = cells(rows[head]);
  const table = new Map<string, string>();
  for (const row of rows.slice(head + 2)) {
    const [name, ...values] = cells(row);
    if (name === undefined) break;
    values.forEach((v, i) => table.set(`${name}: ${columns[i + 1]}`, v));
  }
  return table;
}

describe('the four pairs of eras, with official clients and servers', function () {
  this.timeout(120_000);
  const says = documented();
  let d: RealDaemon;
  const fixtures: RunningFixture[] = [];
  const filled = new Map<string, string>();
  before(async () => {
    d = await startDaemon();
    for (const [era, fixture] of [
      ['older', 'scripted'],
      ['newer', 'modern'],
    ] as const) {
      const { command, args } = fixtureCommand(fixture, ['--name', era]);
      await d.addStdio(`${era}-stdio`, args, { command });
      const running = await startFixture(fixture, ['--http', '0']);
      fixtures.push(running);
      const config = { transport: { type: 'http', url: running.url } };
      const made = await d.rest('POST', '/resources', { kind: 'mcp_server', name: `${era}-http`, config });
      expect(made.body.status.status, JSON.stringify(made.body)).to.equal('healthy');
    }
  });
  after(async () => {
    await d.stop();
    for (const f of fixtures) await f.stop();
    for (const row of Object.keys(PROBES)) {
      const cells = PAIRS.flatMap(([c, s]) => DOORS.map((door) => filled.get(`${row}: ${c} → ${s} ${door}`) ?? '-'));
      process.stdout.write(`      ${row.padEnd(18)} ${cells.map((x) => x.padEnd(9)).join(' ')}\n`);
    }
  });

  it('the page has a cell for each', () => {
    for (const row of Object.keys(PROBES))
      for (const [c, s] of PAIRS)
        expect(says.get(`${row}: ${c} → ${s}`), row).to.be.oneOf(['lossless', 'emulated', 'told']);
  });

  for (const [clientEra, serverEra] of PAIRS) {
    for (const door of DOORS) {
      describe(`${clientEra} client, ${serverEra} server, ${door}`, () => {
        let o: Opened;
        before(async () => void (o = await openDoor(d, clientEra, door)));
        after(() => o.client.close());
        for (const [row, probe] of Object.entries(PROBES)) {
          it(row, async () => {
            const came = await probe(o, `${serverEra}-${door === 'HTTP' ? 'http' : 'stdio'}`);
            const said = says.get(`${row}: ${clientEra} → ${serverEra}`) ?? '';
            filled.set(`${row}: ${clientEra} → ${serverEra} ${door}`, came ? said : 'told');
            expect(came, `docs/protocol.md says ${said}`).to.equal(said !== 'told');
          });
        }
      });
    }
  }
});
