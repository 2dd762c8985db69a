import { expect } from 'chai';
import type { Exchange } from '@coffer/kernel';
import { fakeClock, type FakeClock } from '@coffer/kernel/testing';
import { isTask, OpenTasks } from '../src/wire/open-tasks.js';

describe('tasks under way', () => {
  let clock: FakeClock;
  let tasks: OpenTasks;
  const x = { id: 'x' } as Exchange; // nothing of it is used
  beforeEach(() => {
    clock = fakeClock();
    tasks = new OpenTasks(clock);
  });

  it('keep a server from being idle until they end', () => {
    for (const [taskId, status] of [
      ['a', 'completed'],
      ['b', 'failed'],
      ['c', 'cancelled'],
    ]) {
      tasks.began({ taskId, status: 'working' });
      tasks.seen({ taskId, status: 'input_required' });
      expect(tasks.size).to.equal(1);
      tasks.seen({ taskId, status });
      expect(tasks.size).to.equal(0);
    }
    tasks.began({ taskId: 'd', status: 'completed' });
    tasks.seen({ taskId: 'never begun', status: 'working' });
    expect(tasks.size).to.equal(0);
  });

  it('are forgotten when they have outlived what the server promised, or an hour', async () => {
    tasks.began({ taskId: 'a', status: 'working', ttl: 1000 });
    tasks.began({ taskId: 'b', status: 'working', ttlMs: 2000 });
    tasks.began({ taskId: 'c', status: 'working', ttl: null });
    await clock.advance(1000);
    expect(tasks.size).to.equal(2);
    await clock.advance(1000);
    expect(tasks.size).to.equal(1);
    await clock.advance(3_600_000);
    expect(tasks.size).to.equal(0);
  });

  it('find the call whose progress a token means, as long as they run', () => {
    tasks.began({ taskId: 'a', status: 'working' }, { x, token: 7 });
    expect(tasks.byToken(7)).to.equal(x);
    expect(tasks.byToken('7')).to.equal(undefined);
    tasks.over('a');
    expect(tasks.byToken(7)).to.equal(undefined);
  });

  it('are what a result names as one', () => {
    expect(isTask({ taskId: 'a' })).to.equal(true);
    for (const none of [undefined, null, 'a', {}, { taskId: 1 }]) expect(isTask(none)).to.equal(false);
  });
});
