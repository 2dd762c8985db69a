import { expect } from 'chai';
import { serviceToken } from '../../src/plugin/contract.js';
import { plugin, workshop } from '../support/kernels.js';

const Lamp = serviceToken<{ light: string }>('lamp');

describe('a service that a plugin can do without', () => {
  const make = workshop();
  const seen: string[] = [];
  beforeEach(() => void (seen.length = 0));
  const user = plugin('user', (k) =>
    k.useIfThere(Lamp, ({ light }) => {
      seen.push(`+${light}`);
      return () => seen.push(`-${light}`);
    }),
  );
  const lamp = plugin('lamp', (k) => k.provide(Lamp, { light: 'red' }));

  it('is handed over whoever was registered first, and is not missed', async () => {
    await make.kernel({ plugins: [user, lamp] });
    await make.kernel({ plugins: [lamp, user] });
    const alone = await make.kernel({ plugins: [user] });
    expect(seen).to.deep.equal(['+red', '+red']);
    expect(alone.host.get('user').state).to.equal('active');
  });

  it('goes with its provider and comes again with it', async () => {
    const k = await make.kernel({ plugins: [user, lamp] });
    await k.rest('POST', '/plugins/lamp/disable');
    expect(seen).to.deep.equal(['+red', '-red']);
    expect(k.host.get('user').state).to.equal('active');
    await k.rest('POST', '/plugins/lamp/enable');
    expect(seen).to.deep.equal(['+red', '-red', '+red']);
  });

  it('is let go of by a plugin that goes, and asked for anew when it returns', async () => {
    const k = await make.kernel({ plugins: [user, lamp] });
    await k.rest('POST', '/plugins/user/disable');
    await k.rest('POST', '/plugins/lamp/disable');
    await k.rest('POST', '/plugins/lamp/enable');
    expect(seen).to.deep.equal(['+red', '-red']);
    await k.rest('POST', '/plugins/user/enable');
    expect(seen).to.deep.equal(['+red', '-red', '+red']);
  });

  it('of a plugin that failed to register is never handed over', async () => {
    const broken = plugin('lamp', (k) => {
      k.provide(Lamp, { light: 'broken' });
      throw new Error('no bulb');
    });
    await make.kernel({ plugins: [user, broken] });
    expect(seen).to.deep.equal([]);
  });

  it('degrades whoever throws over it, once, and nobody else', async () => {
    const bad = plugin('bad', (k) =>
      k.useIfThere(Lamp, () => {
        throw new Error('too bright');
      }),
    );
    const k = await make.kernel({ plugins: [bad, user, lamp] });
    expect(seen).to.deep.equal(['+red']);
    expect(k.host.get('bad').note).to.include('service lamp threw once: Error: too bright');
    await k.rest('POST', '/plugins/user/disable');
    expect(k.host.get('bad').note).to.include('once');
  });
});
