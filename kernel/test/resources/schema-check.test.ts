import { expect } from 'chai';
import { definePlugin, type Obj } from '@coffer/kernel';
import { createTestKernel, fakeClock, type TestKernel } from '@coffer/kernel/testing';

/** Compiles, and is against the meta-schema all the same. */
const ODD = { type: 'object', properties: { a: { type: 'string', title: 5 } } };
const plugin = (name: string, schema: Obj): ReturnType<typeof definePlugin> =>
  definePlugin({
    name,
    apiVersion: 1,
    register: (kernel) =>
      kernel.tools.define({
        name: name.replace('-', '_'),
        description: 'x',
        inputSchema: schema,
        call: () => 'called',
      }),
  });

describe('the schemas of plugins', () => {
  let k: TestKernel;
  afterEach(() => k.stop());

  it('are held against the meta-schema soon after the start: a plugin with a bad one has failed, the others go on', async () => {
    const clock = fakeClock();
    k = await createTestKernel({ clock, plugins: [plugin('good-one', { type: 'object' }), plugin('odd-one', ODD)] });
    await clock.advance(1500);
    const { plugins } = (await k.rest('GET', '/plugins')).body as {
      plugins: { name: string; state: string; note: string }[];
    };
    expect(plugins.find((p) => p.name === 'odd-one')).to.include({ state: 'failed' });
    expect(plugins.find((p) => p.name === 'odd-one')?.note)
      .to.include('no JSON Schema')
      .and.include('title');
    expect(plugins.find((p) => p.name === 'good-one')).to.include({ state: 'active' });
    const gone = await k.rest('POST', '/gateway/call', { name: 'coffer__odd_one' });
    expect(gone.status).to.equal(404);
  });
});
