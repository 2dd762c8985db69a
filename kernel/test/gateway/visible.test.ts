import { expect } from 'chai';
import type { Obj } from '../../src/json.js';
import { HttpClient } from '../../src/testing/index.js';
import { plugin, until, workshop } from '../support/kernels.js';

describe('a built-in tool that is not for every client', () => {
  const make = workshop();
  let agents = ['a'];
  const picky = plugin('picky', (k) => {
    k.tools.define({
      name: 'secret',
      description: '',
      inputSchema: {},
      visible: ({ agent }) => {
        if (agents.includes('broken')) throw new Error('cannot tell');
        return agent !== null && agents.includes(agent);
      },
      call: () => 'told',
    });
    k.routes([{ method: 'POST', path: '/changed', summary: '', handle: () => k.gateway.changed() }]);
  });
  beforeEach(() => void (agents = ['a']));

  it('is listed and called where it is visible, unknown elsewhere, and announced when that changes', async () => {
    const k = await make.kernel({ plugins: [picky] });
    const open = async (agent: string): Promise<HttpClient> => {
      const c = new HttpClient(`${k.url}/mcp`, {
        headers: { 'X-Coffer-Token': k.token },
        meta: { 'coffer/agent': agent },
      });
      await c.initialize();
      await c.listen();
      return c;
    };
    const [a, b] = [await open('a'), await open('b')];
    const lists = async (c: HttpClient): Promise<boolean> =>
      ((await c.request('tools/list'))['tools'] as Obj[]).some((t) => t['name'] === 'coffer__secret');
    const call = (c: HttpClient): Promise<Obj> => c.request('tools/call', { name: 'coffer__secret' });
    expect([await lists(a), await lists(b)]).to.deep.equal([true, false]);
    expect((await call(a))['content'][0].text).to.equal('told');
    expect(String(await call(b).catch((e: unknown) => e))).to.include('Unknown tool: coffer__secret');
    agents = ['b'];
    await k.rest('POST', '/changed');
    await until('both are told', () =>
      [a, b].every((c) => c.notifications.some((n) => n['method'] === 'notifications/tools/list_changed')),
    );
    expect([await lists(a), await lists(b)]).to.deep.equal([false, true]);
    agents = ['a', 'b', 'broken'];
    await k.rest('POST', '/changed');
    expect([await lists(a), await lists(b)]).to.deep.equal([false, false]);
    expect(k.host.get('picky').state).to.equal('degraded');
    await a.close();
    await b.close();
  });
});
