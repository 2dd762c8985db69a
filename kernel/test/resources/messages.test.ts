import { expect } from 'chai';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { check, compile } from '../../src/resources/validate.js';
import { type CofferError } from '../../src/errors.js';
import { notes } from '../support/notes.js';
import { workshop } from '../support/kernels.js';

describe('what is said of a config that is not valid', () => {
  const make = workshop();

  it('has every problem, each with a pointer to its place', async () => {
    const k = await make.kernel({ plugins: [notes] });
    const config = { colour: 'blue', lines: 12, address: 'nowhere', code: 'UP', tags: { a: 'too long' }, extra: 1 };
    const { status, body } = await k.rest('POST', '/resources', { kind: 'note', name: 'a', config });
    expect([status, body.error.code]).to.deep.equal([422, 'CONFIG_INVALID']);
    const pointers = body.error.details.problems.map((p: { pointer: string }) => p.pointer);
    expect(pointers).to.have.members(['/text', '', '/colour', '/lines', '/address', '/code', '/tags/a']);
    expect(body.error.message)
      .to.include('/text is missing')
      .and.include('/colour must be one of ["red","green"]')
      .and.include('extra');
  });

  it('of a wrong branch of a union says only what is wrong in it', () => {
    const validate = compile({
      type: 'object',
      required: ['t'],
      discriminator: { propertyName: 't' },
      oneOf: [
        { properties: { t: { const: 'a' }, x: { type: 'string' } }, required: ['x'] },
        { properties: { t: { const: 'b' }, y: { type: 'string' } }, required: ['y'] },
      ],
    });
    const problems = (value: unknown): unknown => {
      try {
        check(validate, value, 'CONFIG_INVALID', 'It');
      } catch (e) {
        return (e as CofferError).details['problems'];
      }
      return [];
    };
    expect(problems({ t: 'a' })).to.deep.equal([{ pointer: '/x', message: 'is missing' }]);
    expect(problems({ t: 'c' })).to.deep.equal([{ pointer: '/t', message: 'is missing or names no known type' }]);
    expect(problems({ t: 'b', y: 'fine' })).to.deep.equal([]);
  });

  it('two schemas of one $id do not meet', () => {
    const a = compile({ $id: 'https://example.test/s', type: 'string' });
    const b = compile({ $id: 'https://example.test/s', type: 'number' });
    expect([a('x'), b('x'), b(1)]).to.deep.equal([true, false, true]);
  });

  it('never holds a submitted value: not the answer, not the log, not the audit', async function () {
    this.timeout(60_000);
    const k = await make.kernel({ plugins: [notes] });
    await k.rest('POST', '/resources', { kind: 'note', name: 'a', config: { text: 'x' } });
    // No legal name and no legal credential, so that it may appear nowhere at all.
    const secret = fc.stringMatching(/^sk-[a-f0-9]{16}!$/);
    const places = fc.constantFrom<(s: string) => [string, string, unknown]>(
      (s) => ['POST', '/resources', { kind: s, name: 'b', config: { text: 'x' } }],
      (s) => ['POST', '/resources', { kind: 'note', name: s, config: { text: 'x' } }],
      (s) => ['POST', '/resources', { kind: 'note', name: 'b', description: [s], config: { text: 'x' } }],
      (s) => ['POST', '/resources', { kind: 'note', name: 'b', config: s }],
      (s) => ['POST', '/resources', { kind: 'note', name: 'b', config: { text: [s] } }],
      (s) => ['POST', '/resources', { kind: 'note', name: 'b', config: { text: 'x', colour: s } }],
      (s) => ['POST', '/resources', { kind: 'note', name: 'b', config: { text: 'x', lines: s } }],
      (s) => ['POST', '/resources', { kind: 'note', name: 'b', config: { text: 'x', address: s } }],
      (s) => ['PATCH', '/resources/note/a', { config: { text: 'x', code: s } }],
      (s) => ['PATCH', '/resources/note/a', { config: { text: 'x', tags: { a: s } } }],
      (s) => ['PATCH', '/resources/note/a', { config: { text: s.repeat(20) } }],
      (s) => ['PATCH', '/resources/note/a', { expected_updated_at: s, config: { text: 'y' } }],
      (s) => ['PUT', '/resources/note/a/scope', { scope: { '*': s } }],
      (s) => ['PUT', '/resources/note/a/scope', { scope: s }],
      (s) => ['POST', '/credentials', { ref: s, value: s }],
      (s) => ['POST', '/credentials', { ref: 'ok', value: [s] }],
      (s) => ['POST', '/plugins', { spec: `./${s}` }],
      (s) => ['PATCH', '/retention/policies/audit_log', { retention_days: s }],
    );
    const used: string[] = [];
    await fc.assert(
      fc.asyncProperty(secret, places, async (s, place) => {
        used.push(s);
        const { status, body } = await k.rest(...(place(s) as [string, string, object]));
        expect(status).to.be.within(400, 499);
        expect(JSON.stringify(body)).to.not.include(s);
      }),
      { numRuns: 150 },
    );
    // the body is cut off by the parser's own words in Node ("… is not valid JSON")
    const broken = await fetch(`${k.url}/api/v1/resources`, {
      method: 'POST',
      headers: { 'x-coffer-token': k.token },
      body: '{"value": sk-secret-in-broken-json',
    });
    expect(await broken.text()).to.not.include('sk-secret');
    const log = readFileSync(path.join(k.home, 'logs/daemon.log'), 'utf8');
    const audit = JSON.stringify(k.services.db.prepare('SELECT * FROM audit_log').all());
    for (const s of used) {
      expect(log).to.not.include(s);
      expect(audit).to.not.include(s);
    }
    expect(log).to.not.include('sk-secret');
  });
});
