import type { IncomingMessage } from 'node:http';
import { CofferError } from '../errors.js';

/** The whole body, at most `limit` bytes. Throws PAYLOAD_TOO_LARGE as soon as that is sure, without reading on. */
export function readBody(req: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = (): CofferError =>
    new CofferError('PAYLOAD_TOO_LARGE', `The body is larger than ${Math.floor(limit / 1_048_576)} MiB.`, { limit });
  if (Number(req.headers['content-length'] ?? 0) > limit) {
    req.resume();
    return Promise.reject(tooLarge());
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let done = false;
    req.on('data', (c: Buffer) => {
      size += c.length;
      if (size > limit) {
        done = true;
        req.removeAllListeners('data').resume();
        reject(tooLarge());
      } else chunks.push(c);
    });
    req.on('end', () => {
      done = true;
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    // The close that follows says it in our own words.
    req.on('error', () => undefined);
    req.on('close', () => {
      // Every request closes in the end: an error (and its trace) is made only for one that was cut off.
      if (!done) reject(new CofferError('BAD_REQUEST', 'The request ended before its body did.'));
    });
  });
}
