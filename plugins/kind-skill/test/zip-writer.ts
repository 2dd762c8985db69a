/** Zips as the format allows them and as nobody should make them: every field can be said. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  data?: Buffer | string;
  /** Unix mode with the kind of file in it. */
  mode?: number;
  encrypted?: boolean;
  /** What the headers say instead of the truth. */
  claims?: { size?: number; crc?: number };
}

export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, data = '', mode = 0o100644, encrypted = false, claims = {} } of entries) {
    const raw = Buffer.from(data);
    const packed = deflateRawSync(raw);
    const title = Buffer.from(name);
    const fields = Buffer.alloc(22);
    fields.writeUInt16LE((encrypted ? 1 : 0) | 0x800, 0);
    fields.writeUInt16LE(8, 2);
    fields.writeUInt32LE(0, 4);
    fields.writeUInt32LE(claims.crc ?? crc32(raw), 8);
    fields.writeUInt32LE(packed.length, 12);
    fields.writeUInt32LE(claims.size ?? raw.length, 16);
    fields.writeUInt16LE(title.length, 20);
    const local = Buffer.concat([Buffer.from('504b03041400', 'hex'), fields, Buffer.alloc(2), title, packed]);
    const tail = Buffer.alloc(16);
    tail.writeUInt32LE((mode << 16) >>> 0, 8);
    tail.writeUInt32LE(at, 12);
    // extra length, comment length, disk, internal attributes; then external attributes and the offset
    central.push(Buffer.concat([Buffer.from('504b010214031400', 'hex'), fields, tail, title]));
    parts.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}
