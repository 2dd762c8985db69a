/** A zip or .skill archive. It is read whole before the first file is made: one entry that should not be there refuses all of it. */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { CofferError } from '@coffer/kernel';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { LIMITS } from '../config.js';
import { JUNK } from '../scan.js';
import { skillFolders } from './find.js';
import type { Unpacked } from './stages.js';

const KIND_OF_FILE = 0o170000;
const LINK = 0o120000;

/** Its skills, unpacked into the stage. `name` is how people know the archive. */
export async function fromZip(bytes: Buffer, name: string, dir: string): Promise<Unpacked> {
  const zip = await open(bytes);
  const entries = await list(zip);
  await unpack(zip, entries, dir);
  const folders = skillFolders(entries.map((e) => e.fileName));
  return {
    candidates: folders.map((folder) => ({ folder, at: path.join(dir, folder) })),
    label: name,
    sourceOf: (folder) => ({ type: 'zip', archive: name, folder }),
  };
}

function open(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) =>
    yauzl.fromBuffer(bytes, { lazyEntries: true, strictFileNames: false, validateEntrySizes: true }, (e, zip) =>
      e ? reject(refused(`cannot be read: ${e.message}`)) : resolve(zip),
    ),
  );
}

function list(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > LIMITS.files) throw refused(`has more than ${LIMITS.files} entries`);
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    let declared = 0;
    zip.on('error', (e: Error) => reject(refused(`cannot be read: ${e.message}`)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (e: Entry) => {
      const wrong = faultOf(e);
      declared += e.uncompressedSize;
      if (wrong !== undefined) return reject(refused(wrong));
      if (declared > LIMITS.bytes) return reject(refused(`unpacks to more than ${LIMITS.bytes / 1_048_576} MB`));
      if (!e.fileName.split('/').some((part) => JUNK.has(part))) entries.push(e);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

function faultOf(e: Entry): string | undefined {
  const name = JSON.stringify(e.fileName.slice(0, 200));
  const parts = e.fileName.split('/');
  if (e.fileName === '' || e.fileName.includes('\0')) return 'has an entry without a usable name';
  if (e.fileName.startsWith('/') || /^[A-Za-z]:/.test(e.fileName) || e.fileName.includes('\\'))
    return `has an entry with an absolute or foreign path: ${name}`;
  if (parts.includes('..') || parts.includes('.')) return `has an entry that leads out of it: ${name}`;
  if (((e.externalFileAttributes >>> 16) & KIND_OF_FILE) === LINK) return `has a link in it: ${name}`;
  if (e.isEncrypted()) return `is encrypted: ${name}`;
  return undefined;
}

async function unpack(zip: ZipFile, entries: readonly Entry[], dir: string): Promise<void> {
  let unpacked = 0;
  for (const e of entries) {
    const target = path.join(dir, ...e.fileName.split('/'));
    try {
      if (e.fileName.endsWith('/')) {
        await mkdir(target, { recursive: true, mode: 0o755 });
        continue;
      }
      await mkdir(path.dirname(target), { recursive: true, mode: 0o755 });
      // What an archive declares is a claim; what comes out of it is counted.
      let crc = 0;
      const counted = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          unpacked += chunk.length;
          crc = crc32(chunk, crc);
          done(unpacked > LIMITS.bytes ? refused(`unpacks to more than ${LIMITS.bytes / 1_048_576} MB`) : null, chunk);
        },
        flush: (done) => done(crc === e.crc32 ? null : new Error('its checksum is wrong')),
      });
      const executable = ((e.externalFileAttributes >>> 16) & 0o100) !== 0;
      await pipeline(
        await stream(zip, e),
        counted,
        createWriteStream(target, { flags: 'wx', mode: executable ? 0o755 : 0o644 }),
      );
    } catch (error) {
      if (error instanceof CofferError) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      const name = JSON.stringify(e.fileName.slice(0, 200));
      throw refused(
        code === 'EEXIST' || code === 'EISDIR' || code === 'ENOTDIR'
          ? `has two entries for one place: ${name}`
          : `has a damaged entry: ${name} (${code ?? message})`,
      );
    }
  }
}

function stream(zip: ZipFile, e: Entry): Promise<Readable> {
  return new Promise((resolve, reject) =>
    zip.openReadStream(e, (error, readable) => (error ? reject(error) : resolve(readable))),
  );
}

function refused(why: string): CofferError {
  return new CofferError('SKILL_SOURCE_REFUSED', `The archive ${why}. Nothing of it was taken.`);
}
