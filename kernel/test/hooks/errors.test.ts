import { expect } from 'chai';
import { CofferError } from '../../src/errors.js';
import { Hook, type HookInfo, type Mode, type OnError } from '../../src/hook.js';

const info = (mode: Mode, onError: OnError): HookInfo => ({ name: 'h', mode, onError, when: '', who: '' });
const boom = (): never => {
  throw new TypeError('boom');
};

async function caught(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (e) {
    return e;
  }
  return undefined;
}

describe('a tap that throws', () => {
  for (const mode of ['sync', 'series'] as const) {
    const fire = (h: Hook<[]>): unknown => (mode === 'sync' ? h.call() : h.promise());

    it(`refuse (${mode}): the error reaches the caller, names plugin and hook, and hides what a foreign error says`, async () => {
      const hook = new Hook<[]>(info(mode, 'refuse'), []);
      hook.add('bad', boom, 'normal', () => expect.fail('nothing to report: the caller was told'));
      const e = (await caught(() => fire(hook))) as CofferError;
      expect(e.code).to.equal('INTERNAL_ERROR');
      expect(e.message).to.include('bad').and.include('TypeError').and.not.include('boom');
      expect(e.details).to.deep.equal({ plugin: 'bad', hook: 'h' });
      expect((e.cause as Error).message).to.equal('boom');
    });

    it(`refuse (${mode}): a CofferError passes as it is, and later taps are not asked`, async () => {
      const hook = new Hook<[]>(info(mode, 'refuse'), []);
      const mine = new CofferError('CONFIG_INVALID', 'not like this');
      let later = 0;
      hook.add(
        'a',
        () => {
          throw mine;
        },
        'normal',
        () => undefined,
      );
      hook.add(
        'b',
        () => void later++,
        'normal',
        () => undefined,
      );
      expect(await caught(() => fire(hook))).to.equal(mine);
      expect(later).to.equal(0);
    });

    for (const policy of ['isolate', 'fail'] as const) {
      it(`${policy} (${mode}): it is reported and the others go on`, async () => {
        const hook = new Hook<[]>(info(mode, policy), []);
        const reports: unknown[][] = [];
        let later = 0;
        hook.add('bad', boom, 'normal', (tap, e) => reports.push([tap.plugin, (e as Error).message]));
        hook.add(
          'good',
          () => void later++,
          'normal',
          () => undefined,
        );
        await fire(hook);
        expect(reports).to.deep.equal([['bad', 'boom']]);
        expect(later).to.equal(1);
      });
    }
  }

  it('closed: a bail hook answers what is safe, without asking the others', () => {
    const hook = new Hook<[string], string | undefined>(info('bail', 'closed'), ['x'], (x) => `refused ${x}`);
    const seen: unknown[] = [];
    hook.add('bad', boom, 'normal', (_t, e) => seen.push(e));
    hook.add(
      'open',
      () => 'allowed',
      'normal',
      () => undefined,
    );
    expect(hook.call('door')).to.equal('refused door');
    expect(seen).to.have.length(1);
  });

  it('closed: a waterfall goes on with what is safe of what it had', () => {
    const hook = new Hook<[number[]], number[]>(info('waterfall', 'closed'), ['l'], () => []);
    hook.add('bad', boom, 'normal', () => undefined);
    hook.add(
      'more',
      (l) => [...l, 9],
      'normal',
      () => undefined,
    );
    expect(hook.call([1, 2])).to.deep.equal([9]);
  });

  it('closed: also for an asynchronous guard', async () => {
    const hook = new Hook<[], string>(info('series-bail', 'closed'), [], () => 'safe');
    hook.add(
      'bad',
      () => Promise.reject(new Error('x')),
      'normal',
      () => undefined,
    );
    expect(await hook.promise()).to.equal('safe');
  });

  it('a promise from a synchronous hook is a fault of its tap, never an answer', () => {
    const hook = new Hook<[], string | undefined>(info('bail', 'closed'), [], () => 'closed');
    const seen: string[] = [];
    hook.add(
      'async',
      () => Promise.reject(new Error('late')),
      'normal',
      (_t, e) => seen.push((e as Error).message),
    );
    expect(hook.call()).to.equal('closed');
    expect(seen[0]).to.include('synchronous');
  });
});
