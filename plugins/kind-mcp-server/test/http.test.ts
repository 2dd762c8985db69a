import { expect } from 'chai';
import type { Obj, Outcome } from '@coffer/kernel';
import { startFixture } from '@coffer/kernel/testing';
import { client, freePort, Home, until } from './support.js';

function valueOf(o: Outcome): Obj {
  if (o.kind !== 'result') throw new Error(`no result: ${JSON.stringify(o)}`);
  return o.result.value;
}

describe('a server over streamable HTTP', () => {
  const home = new Home();
  after(() => home.remove());

  it('begins a lost session anew and repeats the request, with level and subscriptions restored', async () => {
    const port = await freePort();
    const first = await startFixture('scripted', ['--http', String(port)]);
    const updates: unknown[] = [];
    const up = await home.connect({ type: 'http', url: first.url }, client(), {
      events: { watched: (e) => e.kind === 'uri' && updates.push(e.uri) },
    });
    await up.watch({ uris: ['test://watched-resource'], log: 'warning' });
    await first.stop();
    const second = await startFixture('scripted', ['--http', String(port)]);
    try {
      // The stream of events broke with the server; the session is found missing by the next call.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const told = valueOf(await up.call('tools/call', { name: 'whoami', arguments: {} }, client()))
        .structuredContent as Obj;
      expect(told.initialize).to.have.nested.property('clientInfo.name', 'test-client');
      await until(async () => {
        const now = valueOf(await up.call('tools/call', { name: 'touch', arguments: {} }, client()));
        return JSON.stringify(now).includes('watched-resource') && updates.length > 0;
      }, 'the subscription in the new session');
      const again = valueOf(await up.call('tools/call', { name: 'whoami', arguments: {} }, client()))
        .structuredContent as Obj;
      expect(again.level).to.equal('warning');
      await up.close();
    } finally {
      await second.stop();
    }
  });

  it('resumes a stream of events that broke before the answer', async () => {
    const server = await startFixture('scripted', ['--http', '0']);
    try {
      const up = await home.connect({ type: 'http', url: server.url });
      const o = await up.call('tools/call', { name: 'test_reconnection', arguments: {} }, client());
      expect(valueOf(o).content).to.deep.equal([{ type: 'text', text: 'Reconnection test completed successfully.' }]);
      await up.close();
    } finally {
      await server.stop();
    }
  });

  it('hears over HTTP what belongs to no call', async () => {
    const server = await startFixture('scripted', ['--http', '0']);
    const heard: string[] = [];
    try {
      const up = await home.connect({ type: 'http', url: server.url }, client(), {
        events: { watched: (e) => e.kind === 'uri' && heard.push(e.uri) },
      });
      await up.watch({ uris: ['test://watched-resource'] });
      await up.call('tools/call', { name: 'touch', arguments: { after: true } }, client());
      await until(() => heard.length === 1, 'the update on the stream of its own');
      await up.close();
    } finally {
      await server.stop();
    }
  });

  for (const mode of [[], ['--json']])
    it(`waits for a long silent call over HTTP ${mode.join('')}`, async () => {
      const server = await startFixture('scripted', ['--http', '0', ...mode]);
      try {
        const up = await home.connect({ type: 'http', url: server.url });
        const o = await up.call('tools/call', { name: 'slow', arguments: { steps: 1, ms: 5500 } }, client());
        expect(valueOf(o).content).to.deep.equal([{ type: 'text', text: 'done' }]);
        await up.close();
      } finally {
        await server.stop();
      }
    });
});
