import { expect } from 'chai';
import type { TurnEvent } from '@coffer/kernel';
import { newDraft, take, textOf } from '../src/draft.js';
import { folded, titleOf } from '../src/title.js';

describe('a growing message', () => {
  it('keeps text, tools and results in the order the agent brought them', () => {
    const draft = newDraft();
    const events: TurnEvent[] = [
      { type: 'thinking_delta', text: 'hm' },
      { type: 'text_delta', text: 'I look' },
      { type: 'text_delta', text: ' first.' },
      { type: 'tool_call', id: '1', name: 'read', input: { file: 'a' } },
      { type: 'tool_call', id: '2', name: 'read', input: { file: 'b' } },
      { type: 'tool_result', id: '2', output: { content: 'B' }, is_error: false },
      { type: 'tool_result', id: '1', output: 'no such file', is_error: true },
      { type: 'text_delta', text: 'Done.' },
    ];
    events.forEach((e, i) => take(draft, e, i * 10));
    expect(draft.blocks).to.deep.equal([
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'I look first.' },
      { type: 'tool_use', tool_use_id: '1', tool_name: 'read', tool_input: { file: 'a' } },
      { type: 'tool_use', tool_use_id: '2', tool_name: 'read', tool_input: { file: 'b' } },
      {
        type: 'tool_result',
        tool_use_id: '2',
        tool_name: 'read',
        output: { content: 'B' },
        error: null,
        duration_ms: 10,
      },
      {
        type: 'tool_result',
        tool_use_id: '1',
        tool_name: 'read',
        output: null,
        error: 'no such file',
        duration_ms: 30,
      },
      { type: 'text', text: 'Done.' },
    ]);
    expect(textOf(draft.blocks)).to.equal('I look first.\n\nDone.');
    expect(draft.open.size).to.equal(0);
  });

  it('takes results that are no objects, calls nobody made, and a clock that was set back', () => {
    const draft = newDraft();
    take(draft, { type: 'tool_call', id: '1', name: 'x', input: 'plain' }, 5000);
    take(draft, { type: 'tool_result', id: '1', output: 'text', is_error: false }, 1000);
    take(draft, { type: 'tool_result', id: 'unknown', output: null, is_error: false }, 1000);
    take(draft, { type: 'tool_result', id: 'odd', output: { code: 3 }, is_error: true }, 1000);
    expect(draft.blocks.slice(1)).to.deep.equal([
      {
        type: 'tool_result',
        tool_use_id: '1',
        tool_name: 'x',
        output: { content: 'text' },
        error: null,
        duration_ms: 0,
      },
      { type: 'tool_result', tool_use_id: 'unknown', tool_name: '', output: {}, error: null, duration_ms: null },
      { type: 'tool_result', tool_use_id: 'odd', tool_name: '', output: null, error: '{"code":3}', duration_ms: null },
    ]);
    expect(draft.blocks[0]).to.deep.include({ tool_input: { input: 'plain' } });
  });

  it('cuts what floods, and says so', () => {
    const draft = newDraft();
    take(draft, { type: 'tool_call', id: '1', name: 'x', input: {} }, 0);
    const told = take(
      draft,
      { type: 'tool_result', id: '1', output: { content: 'x'.repeat(10_000_000) }, is_error: false },
      0,
    );
    expect(JSON.stringify(told).length).to.be.lessThan(300_000);
    expect(told).to.have.nested.property('output.truncated', true);
    expect(JSON.stringify(draft.blocks).length).to.be.lessThan(300_000);
  });
});

describe('a title', () => {
  it('is the first message on one line, in sixty whole characters', () => {
    expect(titleOf('  Why is\n\nthe build   slow? ')).to.equal('Why is the build slow?');
    expect(titleOf('x'.repeat(60))).to.equal('x'.repeat(60));
    expect(titleOf('x'.repeat(61))).to.equal(`${'x'.repeat(59)}…`);
    const family = '👨‍👩‍👧‍👦';
    expect(titleOf(family.repeat(80))).to.equal(`${family.repeat(59)}…`);
    expect(titleOf(' \n ')).to.equal('New conversation');
  });
  it('is found whatever its case and width', () => {
    expect(folded('ＡＢＣ Straße')).to.equal('abc straße');
  });
});
