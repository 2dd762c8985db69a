import { expect } from 'chai';
import fc from 'fast-check';
import { IDLE, step, type Course, type Doing, type Happening } from '../src/course.js';
import type { Item } from '../src/types.js';

const item = (text: string): Item => ({ id: text, text, from: null });
const after = (...happenings: Happening[]): { course: Course; doing: Doing[] } =>
  happenings.reduce<{ course: Course; doing: Doing[] }>((s, h) => step(s.course, h), { course: IDLE, doing: [] });
const texts = (course: Course): string[] => course.pending.map((i) => i.text);

describe('the course of a conversation', () => {
  it('starts what is sent while nothing runs, and queues what comes then, in order', () => {
    expect(after({ type: 'send', item: item('a') }).doing).to.deep.equal([{ type: 'start', item: item('a') }]);
    const busy = after(
      { type: 'send', item: item('a') },
      { type: 'send', item: item('b') },
      { type: 'send', item: item('c') },
    );
    expect(texts(busy.course)).to.deep.equal(['b', 'c']);
    expect(busy.doing).to.deep.equal([{ type: 'tell' }]);
  });

  it('starts the next only when the agent has cleaned up after the last', () => {
    const ended = after({ type: 'send', item: item('a') }, { type: 'send', item: item('b') }, { type: 'ended' });
    expect(ended.course.phase).to.equal('ending');
    expect(ended.doing).to.deep.equal([]);
    const free = step(ended.course, { type: 'free' });
    expect(free.doing).to.deep.equal([{ type: 'tell' }, { type: 'start', item: item('b') }]);
    expect(texts(free.course)).to.deep.equal([]);
  });

  it('holds the queue back after an interrupt, until the owner resumes', () => {
    const { course } = after(
      { type: 'send', item: item('a') },
      { type: 'send', item: item('b') },
      { type: 'interrupt' },
      { type: 'ended' },
      { type: 'free' },
    );
    expect(course).to.include({ phase: 'idle', paused: true });
    expect(texts(course)).to.deep.equal(['b']);
    expect(step(course, { type: 'replace', items: course.pending }).doing.at(-1)).to.deep.equal({
      type: 'start',
      item: course.pending[0],
    });
    const dropped = step(course, { type: 'replace', items: [] });
    expect(dropped.course).to.include({ phase: 'idle', paused: false });
  });

  it('runs what waited first when the owner sends after an interrupt', () => {
    const { course } = after(
      { type: 'send', item: item('a') },
      { type: 'send', item: item('b') },
      { type: 'interrupt' },
      { type: 'ended' },
      { type: 'free' },
    );
    const sent = step(course, { type: 'send', item: item('c') });
    expect(sent.doing.at(-1)).to.deep.equal({ type: 'start', item: course.pending[0] });
    expect(texts(sent.course)).to.deep.equal(['c']);
  });

  it('holds back what waits for the agent to clean up, when an interrupt comes then', () => {
    const { course, doing } = after(
      { type: 'send', item: item('a') },
      { type: 'ended' },
      { type: 'send', item: item('b') },
      { type: 'interrupt' },
    );
    expect(doing).to.deep.equal([{ type: 'tell' }]);
    expect(step(course, { type: 'free' }).course).to.include({ phase: 'idle', paused: true });
  });

  it('takes an interrupt while nothing runs as nothing', () => {
    expect(after({ type: 'interrupt' })).to.deep.equal({ course: IDLE, doing: [] });
  });

  it('puts a message that could not begin back at the head, and waits for the owner', () => {
    const started = after(
      { type: 'send', item: item('a') },
      { type: 'send', item: item('b') },
      { type: 'ended' },
      { type: 'free' },
    );
    const unable = step(started.course, { type: 'unable', item: item('b') });
    expect(unable.course).to.include({ phase: 'idle', paused: true });
    expect(texts(unable.course)).to.deep.equal(['b']);
  });

  it('never loses, doubles or reorders a message, never runs two at once, whatever happens', () => {
    const happening = fc.oneof(
      fc.constant({ type: 'send' as const }),
      fc.constant({ type: 'interrupt' as const }),
      fc.constant({ type: 'ended' as const }),
      fc.constant({ type: 'free' as const }),
      fc.constant({ type: 'resume' as const }),
    );
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (all) => {
        let course = IDLE;
        let sent = 0;
        let running = false;
        const started: string[] = [];
        for (const h of all) {
          // The actor says `ended` and `free` once for each turn, in this order.
          if (h.type === 'ended' && course.phase !== 'running') continue;
          if (h.type === 'free' && course.phase !== 'ending') continue;
          const before = course;
          const next = step(
            course,
            h.type === 'send'
              ? { type: 'send', item: item(String(sent++)) }
              : h.type === 'resume'
                ? { type: 'replace', items: course.pending }
                : h,
          );
          course = next.course;
          if (h.type === 'free') running = false;
          for (const d of next.doing) {
            if (d.type !== 'start') continue;
            expect(running, 'two turns at once').to.equal(false);
            running = true;
            started.push(d.item.text);
          }
          const told = next.doing.some((d) => d.type === 'tell');
          expect(told).to.equal(
            course.paused !== before.paused || texts(course).join() !== texts(before).join(),
            'screens are told exactly what changed',
          );
          expect(course.revision).to.equal(before.revision + (told ? 1 : 0));
        }
        expect([...started, ...texts(course)]).to.deep.equal([...Array(sent).keys()].map(String));
        if (course.phase === 'idle' && course.pending.length > 0) expect(course.paused).to.equal(true);
      }),
    );
  });
});
