const NEWLINE = 10;

/**
 * Cuts a byte stream into lines without turning it into text or joining it: a line is handed on as the chunks it came in, an empty one as none.
 * @param limit bytes a line may have; above it `tooLong` is called once and the rest of the stream is ignored.
 */
export function lineSplitter(
  limit: number,
  line: (chunks: Buffer[]) => void,
  tooLong: () => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  let over = false;
  return (chunk) => {
    if (over) return;
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      if (size + at - from > limit) break;
      if (at > from) parts.push(chunk.subarray(from, at));
      const whole = parts;
      parts = [];
      size = 0;
      from = at + 1;
      line(whole);
    }
    if (from === chunk.length) return;
    size += chunk.length - from;
    parts.push(from === 0 ? chunk : chunk.subarray(from));
    if (size > limit) {
      over = true;
      parts = [];
      tooLong();
    }
  };
}
