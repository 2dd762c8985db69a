/** Fernet (version 0x80: AES-128-CBC, HMAC-SHA256), after the public specification; its vectors are in the tests. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 random bytes, url-safe base64 with padding. */
export function newKey(): string {
  return encode(randomBytes(32));
}

export interface Fernet {
  encrypt(text: string): string;
  /** Throws FernetError. `ttl` in seconds. */
  decrypt(token: string, options?: { ttl?: number; now?: number }): string;
}

export class FernetError extends Error {}

/** How far a token's time may lie ahead, in seconds (specification). */
const MAX_SKEW = 60;

/** Throws FernetError when the key is not one. `fixed` exists for the specification's vectors. */
export function fernet(key: string, fixed?: { time: number; iv: Buffer }): Fernet {
  const raw = decode(key);
  if (raw.length !== 32) throw new FernetError('a Fernet key is 32 bytes in url-safe base64');
  const signing = raw.subarray(0, 16);
  const encryption = raw.subarray(16);
  const mac = (body: Buffer): Buffer => createHmac('sha256', signing).update(body).digest();
  return {
    encrypt(text) {
      const iv = fixed?.iv ?? randomBytes(16);
      const head = Buffer.alloc(9);
      head[0] = 0x80;
      head.writeBigUInt64BE(BigInt(fixed?.time ?? Math.floor(Date.now() / 1000)), 1);
      const cipher = createCipheriv('aes-128-cbc', encryption, iv);
      const body = Buffer.concat([head, iv, cipher.update(text, 'utf8'), cipher.final()]);
      return encode(Buffer.concat([body, mac(body)]));
    },
    decrypt(token, { ttl, now = Math.floor(Date.now() / 1000) } = {}) {
      const bytes = decode(token);
      if (bytes.length < 73 || bytes[0] !== 0x80) throw new FernetError('not a Fernet token');
      const body = bytes.subarray(0, -32);
      if (!timingSafeEqual(bytes.subarray(-32), mac(body))) throw new FernetError('bad signature');
      const time = Number(body.readBigUInt64BE(1));
      if (ttl !== undefined && now > time + ttl) throw new FernetError('expired');
      if (ttl !== undefined && time > now + MAX_SKEW) throw new FernetError('from the future');
      if ((body.length - 25) % 16 !== 0) throw new FernetError('bad length');
      const decipher = createDecipheriv('aes-128-cbc', encryption, body.subarray(9, 25));
      try {
        return Buffer.concat([decipher.update(body.subarray(25)), decipher.final()]).toString('utf8');
      } catch {
        throw new FernetError('bad padding');
      }
    },
  };
}

function encode(b: Buffer): string {
  return b.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

function decode(text: string): Buffer {
  if (!/^[A-Za-z0-9_-]+={0,2}$/.test(text) || text.length % 4 !== 0) throw new FernetError('not url-safe base64');
  return Buffer.from(text, 'base64url');
}
