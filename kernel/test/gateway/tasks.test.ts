import { expect } from 'chai';
import { Payload } from '../../src/gateway/payload.js';
import {
  bareRelated,
  namedAnswer,
  namedRelated,
  rememberTask,
  splitTask,
  taskCapabilities,
  taskName,
} from '../../src/gateway/tasks.js';

const RELATED = 'io.modelcontextprotocol/related-task';

describe('names of tasks', () => {
  it('say which server a task is at, whatever its id is', () => {
    for (const id of ['1', 'a:b', ':', '__', 'x'.repeat(500)])
      expect(splitTask(taskName('one', id))).to.deep.equal({ server: 'one', key: id });
    for (const none of ['', 'one', ':1', 'one:']) expect(splitTask(none)).to.equal(undefined);
  });

  it('are put on what a server answers and on nothing else', () => {
    const handle = namedAnswer('one', { kind: 'task', task: { taskId: '1', status: 'working' } });
    expect(handle).to.deep.equal({ kind: 'task', task: { taskId: 'one:1', status: 'working' } });
    const bytes = Payload.raw([Buffer.from('{"content":[]}')]);
    expect(namedAnswer('one', { kind: 'result', result: bytes })).to.have.property('result', bytes);
    const state = namedAnswer('one', {
      kind: 'result',
      result: Payload.of({ taskId: '1', result: { taskId: 'its own' }, _meta: { [RELATED]: { taskId: '1' } } }),
    });
    expect(state.kind === 'result' && state.result.value).to.deep.equal({
      taskId: 'one:1',
      result: { taskId: 'its own' },
      _meta: { [RELATED]: { taskId: 'one:1' } },
    });
  });

  it('go with a question and come off its answer', () => {
    const params = { message: 'm', _meta: { [RELATED]: { taskId: '1' }, own: 1 } };
    const asked = namedRelated('one', params);
    expect(asked).to.deep.equal({ message: 'm', _meta: { [RELATED]: { taskId: 'one:1' }, own: 1 } });
    expect(bareRelated('one', asked)).to.deep.equal(params);
    const foreign = { _meta: { [RELATED]: { taskId: 'two:1' } } };
    expect(bareRelated('one', foreign)).to.deep.equal(foreign);
    const plain = { message: 'm' };
    expect(namedRelated('one', plain)).to.equal(plain);
  });
});

describe('what is promised of tasks', () => {
  it('is what any server can do, in the words of its era', () => {
    expect(taskCapabilities([{ tools: {} }, {}])).to.deep.equal({});
    expect(taskCapabilities([{ tasks: { list: {} } }])).to.deep.equal({});
    expect(taskCapabilities([{}, { tasks: { requests: { tools: { call: {} } } } }])).to.have.all.keys('tasks');
    expect(taskCapabilities([{ extensions: { 'io.modelcontextprotocol/tasks': {} } }])).to.deep.equal({
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    });
  });
});

describe('the tools of tasks', () => {
  it('are remembered for the newest thousand', () => {
    const tasks = new Map<string, string>();
    for (let i = 0; i < 1500; i++) rememberTask(tasks, `one:${i}`, 'tool');
    expect(tasks.size).to.equal(1000);
    expect(tasks.has('one:499')).to.equal(false);
    expect(tasks.has('one:1499')).to.equal(true);
  });
});
