/** The parts of a zipped format, read under limits: what they say they are, and what they really are. */
import { unzipSync } from 'fflate';
import { Rejected } from './types.js';

/** Unpacked bytes of all parts together, and how many parts. */
const LIMIT = { bytes: 200 * 1_048_576, parts: 20_000 };

/** The parts whose name fits. Throws Rejected for what is no zip, is encrypted, or would be too large unpacked. */
export function partsOf(bytes: Uint8Array, wanted: (name: string) => boolean): Map<string, Uint8Array> {
  let total = 0;
  let parts = 0;
  let found: Record<string, Uint8Array>;
  if (isCfb(bytes)) throw new Rejected('encrypted', 'It is protected by a password. Save a copy without one.');
  try {
    found = unzipSync(bytes, {
      filter({ name, originalSize }) {
        total += originalSize;
        if (++parts > LIMIT.parts || total > LIMIT.bytes)
          throw new Rejected('too_large', `Unpacked it would be larger than ${LIMIT.bytes / 1_048_576} MiB.`);
        return wanted(name);
      },
    });
  } catch (e) {
    if (e instanceof Rejected) throw e;
    throw new Rejected('damaged', 'It is damaged, or is no file of this kind.');
  }
  return new Map(Object.entries(found));
}

/** Office keeps protected documents in its older container. */
function isCfb(bytes: Uint8Array): boolean {
  return bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0;
}
