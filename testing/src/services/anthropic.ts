import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import { answerTo, pause, type Answer } from './script.js';
import { eventStream, json, startService, type Body, type Service } from './service.js';

/** Stands in for the Anthropic Messages API, as far as Claude Code uses it. */
export function startAnthropic(): Promise<Service> {
  return startService(async (path, body, res) => {
    if (path === '/v1/messages/count_tokens') return json(res, 200, { input_tokens: 1 });
    if (path !== '/v1/messages')
      return json(res, 404, { type: 'error', error: { type: 'not_found_error', message: 'not here' } });
    const answer = answerTo(saidIn(body), resultIn(body));
    if (answer.status !== undefined) {
      const type =
        answer.status === 401 ? 'authentication_error' : answer.status === 429 ? 'rate_limit_error' : 'api_error';
      const message = `stand-in error ${answer.status}`;
      return json(res, answer.status, { type: 'error', error: { type, message } });
    }
    await stream(res, body, answer);
  });
}

const textsOf = (content: Body): string[] =>
  typeof content === 'string' ? [content] : content.filter((b: Body) => b.type === 'text').map((b: Body) => b.text);

/** What people said, each piece by itself: neighbours may come in one message. Claude Code adds context of its own in tags. */
function saidIn(body: Body): string[] {
  return (body.messages as Body[])
    .filter((m) => m.role === 'user')
    .flatMap((m) => textsOf(m.content))
    .map((text) => text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim())
    .filter((text) => text !== '');
}

function resultIn(body: Body): string | undefined {
  const last = (body.messages as Body[]).findLast((m) => m.role === 'user');
  const result = Array.isArray(last?.content) ? last.content.find((b: Body) => b.type === 'tool_result') : undefined;
  return result === undefined ? undefined : textsOf(result.content).join('\n');
}

function blocksOf(answer: Answer): { start: object; deltas: object[] }[] {
  const tool =
    answer.shell === undefined
      ? answer.tool
      : { name: 'Bash', input: { command: answer.shell, description: 'a test' } };
  return [
    ...(answer.thinking === undefined
      ? []
      : [
          {
            start: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              { type: 'thinking_delta', thinking: answer.thinking },
              { type: 'signature_delta', signature: 'c3RhbmQtaW4=' },
            ],
          },
        ]),
    ...(answer.text === undefined
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: (answer.text.match(/\S+\s*/g) ?? []).map((text) => ({ type: 'text_delta', text })),
          },
        ]),
    ...(tool === undefined
      ? []
      : [
          {
            start: { type: 'tool_use', id: `toolu_${randomUUID().replaceAll('-', '')}`, name: tool.name, input: {} },
            deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(tool.input) }],
          },
        ]),
  ];
}

async function stream(res: http.ServerResponse, body: Body, answer: Answer): Promise<void> {
  const send = eventStream(res);
  const message = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model: body.model, content: [] };
  send('message_start', {
    message: { ...message, stop_reason: null, stop_sequence: null, usage: { input_tokens: 11, output_tokens: 1 } },
  });
  const blocks = blocksOf(answer);
  for (const [index, { start, deltas }] of blocks.entries()) {
    send('content_block_start', { index, content_block: start });
    for (const delta of deltas) {
      if (!send('content_block_delta', { index, delta })) return;
      if (answer.delay !== undefined) await pause(answer.delay);
    }
    if (answer.cut === true) {
      // What was sent must have left, else nobody knew that it began.
      await pause(100);
      return void res.destroy();
    }
    send('content_block_stop', { index });
  }
  const stop_reason = answer.shell !== undefined || answer.tool !== undefined ? 'tool_use' : 'end_turn';
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } });
  send('message_stop', {});
  res.end();
}
