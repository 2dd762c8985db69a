const NEWLINE = 0x0a;
const RETURN = 0x0d;
const NOTHING = Buffer.alloc(0);

/** Takes the chunks of a byte stream; `end` gives a last line without a newline too. */
export interface Splitter {
  push(chunk: Buffer): void;
  end(): void;
}

/**
 * Cuts a byte stream into lines without their line end (LF or CRLF). It works on bytes, so a character may be cut anywhere.
 * A line over `limit` bytes is dropped as a whole: `tooLong` is called once and the bytes up to its newline are skipped.
 */
export function splitLines(limit: number, line: (bytes: Buffer) => void, tooLong: () => void): Splitter {
  let parts: Buffer[] = [];
  let size = 0;
  let skipping = false;

  const take = (part: Buffer): void => {
    if (skipping || part.length === 0) return;
    size += part.length;
    if (size <= limit) parts.push(part);
    else {
      parts = [];
      skipping = true;
      tooLong();
    }
  };
  const finish = (): void => {
    const whole = parts.length === 1 ? (parts[0] ?? NOTHING) : Buffer.concat(parts);
    const dropped = skipping;
    parts = [];
    size = 0;
    skipping = false;
    if (!dropped) line(whole.at(-1) === RETURN ? whole.subarray(0, -1) : whole);
  };

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at));
        finish();
        from = at + 1;
      }
      take(chunk.subarray(from));
    },
    end() {
      if (size > 0) finish();
    },
  };
}
