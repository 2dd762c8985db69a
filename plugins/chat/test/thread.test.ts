import { expect } from 'chai';
import { argumentOf, editsOf, piecesOf, resultText } from '../src/ui/pieces.js';
import { EMPTY, apply, read, type Thread } from '../src/ui/thread.js';

type Event = Parameters<typeof apply>[1];
type Message = Thread['messages'][number];

const message = (seq: number, more: Partial<Message> = {}): Message => ({
  id: `m${seq}`,
  seq,
  role: seq % 2 === 0 ? 'user' : 'assistant',
  content: [{ type: 'text', text: `text ${seq}` }],
  status: 'complete',
  model_id: null,
  prompt_tokens: null,
  completion_tokens: null,
  stop_reason: null,
  error: null,
  created_at: '2026-01-01T00:00:00Z',
  ...more,
});
const start = (seq: number): Event => ({
  type: 'turn_start',
  turn_id: 't',
  message_id: `m${seq + 1}`,
  item_id: 'i',
  user: message(seq),
});
const done = (seq: number): Event => ({
  type: 'turn_done',
  message_id: `m${seq}`,
  model_id: 'oak',
  prompt_tokens: 1,
  completion_tokens: 2,
  stop_reason: 'end_turn',
});
const after = (thread: Thread, ...events: Event[]): Thread => events.reduce(apply, thread);
const says = (thread: Thread): string[] =>
  thread.messages.map((m) => m.content.map((b) => ('text' in b ? b.text : b.type)).join('|'));

describe('what a screen shows', () => {
  const TURN: Event[] = [
    start(0),
    { type: 'text_delta', text: 'a' },
    { type: 'text_delta', text: 'b' },
    { type: 'tool_call', tool_use_id: '1', tool_name: 'x', tool_input: {} },
    { type: 'text_delta', text: 'c' },
  ];

  it('grows with the events, and is the same on a screen that came late', () => {
    const live = after(EMPTY, ...TURN);
    expect(says(live)).to.deep.equal(['text 0', 'ab|tool_use|c']);
    // Late: the messages with the half answer, then the whole turn again.
    const half = [message(0), message(1, { status: 'streaming', content: [{ type: 'text', text: 'ab' }] })];
    for (const late of [after(read(EMPTY, half, true), ...TURN), read(after(EMPTY, ...TURN), half, true)])
      expect(says(late)).to.deep.equal(says(live));
    expect(after(live, done(1))).to.deep.include({ growing: null });
    expect(after(live, done(1)).messages[1]).to.include({ status: 'complete', model_id: 'oak' });
  });

  it('keeps what is over as the same object, so that only what changed is drawn', () => {
    const first = read(EMPTY, [message(0), message(1)], true);
    const next = after(first, start(2), { type: 'text_delta', text: 'x' });
    expect(next.messages[1]).to.equal(first.messages[1]);
    expect(read(next, [message(0), message(1)], true).messages[0]).to.equal(first.messages[0]);
  });

  it('learns the end of a turn that it missed', () => {
    const cut = after(EMPTY, ...TURN, { type: 'attached', turn_id: null, resumed: false });
    expect(cut.growing).to.equal(null);
    const known = read(cut, [message(0), message(1, { status: 'failed' })], true);
    expect(known.messages[1]).to.include({ status: 'failed' });
    expect(says(known)).to.deep.equal(['text 0', 'text 1']);
  });

  it('drops what is there no more, and takes what is earlier in front', () => {
    const page = read(EMPTY, [message(4), message(5)], true);
    expect(read(page, [message(2), message(3)], false).messages.map((m) => m.seq)).to.deep.equal([2, 3, 4, 5]);
    const others = read(page, [message(0, { id: 'other' })], true);
    expect(others.messages.map((m) => m.id)).to.deep.equal(['other', 'm4', 'm5']);
  });

  it('tells why what waited could not begin, until the next turn', () => {
    const told = after(EMPTY, { type: 'turn_error', message_id: '', code: 'X', message: 'why' });
    expect(told.notice).to.equal('why');
    expect(after(told, start(0)).notice).to.equal('');
  });
});

describe('an answer as it is drawn', () => {
  it('has runs of tools with their results beside them', () => {
    const pieces = piecesOf([
      { type: 'text', text: 'one' },
      { type: 'tool_use', tool_use_id: '1', tool_name: 'a', tool_input: {} },
      { type: 'tool_use', tool_use_id: '2', tool_name: 'b', tool_input: {} },
      { type: 'tool_result', tool_use_id: '2', tool_name: 'b', output: {}, error: null, duration_ms: 5 },
      { type: 'text', text: 'two' },
    ]);
    expect(pieces.map((p) => p.is)).to.deep.equal(['text', 'tools', 'text']);
    const [, tools] = pieces;
    expect(tools?.is === 'tools' && tools.calls.map((c) => c.result?.ms)).to.deep.equal([undefined, 5]);
  });

  it('knows edits by their shape: texts, several at once, unified diffs, whole files', () => {
    expect(editsOf({ file_path: 'a', old_string: 'x', new_string: 'y' })).to.deep.equal([
      { path: 'a', old: 'x', now: 'y' },
    ]);
    expect(editsOf({ file_path: 'a', edits: [{ old_string: '1', new_string: '2' }, { other: 1 }] })).to.have.length(1);
    expect(
      editsOf({ changes: [{ path: 'b', kind: 'update', diff: '@@ -1,2 +1,2 @@\n same\n-old\n+new\n' }] }),
    ).to.deep.equal([{ path: 'b', old: 'same\nold\n', now: 'same\nnew\n' }]);
    expect(editsOf({ changes: [{ path: 'c', diff: 'all of it' }] })).to.deep.equal([
      { path: 'c', old: '', now: 'all of it' },
    ]);
    expect(editsOf({ path: 'd', content: 'z' })).to.deep.equal([{ path: 'd', old: '', now: 'z' }]);
    expect(editsOf({ command: 'ls', content: 'z' })).to.deep.equal([]);
  });

  it('says what a call is about, and reads results that are text', () => {
    expect(argumentOf({ command: ['ls', '-l'] })).to.equal('ls -l');
    expect(argumentOf({ n: 1, what: 'it' })).to.equal('it');
    expect(argumentOf({})).to.equal('');
    expect(
      resultText({
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }),
    ).to.deep.equal({ text: 'a\nb', json: false });
    expect(resultText({ content: [{ type: 'image' }] })).to.include({ json: true });
    expect(resultText(null)).to.deep.equal({ text: '', json: false });
  });
});
