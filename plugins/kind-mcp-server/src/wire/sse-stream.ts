import { cut, edge, withoutReturn } from './bytes.js';
import { lineSplitter } from './lines.js';
import { text } from './message.js';

export interface SseEvent {
  type: string;
  /** Last id seen on the stream, if any. */
  id: string | undefined;
  data: Buffer[];
}

const COLON = 0x3a;
const BLANK = 0x20;
const BETWEEN = Buffer.from(' ');

/**
 * Reads server-sent events as bytes: a big result is neither joined nor turned into text. Lines of one event are joined by a
 * blank, since the data is JSON or one line.
 */
export function sseReader(
  limit: number,
  event: (e: SseEvent) => void,
  retry: (ms: number) => void,
  tooLong: () => void,
): (chunk: Buffer) => void {
  let data: Buffer[] | undefined;
  let type = '';
  let id: string | undefined;
  let size = 0;
  return lineSplitter(
    limit,
    (chunks) => {
      const line = withoutReturn(chunks);
      if (line.length === 0 || (line.length === 1 && line[0]?.length === 0)) {
        if (data !== undefined) event({ type: type || 'message', id, data });
        data = undefined;
        type = '';
        size = 0;
        return;
      }
      const head = edge(line, 8, false) as Buffer; // the line is not empty
      const colon = head.indexOf(COLON);
      if (colon <= 0) return;
      const name = head.toString('latin1', 0, colon);
      const value = cut(line, colon + (head[colon + 1] === BLANK ? 2 : 1), 0);
      if (name === 'data') {
        for (const c of value) size += c.length;
        if (size > limit) return tooLong();
        if (data === undefined) data = value;
        else data.push(BETWEEN, ...value);
      } else if (name === 'event') type = value.length > 0 ? text(value) : '';
      else if (name === 'id') id = value.length > 0 ? text(value) : '';
      else if (name === 'retry' && value.length > 0) {
        const ms = Number(text(value));
        if (Number.isFinite(ms)) retry(ms);
      }
    },
    tooLong,
  );
}
