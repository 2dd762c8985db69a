import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import { answerTo, pause, type Answer } from './script.js';
import { eventStream, json, startService, type Body, type Service } from './service.js';

/** Stands in for the OpenAI Responses API, as far as codex uses it. */
export function startOpenAi(): Promise<Service> {
  return startService(async (path, body, res) => {
    if (path !== '/v1/responses') return json(res, 404, { error: { message: 'not here' } });
    const answer = answerTo(saidIn(body), resultIn(body));
    if (answer.status !== undefined)
      return json(res, answer.status, { error: { message: `stand-in error ${answer.status}`, type: 'server_error' } });
    await stream(res, body, answer);
  });
}

/** What people said, each piece by itself: neighbours may come in one message. Codex adds context of its own in tags. */
function saidIn(body: Body): string[] {
  return (body.input as Body[])
    .filter((i) => i.role === 'user')
    .flatMap((i) => (typeof i.content === 'string' ? [i.content] : i.content.map((c: Body) => c.text ?? '')))
    .filter((text: string) => !/^\s*(<|# AGENTS)/.test(text));
}

function resultIn(body: Body): string | undefined {
  const last = (body.input as Body[]).at(-1);
  if (!/_output$/.test(String(last?.type))) return undefined;
  return typeof last.output === 'string' ? last.output : JSON.stringify(last.output);
}

function callOf(answer: Answer, body: Body): object | undefined {
  const names = (body.tools as Body[]).map((t) => t.name ?? t.type);
  const call = (name: string, input: object, more: object = {}): object => ({
    type: 'function_call',
    id: `fc_${randomUUID()}`,
    call_id: `call_${randomUUID()}`,
    name,
    arguments: JSON.stringify(input),
    status: 'completed',
    ...more,
  });
  if (answer.shell !== undefined)
    return names.includes('exec_command')
      ? call('exec_command', { cmd: answer.shell })
      : call('shell_command', { command: answer.shell });
  if (answer.tool === undefined) return undefined;
  // MCP tools are offered in a namespace for each server: namespace/tool.
  const [name = '', namespace] = answer.tool.name.split('/').reverse();
  return call(name, answer.tool.input, namespace === undefined ? {} : { namespace });
}

async function stream(res: http.ServerResponse, body: Body, answer: Answer): Promise<void> {
  const send = eventStream(res);
  const response = {
    id: `resp_${randomUUID()}`,
    object: 'response',
    model: body.model,
    output: [],
    status: 'in_progress',
  };
  send('response.created', { response });
  const output: object[] = [];
  const item = (value: object): void => {
    send('response.output_item.done', { output_index: output.length, item: value });
    output.push(value);
  };
  if (answer.thinking !== undefined) {
    const id = `rs_${randomUUID()}`;
    const part = { type: 'summary_text', text: answer.thinking };
    send('response.output_item.added', { output_index: 0, item: { type: 'reasoning', id, summary: [] } });
    send('response.reasoning_summary_part.added', { item_id: id, summary_index: 0, part: { ...part, text: '' } });
    send('response.reasoning_summary_text.delta', { item_id: id, summary_index: 0, delta: answer.thinking });
    item({ type: 'reasoning', id, summary: [part], encrypted_content: null });
  }
  if (answer.text !== undefined) {
    const message = { type: 'message', id: `msg_${randomUUID()}`, role: 'assistant' };
    send('response.output_item.added', {
      output_index: output.length,
      item: { ...message, status: 'in_progress', content: [] },
    });
    for (const delta of answer.text.match(/\S+\s*/g) ?? []) {
      if (
        !send('response.output_text.delta', {
          item_id: message.id,
          output_index: output.length,
          content_index: 0,
          delta,
        })
      )
        return;
      if (answer.delay !== undefined) await pause(answer.delay);
    }
    if (answer.cut === true) {
      // What was sent must have left, else nobody knew that it began.
      await pause(100);
      return void res.destroy();
    }
    item({ ...message, status: 'completed', content: [{ type: 'output_text', text: answer.text, annotations: [] }] });
  }
  const call = callOf(answer, body);
  if (call !== undefined) item(call);
  const usage = {
    input_tokens: 11,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 18,
  };
  send('response.completed', { response: { ...response, status: 'completed', output, usage } });
  res.end();
}
