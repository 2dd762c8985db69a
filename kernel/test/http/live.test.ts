import { expect } from 'chai';
import { createLive } from '../../src/http/live.js';
import { notes } from '../support/notes.js';
import { until, workshop } from '../support/kernels.js';
import { openEvents } from '../support/wire.js';

describe('live events', () => {
  const make = workshop();
  const add = { kind: 'note', config: { text: 'x' } };

  it('tell what happens, in order, and stop when the reader hangs up', async () => {
    const k = await make.kernel({ plugins: [notes] });
    const before = k.services.live.watchers;
    const s = await openEvents(k, '/api/v1/events');
    expect(s.status).to.equal(200);
    await until('it watches', () => k.services.live.watchers === before + 1);
    await until('the stream is open', () => s.raw().startsWith(':\n\n'));
    await k.rest('POST', '/resources', { ...add, name: 'a' });
    await until('both events came', () => s.events.length >= 2);
    expect(s.events.map((e) => e.data.type)).to.deep.equal(['audit', 'resource']);
    expect(s.events[1]?.data).to.deep.equal({
      type: 'resource',
      action: 'created',
      ref: 'note:a',
      kind: 'note',
      name: 'a',
    });
    s.close();
    await until('nobody watches', () => k.services.live.watchers === before);
  });

  for (const how of ['query', 'header'] as const)
    it(`pick up where a reader left, by ${how}`, async () => {
      const k = await make.kernel({ plugins: [notes] });
      const before = k.services.live.watchers;
      const first = await openEvents(k, '/api/v1/events');
      await until('it watches', () => k.services.live.watchers === before + 1);
      await k.rest('POST', '/resources', { ...add, name: 'a' });
      await until('it heard', () => first.events.length === 2);
      first.close();
      await k.rest('POST', '/resources', { ...add, name: 'b' });
      const last = first.events.at(-1)?.id ?? '';
      const again = await openEvents(
        k,
        how === 'query' ? `/api/v1/events?last_event_id=${last}` : '/api/v1/events',
        how === 'header' ? { headers: { 'last-event-id': last } } : {},
      );
      await until('it has caught up', () => again.events.length === 2);
      expect(again.events.map((e) => e.data.resource_name ?? e.data.name)).to.deep.equal(['b', 'b']);
      expect(Number(again.events[0]?.id)).to.equal(Number(last) + 1);
      again.close();
    });

  it('refuse an id that is none', async () => {
    const k = await make.kernel();
    expect((await openEvents(k, '/api/v1/events?last_event_id=x')).status).to.equal(400);
    expect((await openEvents(k, '/api/v1/events', { headers: { 'last-event-id': '-1' } })).status).to.equal(400);
  });

  const first = async (
    live: ReturnType<typeof createLive>,
    lastId: number | undefined,
    n: number,
  ): Promise<unknown[]> => {
    const stop = new AbortController();
    const got: unknown[] = [];
    setTimeout(() => stop.abort(), 200);
    for await (const e of live.watch(stop.signal, lastId)) {
      got.push([e.id, (e.data as { type: string }).type]);
      if (got.length === n) break;
    }
    return got;
  };

  it('say so when they cannot fill the gap: what was forgotten, and ids of an earlier daemon', async () => {
    const live = createLive();
    for (let i = 0; i < 600; i++) live.emit({ type: `e${i}` });
    expect(await first(live, 50, 2)).to.deep.equal([
      ['600', 'gap'],
      ['101', 'e100'],
    ]);
    expect(await first(live, 100, 1)).to.deep.equal([['101', 'e100']]);
    expect(await first(live, 600, 1)).to.deep.equal([]);
    expect(await first(live, 9999, 1)).to.deep.equal([['600', 'gap']]);
    expect(await first(createLive(), 5, 1)).to.deep.equal([['0', 'gap']]);
    expect(await first(createLive(), 0, 1)).to.deep.equal([]);
  });

  it('give a reader that falls behind a gap instead of growing without end', async () => {
    const live = createLive();
    const stop = new AbortController();
    const events = live.watch(stop.signal)[Symbol.asyncIterator]();
    const reading = events.next();
    for (let i = 0; i < 2500; i++) live.emit({ type: 'x' });
    const seen: string[] = [((await reading).value as { data: { type: string } }).data.type];
    for (let i = 0; i < 2; i++) seen.push(((await events.next()).value as { data: { type: string } }).data.type);
    expect(seen).to.include('gap');
    stop.abort();
    await events.return?.();
    expect(live.watchers).to.equal(0);
  });
});
