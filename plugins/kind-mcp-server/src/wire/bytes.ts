/** Looking at bytes that come in pieces, without joining them. */

/** Up to `n` bytes from one end; a view where one chunk holds them all. */
export function edge(chunks: readonly Buffer[], n: number, last: boolean): Buffer | undefined {
  const outer = last ? chunks[chunks.length - 1] : chunks[0];
  if (outer === undefined) return undefined;
  if (outer.length >= n || chunks.length === 1) return last ? outer.subarray(-n) : outer.subarray(0, n);
  const parts: Buffer[] = [];
  let size = 0;
  for (let i = 0; i < chunks.length && size < n; i++) {
    const c = chunks[last ? chunks.length - 1 - i : i] as Buffer; // within bounds by the loop
    parts.push(c);
    size += c.length;
  }
  const all = Buffer.concat(last ? parts.reverse() : parts);
  return last ? all.subarray(-n) : all.subarray(0, n);
}

/** The chunks without `front` bytes at the start and `back` bytes at the end. */
export function cut(chunks: readonly Buffer[], front: number, back: number): Buffer[] {
  const first = chunks[0];
  if (first !== undefined && chunks.length === 1) return [first.subarray(front, first.length - back)];
  const out = [...chunks];
  for (let n = front; n > 0 && out[0] !== undefined;) {
    const c = out[0];
    if (c.length > n) {
      out[0] = c.subarray(n);
      break;
    }
    n -= c.length;
    out.shift();
  }
  for (let n = back; n > 0 && out.length > 0;) {
    const c = out[out.length - 1] as Buffer; // not empty
    if (c.length > n) {
      out[out.length - 1] = c.subarray(0, c.length - n);
      break;
    }
    n -= c.length;
    out.pop();
  }
  return out;
}

/** The same text without raw line breaks. In JSON they can only be white space, so blanks say the same. */
export function oneLine(chunks: readonly Buffer[]): readonly Buffer[] {
  if (!chunks.some(breaks)) return chunks;
  return chunks.map((c) => {
    if (!breaks(c)) return c;
    const copy = Buffer.from(c);
    for (let i = 0; i < copy.length; i++) if (copy[i] === 10 || copy[i] === 13) copy[i] = 32;
    return copy;
  });
}

function breaks(c: Buffer): boolean {
  return c.indexOf(10) >= 0 || c.indexOf(13) >= 0;
}

/** A line without the carriage return some systems end it with. */
export function withoutReturn(chunks: Buffer[]): Buffer[] {
  const last = chunks[chunks.length - 1];
  return last !== undefined && last[last.length - 1] === 13 ? cut(chunks, 0, 1) : chunks;
}
