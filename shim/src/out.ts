import type { Readable } from 'node:stream';

const NEWLINE = Buffer.from('\n');
const SMALL = 64 * 1024;
const CLOG = 1024 * 1024;

/** stdout: whole messages only, each on one line. */
export interface Out {
  write(message: Buffer): void;
  /** Lets a response stream be paused while the client does not read. */
  attach(source: Readable): void;
  /** Resolves when all is written, or stdout is gone. */
  flushed(): Promise<void>;
  readonly closed: boolean;
}

/** `gone` is called once when the client has closed its end. */
export function openOut(gone: () => void): Out {
  const stream = process.stdout;
  const sources = new Set<Readable>();
  let clogged = false;
  let closed = false;

  stream.on('error', () => {
    if (closed) return;
    closed = true;
    release();
    gone();
  });
  stream.on('drain', release);
  function release(): void {
    clogged = false;
    for (const source of sources) source.resume();
  }

  return {
    write(message) {
      if (closed) return;
      const line = oneLine(message);
      if (line.length <= SMALL) stream.write(Buffer.concat([line, NEWLINE]));
      else {
        stream.cork();
        stream.write(line);
        stream.write(NEWLINE);
        stream.uncork();
      }
      if (clogged || stream.writableLength < CLOG) return;
      clogged = true;
      for (const source of sources) source.pause();
    },
    attach(source) {
      sources.add(source);
      source.once('close', () => sources.delete(source));
      if (clogged) source.pause();
    },
    flushed: () =>
      closed || stream.writableLength === 0 ? Promise.resolve() : new Promise((done) => stream.write('', () => done())),
    get closed() {
      return closed;
    },
  };
}

/** A raw line break in JSON can only stand between tokens, so a space may take its place. */
function oneLine(message: Buffer): Buffer {
  if (!message.includes(0x0a) && !message.includes(0x0d)) return message;
  return Buffer.from(message.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)));
}
