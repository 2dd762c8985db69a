import { expect } from 'chai';
import { Hook, HookMap, type HookInfo, type Mode, type OnError } from '../../src/hook.js';

const info = (mode: Mode, onError: OnError = 'isolate'): HookInfo => ({
  name: 'test',
  mode,
  onError,
  when: '',
  who: '',
});
const quiet = (): void => undefined;

describe('the modes of a hook', () => {
  it('sync: every tap is called, in the order it came', () => {
    const hook = new Hook<[string]>(info('sync'), ['word']);
    const heard: string[] = [];
    hook.add('a', (w) => void heard.push(`a ${w}`), 'normal', quiet);
    hook.add('b', (w) => void heard.push(`b ${w}`), 'normal', quiet);
    hook.call('hi');
    expect(heard).to.deep.equal(['a hi', 'b hi']);
  });

  it('bail: the first answer ends it', () => {
    const hook = new Hook<[], string | undefined>(info('bail'), []);
    let last = 0;
    hook.add('a', () => undefined, 'normal', quiet);
    hook.add('b', () => 'no', 'normal', quiet);
    hook.add('c', () => (last++, 'late'), 'normal', quiet);
    expect(hook.call()).to.equal('no');
    expect(last).to.equal(0);
  });

  it('bail: null means "go on", as undefined does', () => {
    const hook = new Hook<[], string | undefined>(info('bail'), []);
    // a tap written in JavaScript
    hook.add('a', () => null as unknown as undefined, 'normal', quiet);
    hook.add('b', () => 'answer', 'normal', quiet);
    expect(hook.call()).to.equal('answer');
  });

  it('waterfall: each tap gets what the one before made of it, and nothing changes nothing', () => {
    const hook = new Hook<[number[], string], number[]>(info('waterfall'), ['list', 'by']);
    expect(hook.call([1], 'x')).to.deep.equal([1]);
    hook.add('a', (l) => [...l, 2], 'normal', quiet);
    hook.add('b', () => undefined as unknown as number[], 'normal', quiet);
    hook.add('c', (l, by) => [...l, by.length], 'normal', quiet);
    expect(hook.call([1], 'xyz')).to.deep.equal([1, 2, 3]);
  });

  it('series: one after the other, and parallel: all at once', async () => {
    for (const [mode, order] of [
      ['series', ['a1', 'a2', 'b1', 'b2']],
      ['parallel', ['a1', 'b1', 'a2', 'b2']],
    ] as const) {
      const hook = new Hook<[]>(info(mode), []);
      const seen: string[] = [];
      for (const name of ['a', 'b']) {
        hook.add(
          name,
          async () => {
            seen.push(`${name}1`);
            await new Promise((resolve) => setImmediate(resolve));
            seen.push(`${name}2`);
          },
          'normal',
          quiet,
        );
      }
      await hook.promise();
      expect(seen).to.deep.equal(order);
    }
  });

  it('series-bail: the first answer ends it, null and undefined do not', async () => {
    const hook = new Hook<[], string | undefined>(info('series-bail'), []);
    hook.add('a', async () => undefined, 'normal', quiet);
    hook.add('b', () => Promise.resolve(null as unknown as undefined), 'normal', quiet);
    hook.add('c', async () => 'yes', 'normal', quiet);
    hook.add('d', async () => expect.fail('was called after the answer'), 'normal', quiet);
    expect(await hook.promise()).to.equal('yes');
  });

  it('stages order the taps, whenever they came', () => {
    const hook = new Hook<[]>(info('sync'), []);
    const seen: string[] = [];
    for (const stage of ['late', 'normal', 'early', 'normal'] as const)
      hook.add(stage, () => void seen.push(stage), stage, quiet);
    hook.call();
    expect(seen).to.deep.equal(['early', 'normal', 'normal', 'late']);
    expect(hook.taps.map((t) => t.stage)).to.deep.equal(seen);
  });

  it('a tap does nothing once it is inactive, and a hook without active taps is not used', async () => {
    const hook = new Hook<[], string | undefined>(info('bail'), []);
    const slow = new Hook<[], string | undefined>(info('series-bail'), []);
    const one = hook.add('a', () => 'a', 'normal', quiet);
    const two = slow.add('a', () => 'a', 'normal', quiet);
    expect(hook.used).to.equal(true);
    one.active = two.active = false;
    expect(hook.used).to.equal(false);
    expect(hook.call()).to.equal(undefined);
    expect(await slow.promise()).to.equal(undefined);
    expect(one.calls).to.equal(0);
  });

  it('a map has one hook for each key, made when first asked for', () => {
    const map = new HookMap<[string]>(info('sync'), ['x']);
    const heard: string[] = [];
    map.for('note').add('a', (x) => void heard.push(x), 'normal', quiet);
    map.for('note').call('1');
    map.for('other').call('2');
    expect(heard).to.deep.equal(['1']);
    expect(map.hooks.map((h) => h.info.name)).to.deep.equal(['test(note)', 'test(other)']);
  });
});

describe('the record of a tap', () => {
  it('counts calls, errors and time', async () => {
    const hook = new Hook<[boolean]>(info('series'), ['fail']);
    const tap = hook.add(
      'p',
      async (fail) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (fail) throw new Error('x');
      },
      'normal',
      quiet,
    );
    await hook.promise(false);
    await hook.promise(true);
    expect(tap).to.include({ plugin: 'p', hook: 'test', calls: 2, errors: 1, active: true });
    expect(tap.ms).to.be.greaterThan(0);
  });
});
