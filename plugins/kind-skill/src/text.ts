/** Bytes as text, or not. */
import { isUtf8 } from 'node:buffer';

/** Text is UTF-8 without NUL; everything else is shown as what it is, bytes. */
export function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}

/** Cuts at the end what a limit cut through. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let cut = 0; cut < 4 && cut < bytes.length; cut++) {
    const part = bytes.subarray(0, bytes.length - cut);
    if (isUtf8(part)) return part;
  }
  return bytes;
}
