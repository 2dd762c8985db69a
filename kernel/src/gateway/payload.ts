import type { Obj } from '../json.js';

/**
 * A JSON object on its way through the gateway: the bytes as they came, or a value. Each is made from the other on demand and
 * at most once, so a big result that nobody looks at is neither parsed nor rebuilt.
 * Bytes are one line: an edge that frames by lines or by SSE may write them as they are.
 */
export class Payload {
  #value: Obj | undefined;
  #chunks: readonly Uint8Array[] | undefined;

  private constructor(value: Obj | undefined, chunks: readonly Uint8Array[] | undefined) {
    this.#value = value;
    this.#chunks = chunks;
  }

  static of(value: Obj): Payload {
    return new Payload(value, undefined);
  }

  /** `chunks`: the JSON text of one object, without a raw newline, perhaps cut anywhere. */
  static raw(chunks: readonly Uint8Array[]): Payload {
    return new Payload(undefined, chunks);
  }

  /** Bytes whose value is known already: neither is made again. */
  static both(value: Obj, chunks: readonly Uint8Array[]): Payload {
    return new Payload(value, chunks);
  }

  /** The value, if it is known without parsing. */
  get known(): Obj | undefined {
    return this.#value;
  }

  get value(): Obj {
    return (this.#value ??= JSON.parse(Buffer.concat(this.#chunks ?? []).toString('utf8')) as Obj);
  }

  get chunks(): readonly Uint8Array[] {
    return (this.#chunks ??= [Buffer.from(JSON.stringify(this.#value))]);
  }

  /** Length of the JSON text in bytes. */
  get size(): number {
    return this.chunks.reduce((n, c) => n + c.length, 0);
  }

  /** Does the text hold this (ASCII) sequence? A cheap look that may say yes too often, never no wrongly within one chunk or across two. */
  mayHold(text: string): boolean {
    if (this.#chunks === undefined) return JSON.stringify(this.#value).includes(text);
    const needle = Buffer.from(text);
    let tail: Uint8Array = new Uint8Array();
    for (const c of this.#chunks) {
      const b = Buffer.from(c.buffer, c.byteOffset, c.length);
      if (b.includes(needle)) return true;
      const edge = Buffer.concat([tail, b.subarray(0, needle.length - 1)]);
      if (edge.includes(needle)) return true;
      tail = b.length >= needle.length ? b.subarray(b.length - needle.length + 1) : edge.subarray(-(needle.length - 1));
    }
    return false;
  }
}
