import { splitLines } from './lines.js';

const SPACE = 0x20;
const JOINT = Buffer.from('\n');

/**
 * Reads server-sent events from bytes and gives the data of each. Comments and the other fields are skipped; an event that
 * the stream's end cuts off is dropped, as the specification of SSE says.
 */
export function readEvents(event: (data: Buffer) => void): (chunk: Buffer) => void {
  let data: Buffer[] = [];
  const lines = splitLines(
    Infinity,
    (line) => {
      if (line.length === 0) {
        if (data.length === 0) return;
        const whole =
          data.length === 1 && data[0]
            ? data[0]
            : Buffer.concat(data.flatMap((part, i) => (i ? [JOINT, part] : [part])));
        data = [];
        event(whole);
      } else if (line.subarray(0, 5).toString('latin1') === 'data:') {
        data.push(line.subarray(line[5] === SPACE ? 6 : 5));
      }
    },
    () => undefined,
  );
  return (chunk) => lines.push(chunk);
}
