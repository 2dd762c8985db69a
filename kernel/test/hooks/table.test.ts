import { expect } from 'chai';
import { type Hook, HookMap } from '../../src/hook.js';
import { allHooks, createHooks } from '../../src/hooks.js';

describe('the hooks of the house', () => {
  const hooks = createHooks();

  it('each has a name of its own, that of its place, and says when and for whom', () => {
    const names: string[] = [];
    for (const [area, members] of Object.entries(hooks)) {
      for (const [key, hook] of Object.entries(members as Record<string, Hook<never, never>>)) {
        expect(hook.info.name).to.equal(`${area}.${key}`);
        expect(hook.info.when).to.match(/\.$/);
        expect(hook.info.who).to.not.equal('');
        names.push(hook.info.name);
      }
    }
    expect(new Set(names).size).to.equal(names.length);
    expect(allHooks(hooks).map((h) => h.info.name)).to.deep.equal(names);
  });

  it('whatever guards something fails closed', () => {
    for (const h of allHooks(hooks)) {
      const guards = ['scope.visible', 'gateway.listed', 'gateway.admit'].includes(h.info.name);
      if (guards) expect(h.info.onError, h.info.name).to.equal('closed');
      if (h.info.onError === 'closed') expect(h.closed, h.info.name).to.be.a('function');
    }
  });

  it('those by kind are maps, and before a change a tap may refuse it', () => {
    for (const [key, h] of Object.entries(hooks.resource)) {
      expect(h).to.be.instanceOf(HookMap);
      if (key.endsWith('ing')) expect(h.info.onError).to.equal('refuse');
    }
  });

  it('two kernels share none', () => {
    const other = createHooks();
    other.gateway.admit.add(
      'a',
      () => ({ name: 'DISABLED', message: 'no' }),
      'normal',
      () => undefined,
    );
    expect(hooks.gateway.admit.used).to.equal(false);
  });
});
