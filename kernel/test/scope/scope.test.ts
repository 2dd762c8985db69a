import { expect } from 'chai';
import fc from 'fast-check';
import { isCofferError } from '../../src/errors.js';
import type { Resource } from '../../src/resources/types.js';
import { agentInScope, hiddenByScope, machineInScope, parseScope } from '../../src/scope/scope.js';
import type { Scope } from '../../src/scope/types.js';

const BOTH = { kind: 'k', scopeAxes: ['machine', 'agent'] } as const;
// hiddenByScope reads nothing but the scope
const resource = (scope: Scope): Resource => ({ scope }) as unknown as Resource;
const seen = (scope: Scope, machine: string, agent: string | null): string =>
  hiddenByScope(resource(scope), { machine, agent })?.axis ?? 'visible';

describe('scope, machine by agent', () => {
  const table: [Scope, machine: string, agent: string | null, string][] = [
    [null, 'M1', null, 'visible'],
    [{}, 'M1', 'a', 'machine'],
    [{ M1: '*' }, 'M1', null, 'visible'],
    [{ M1: '*' }, 'M2', 'a', 'machine'],
    [{ '*': ['claude-code'] }, 'M1', 'claude-code', 'visible'],
    [{ '*': ['claude-code'] }, 'M1', 'codex', 'agent'],
    [{ '*': ['claude-code'] }, 'M1', null, 'agent'],
    [{ M1: ['a'], '*': '*' }, 'M1', 'a', 'visible'],
    [{ M1: ['a'], '*': '*' }, 'M1', 'b', 'agent'],
    [{ M1: ['a'], '*': '*' }, 'M2', 'b', 'visible'],
    [{ M1: [], '*': '*' }, 'M1', 'a', 'machine'],
    [{ '*': '*' }, 'anything', null, 'visible'],
    [{ unknown: ['nobody'] }, 'M1', 'a', 'machine'],
    [{ constructor: '*' } as unknown as Scope, 'toString', 'a', 'machine'],
  ];
  for (const [scope, machine, agent, expected] of table)
    it(`${JSON.stringify(scope)} seen from ${machine} by ${agent ?? 'nobody in particular'}: ${expected}`, () => {
      expect(seen(scope, machine, agent)).to.equal(expected);
    });

  const names = fc.constantFrom('M1', 'M2', '*', 'other');
  const scopes = fc.oneof(
    fc.constant(null),
    fc.dictionary(names, fc.oneof(fc.constant('*' as const), fc.array(fc.constantFrom('a', 'b', 'c')))),
  );
  it('an agent sees nothing on a machine that is out of scope, and naming oneself never hides', () => {
    fc.assert(
      fc.property(
        scopes,
        fc.constantFrom('M1', 'M2', 'M3'),
        fc.constantFrom('a', 'b', 'z'),
        (scope, machine, agent) => {
          const inScope = machineInScope(scope, machine);
          if (agentInScope(scope, { machine, agent })) expect(inScope).to.equal(true);
          if (agentInScope(scope, { machine, agent: null }))
            expect(agentInScope(scope, { machine, agent })).to.equal(true);
          expect(seen(scope, machine, agent) === 'machine').to.equal(!inScope);
        },
      ),
    );
  });
  it('what parses comes back as it was, and is safe to judge by', () => {
    fc.assert(
      fc.property(scopes, (scope) => {
        expect(parseScope(scope, BOTH)).to.deep.equal(scope);
      }),
    );
  });
  it('anything else is refused with SCOPE_INVALID and nothing worse', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          const scope = parseScope(value, BOTH);
          seen(scope, 'M1', 'a');
        } catch (e) {
          expect(isCofferError(e) && e.code).to.equal('SCOPE_INVALID');
        }
      }),
    );
  });

  const refused: [unknown, readonly string[]][] = [
    ['*', ['machine', 'agent']],
    [[], ['machine', 'agent']],
    [{ '': '*' }, ['machine', 'agent']],
    [{ M1: [''] }, ['machine', 'agent']],
    [{ M1: [1] }, ['machine', 'agent']],
    [{ M1: 'a' }, ['machine', 'agent']],
    [{ M1: null }, ['machine', 'agent']],
    [{ M1: ['a'] }, ['machine']],
    [{}, []],
    [{ M1: '*' }, []],
  ];
  for (const [value, axes] of refused)
    it(`${JSON.stringify(value)} is refused for a kind with the axes [${axes}]`, () => {
      expect(() => parseScope(value, { kind: 'k', scopeAxes: axes })).to.throw(/does not fit kind k/);
    });
  it('null is accepted for every kind', () => {
    for (const scopeAxes of [[], ['machine'], ['machine', 'agent']])
      expect(parseScope(null, { kind: 'k', scopeAxes })).to.equal(null);
  });
});
