import type { IncomingMessage } from 'node:http';

export interface SseEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

/** Reads server-sent events until the response ends, well or badly. */
export function readEvents(res: IncomingMessage, onEvent: (e: SseEvent) => void, onEnd: () => void): void {
  let parts: string[] = [];
  res.setEncoding('utf8');
  res.on('data', (chunk: string) => {
    parts.push(chunk);
    // joining only when an event can be complete keeps a huge event linear
    if (!/\n\r?\n|\r\r/.test(chunk) && !/^\r?\n/.test(chunk)) return;
    const blocks = parts.join('').split(/\r?\n\r?\n/);
    parts = [blocks.pop() ?? ''];
    for (const block of blocks) onEvent(parse(block));
  });
  res.on('close', onEnd);
  res.on('error', () => {});
}

function parse(block: string): SseEvent {
  const fields: Record<string, string[]> = {};
  for (const line of block.split(/\r?\n/)) {
    const at = line.indexOf(':');
    const name = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
    (fields[name] ??= []).push(value);
  }
  return { id: fields.id?.at(-1), event: fields.event?.at(-1), data: (fields.data ?? []).join('\n') };
}
