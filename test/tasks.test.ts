import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { fixtureCommand } from '@coffer/kernel/testing';
import { servers, startDaemon, until, type RealDaemon } from '@coffer/testing';

const TASKS = 'io.modelcontextprotocol/tasks';
const META = 'io.modelcontextprotocol/';
const RESEARCH = 'every__simulate-research-query';
const technical = { action: 'accept' as const, content: { interpretation: 'technical' } };

describe('tasks through the gateway', function () {
  this.timeout(60_000);
  let d: RealDaemon;
  const closing: (() => unknown)[] = [];
  before(async () => {
    d = await startDaemon();
    await d.addStdio('every', servers.everything());
    const { command, args } = fixtureCommand('modern');
    await d.addStdio('new', [...args, '--tasks'], { command });
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  after(() => d.stop());

  const older = async (): Promise<Client> => {
    const client = await d.http({ capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => technical);
    // the official client looks at its tools before it runs one as a task
    await client.listTools();
    return client;
  };
  const newer = async (): Promise<ModernClient> => {
    const client = new ModernClient(
      { name: 'newer', version: '1' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    client.setRequestHandler('elicitation/create', () => technical);
    const headers = { 'X-Coffer-Token': d.token };
    await client.connect(new ModernTransport(new URL(`http://127.0.0.1:${d.port}/mcp`), { requestInit: { headers } }));
    closing.push(() => client.close());
    return client;
  };

  describe('an older client and an older server', () => {
    it('pass a task on, its questions and its notices included', async () => {
      const client = await older();
      expect(client.getServerCapabilities()?.tasks).to.have.nested.property('requests.tools.call');
      const notices: string[] = [];
      client.setNotificationHandler(TaskStatusNotificationSchema, (n) => void notices.push(n.params.taskId));
      const asked: unknown[] = [];
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params._meta?.[`${META}related-task`]);
        return technical;
      });
      const stream = client.experimental.tasks.callToolStream({
        name: RESEARCH,
        arguments: { topic: 'x', ambiguous: true },
      });
      const seen: string[] = [];
      let taskId = '';
      let text = '';
      for await (const m of stream) {
        if (m.type === 'taskCreated') taskId = m.task.taskId;
        if (m.type === 'taskStatus') seen.push(m.task.status);
        if (m.type === 'error') throw m.error;
        if (m.type === 'result') text = (m.result.content as { text: string }[])[0]?.text ?? '';
      }
      expect(taskId).to.match(/^every:/);
      expect(seen).to.include('working');
      expect(text).to.contain('x (technical)');
      expect(asked).to.deep.equal([{ taskId }]);
      // The server tells of each stage; each notice names the task as the client knows it.
      expect(new Set(notices)).to.deep.equal(new Set([taskId]));
      const { invocations } = (await d.rest('GET', '/invocations')).body;
      expect(invocations[0]).to.include({ capability_key: 'simulate-research-query', status: 'ok' });
    });

    it('list, look at, cancel, and refuse what is unknown', async () => {
      const client = await older();
      const begun = await client.request(
        { method: 'tools/call', params: { name: RESEARCH, arguments: { topic: 'y' }, task: { ttl: 60_000 } } },
        // any: the schema of a handle is not exported
        { parse: (x: unknown) => x, safeParse: (data: unknown) => ({ success: true, data }) } as never,
      );
      const { taskId } = (begun as { task: { taskId: string } }).task;
      expect(taskId).to.match(/^every:/);
      expect((await client.experimental.tasks.listTasks()).tasks.map((t) => t.taskId)).to.deep.equal([taskId]);
      expect((await client.experimental.tasks.getTask(taskId)).status).to.equal('working');
      expect(await client.experimental.tasks.cancelTask(taskId)).to.include({ taskId, status: 'cancelled' });
      for (const unknown of ['every:nothing', 'nobody:1', 'plain']) {
        const error = await client.experimental.tasks.getTask(unknown).catch((e: unknown) => e);
        expect((error as { code: number }).code, unknown).to.equal(-32602);
      }
    });
  });

  it('a task of a tool that was switched off is told no more, but can be stopped', async () => {
    const client = await older();
    const stream = client.experimental.tasks.callToolStream({ name: RESEARCH, arguments: { topic: 'z' } });
    const first = await stream.next();
    const taskId = (first.value as { task: { taskId: string } }).task.taskId;
    const toggle = (enabled: boolean): Promise<{ status: number }> =>
      d.rest('POST', `/resources/mcp_server/every/capabilities/tool/${enabled ? 'enable' : 'disable'}`, {
        capability_key: 'simulate-research-query',
      });
    expect((await toggle(false)).status).to.be.below(300);
    try {
      const error = await client.experimental.tasks.getTask(taskId).catch((e: unknown) => e);
      expect((error as { code: number }).code).to.equal(-32000);
      expect((await client.experimental.tasks.cancelTask(taskId)).status).to.equal('cancelled');
    } finally {
      await toggle(true);
    }
  });

  describe('a client without tasks', () => {
    it('of the newer era gets the result in the call, questions asked on the way', async () => {
      const result = await (await newer()).callTool({ name: RESEARCH, arguments: { topic: 'm', ambiguous: true } });
      expect(result.content).to.have.nested.property('[0].text').that.contains('m (technical)');
      expect(result._meta ?? {}).to.not.have.property(`${META}related-task`);
    });

    it('of the command line too', async () => {
      const answer = await d.rest('POST', '/gateway/call', { name: RESEARCH, arguments: { topic: 'c' } });
      expect(answer.body.content[0].text).to.contain('Research Report: c');
    });
  });

  describe('an older client and a newer server', () => {
    it('that could make a task runs it, and says so where it only can as one', async () => {
      const client = await older();
      const result = await client.callTool(
        { name: 'new__slow_compute', arguments: { label: 'l' } },
        CallToolResultSchema,
      );
      expect(result.content).to.deep.equal([{ type: 'text', text: 'computed l' }]);
      const error = await client.callTool({ name: 'new__failing_job', arguments: {} }).catch((e: unknown) => e);
      expect((error as { code: number }).code).to.equal(-32021);
      expect((error as { data: object }).data).to.have.nested.property(`requiredCapabilities.extensions`);
    });
  });

  describe('a newer client and a newer server', () => {
    it('pass on how a task goes, to who listens', async () => {
      const client = rawModern(d);
      const { result: begun } = await client.call('tools/call', {
        name: 'new__slow_compute',
        arguments: { seconds: 60 },
      });
      expect(begun).to.include({ resultType: 'task', status: 'working' });
      const { taskId } = begun;
      expect(taskId).to.match(/^new:/);
      const told = client.listen({ taskIds: [taskId, 'new:nothing'] });
      closing.push(() => told.stop());
      await until('the acknowledgement', () => told.messages.length > 0);
      expect(told.messages[0].params.notifications.taskIds).to.include(taskId);
      expect((await client.call('tasks/cancel', { taskId })).result).to.include({ resultType: 'complete' });
      await until('the notice', () => told.messages.length > 1);
      expect(told.messages[1]).to.deep.include({ method: 'notifications/tasks' });
      expect(told.messages[1].params).to.include({ taskId, status: 'cancelled' });
    });

    it('refuse who does not declare the extension', async () => {
      const client = rawModern(d, {});
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        const { error } = await client.call(method, { taskId: 'new:1' });
        expect(error.code, method).to.equal(-32021);
      }
      expect((await client.call('tools/call', { name: 'new__greet', arguments: { name: 'A' } })).result).to.include({
        resultType: 'complete',
      });
    });
  });
});

// any: raw messages
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Raw = any;

/** A client of the newer era that says everything itself. */
function rawModern(
  d: RealDaemon,
  capabilities: object = { extensions: { [TASKS]: {} } },
): {
  call(method: string, params: object): Promise<Raw>;
  listen(notifications: object): { messages: Raw[]; stop(): void };
} {
  let id = 0;
  const post = (method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<Response> => {
    const name = params['name'] ?? params['taskId'];
    return fetch(`http://127.0.0.1:${d.port}/mcp`, {
      method: 'POST',
      ...(signal && { signal }),
      headers: {
        'X-Coffer-Token': d.token,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: ++id,
        method,
        params: {
          ...params,
          _meta: {
            [`${META}protocolVersion`]: '2026-07-28',
            [`${META}clientInfo`]: { name: 'raw', version: '1' },
            [`${META}clientCapabilities`]: capabilities,
          },
        },
      }),
    });
  };
  return {
    call: async (method, params) => (await post(method, params as Record<string, unknown>)).json(),
    listen(notifications) {
      const stop = new AbortController();
      const messages: Raw[] = [];
      void (async () => {
        const res = await post('subscriptions/listen', { notifications }, stop.signal);
        let held = '';
        for await (const chunk of res.body as unknown as AsyncIterable<Uint8Array>) {
          held += Buffer.from(chunk).toString('utf8');
          const events = held.split('\n\n');
          held = events.pop() ?? '';
          for (const e of events) {
            const data = /^data: (.*)$/m.exec(e)?.[1];
            if (data !== undefined) messages.push(JSON.parse(data));
          }
        }
      })().catch(() => undefined);
      return { messages, stop: () => stop.abort() };
    },
  };
}
