/** Documents as files: the original is kept, the Markdown is what counts. One writer at a time for each base. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { CofferError, writeAtomic, type Actor, type Kernel } from '@coffer/kernel';
import type { DocumentRow } from '@coffer/retrieval';
import { ulid } from 'ulid';
import type { Base, Bases } from './bases.js';
import { extensionOf, formatOf } from './convert/formats.js';
import { convertApart } from './convert/apart.js';
import { Rejected } from './convert/types.js';
import { formatDocument, parseDocumentFile, type DocumentHead } from './document.js';
import { configOf, KIND } from './kind.js';

export interface Author {
  actor: Actor;
  agent?: string | undefined;
}

export interface DocumentInfo {
  document_id: string;
  title: string;
  source_filename: string | null;
  source_format: string | null;
  source_mode: string;
  bytes: number;
  updated_at: string;
  path: string;
}

export interface Ingested extends DocumentInfo {
  status: 'created' | 'replaced' | 'unchanged';
}

const ID = /^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$/;
const NAME_CHARS = 255;

export class Documents {
  constructor(
    private readonly kernel: Kernel,
    private readonly bases: Bases,
  ) {}

  /** Throws INGEST_REJECTED, DOCUMENT_EXISTS. */
  async ingest(
    name: string,
    file: { filename: string; bytes: Uint8Array; replace?: boolean },
    author: Author,
  ): Promise<Ingested> {
    const base = this.bases.get(name);
    const filename = path.basename(file.filename.replaceAll('\\', '/')).replaceAll('\0', '').slice(-NAME_CHARS);
    if (filename === '') throw rejected('unsupported_type', 'The file has no name.', filename);
    const { max_document_bytes: most } = configOf(base.resource);
    if (file.bytes.length > most)
      throw rejected(
        'too_large',
        `It has ${file.bytes.length} bytes; this knowledge base takes files up to ${most}.`,
        filename,
      );
    const sha256 = createHash('sha256').update(file.bytes).digest('hex');
    return base.files.exclusive(async () => {
      const before = (await base.files.documents()).find((d) => d.meta.source_filename === filename);
      if (before?.meta.source_sha256 === sha256) return { ...info(base, before), status: 'unchanged' };
      if (before !== undefined && file.replace !== true)
        throw new CofferError(
          'DOCUMENT_EXISTS',
          `${filename} is there already, with other bytes. To put the new ones in its place, replace it (--replace).`,
          {
            document_id: idOf(before.path),
          },
        );
      const { markdown, title } = await attempt(filename, () => convertApart(file.bytes, filename));
      const id = before === undefined ? ulid() : idOf(before.path);
      mkdirSync(base.docs, { recursive: true, mode: 0o700 });
      mkdirSync(base.raw, { recursive: true, mode: 0o700 });
      const extension = extensionOf(filename)
        .replace(/[^a-z0-9]/g, '')
        .slice(0, 16);
      for (const old of originals(base, id))
        if (old !== `${id}.${extension}`) rmSync(path.join(base.raw, old), { force: true });
      writeAtomic(path.join(base.raw, `${id}.${extension}`), file.bytes);
      const head: DocumentHead = {
        title: title ?? filename.replace(/\.[^.]+$/, ''),
        source_filename: filename,
        source_format: formatOf(filename) ?? extension,
        source_sha256: sha256,
        source_mode: 'converted',
        ingested_at: new Date(this.kernel.clock.now()).toISOString(),
        converted_sha256: bodyHash(markdown),
      };
      writeAtomic(path.join(base.docs, `${id}.md`), formatDocument(head, markdown));
      this.#audit(before === undefined ? 'kb_document_ingested' : 'kb_document_updated', base, author, {
        document_id: id,
      });
      return { ...(await this.#info(base, id)), status: before === undefined ? 'created' : 'replaced' };
    });
  }

  async list(name: string, q = ''): Promise<DocumentInfo[]> {
    const base = this.bases.get(name);
    const wanted = q.trim().toLowerCase();
    return (await base.files.documents())
      .map((d) => info(base, d))
      .filter((d) => `${d.title}\n${d.source_filename ?? ''}`.toLowerCase().includes(wanted));
  }

  async read(name: string, id: string): Promise<DocumentInfo & { markdown: string }> {
    const base = this.bases.get(name);
    const file = fileOf(base, id);
    const { body } = parseDocumentFile(readFileSync(file, 'utf8'));
    return { ...(await this.#info(base, id)), markdown: body.trimEnd() };
  }

  /** The text becomes the person's or the agent's; a later conversion does not go over it. */
  async edit(name: string, id: string, markdown: string, author: Author): Promise<DocumentInfo> {
    const base = this.bases.get(name);
    if (markdown.trim() === '') throw rejected('empty', 'There is no text in it. To remove a document, delete it.', id);
    return base.files.exclusive(async () => {
      const file = fileOf(base, id);
      const { head } = parseDocumentFile(readFileSync(file, 'utf8'));
      writeAtomic(file, formatDocument({ ...complete(head, id), source_mode: 'edited' }, markdown));
      this.#audit('kb_document_updated', base, author, { document_id: id });
      return this.#info(base, id);
    });
  }

  /** From the original, anew. Throws RECONVERSION_BLOCKED when the Markdown was edited since. */
  async reconvert(name: string, id: string, author: Author): Promise<DocumentInfo> {
    const base = this.bases.get(name);
    return base.files.exclusive(async () => {
      const file = fileOf(base, id);
      const { head, body } = parseDocumentFile(readFileSync(file, 'utf8'));
      const [original] = originals(base, id);
      if (original === undefined || head.source_filename === undefined)
        throw new CofferError('RECONVERSION_BLOCKED', 'There is no original of this document to convert.');
      if (
        head.source_mode === 'edited' ||
        (head.converted_sha256 !== undefined && bodyHash(body) !== head.converted_sha256)
      )
        throw new CofferError(
          'RECONVERSION_BLOCKED',
          'The document was edited since it was converted; converting anew would lose that.',
        );
      const bytes = readFileSync(path.join(base.raw, original));
      const { markdown, title } = await attempt(head.source_filename, () =>
        convertApart(bytes, head.source_filename ?? ''),
      );
      const known = complete(head, id);
      writeAtomic(
        file,
        formatDocument({ ...known, title: title ?? known.title, converted_sha256: bodyHash(markdown) }, markdown),
      );
      this.#audit('kb_document_updated', base, author, { document_id: id, reconverted: true });
      return this.#info(base, id);
    });
  }

  /** What the original becomes when it is converted now; nothing is written. */
  async converted(name: string, id: string): Promise<{ markdown: string }> {
    const base = this.bases.get(name);
    const { head } = parseDocumentFile(readFileSync(fileOf(base, id), 'utf8'));
    const [original] = originals(base, id);
    const { source_filename: filename } = head;
    if (original === undefined || filename === undefined) throw notFound();
    const bytes = readFileSync(path.join(base.raw, original));
    const { markdown } = await attempt(filename, () => convertApart(bytes, filename));
    return { markdown };
  }

  async remove(name: string, id: string, author: Author): Promise<void> {
    const base = this.bases.get(name);
    await base.files.exclusive(async () => {
      rmSync(fileOf(base, id));
      for (const old of originals(base, id)) rmSync(path.join(base.raw, old), { force: true });
      this.#audit('kb_document_deleted', base, author, { document_id: id });
      await base.files.sync();
    });
  }

  // ---- inside

  async #info(base: Base, id: string): Promise<DocumentInfo> {
    const row = (await base.files.documents()).find((d) => d.path === `${id}.md`);
    if (row === undefined) throw notFound();
    return info(base, row);
  }

  #audit(event_type: string, base: Base, { actor, agent }: Author, details: object): void {
    this.kernel.audit.write({
      event_type,
      resource_kind: KIND,
      resource_name: base.resource.name,
      actor,
      details: { ...details, ...(agent !== undefined && { agent }) },
    });
    this.kernel.emit({ type: 'knowledge', base: base.resource.name, event: event_type, ...details });
  }
}

function info(base: Base, row: DocumentRow): DocumentInfo {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    document_id: idOf(row.path),
    title: row.title,
    source_filename: text(row.meta.source_filename),
    source_format: text(row.meta.source_format),
    source_mode: text(row.meta.source_mode) ?? 'edited',
    bytes: row.bytes,
    updated_at: new Date(row.modified).toISOString(),
    path: path.join(base.docs, row.path),
  };
}

function idOf(at: string): string {
  return at.replace(/\.md$/, '');
}

/** The file of a document. Throws DOCUMENT_NOT_FOUND, also for an id that would lead elsewhere. */
function fileOf(base: Base, id: string): string {
  const file = path.join(base.docs, `${id}.md`);
  if (!ID.test(id) || !statSync(file, { throwIfNoEntry: false })?.isFile()) throw notFound();
  return file;
}

function originals(base: Base, id: string): string[] {
  try {
    return readdirSync(base.raw).filter((n) => n.startsWith(`${id}.`));
  } catch {
    return [];
  }
}

function complete(head: Partial<DocumentHead>, id: string): DocumentHead {
  return {
    title: head.title ?? id,
    source_filename: head.source_filename ?? `${id}.md`,
    source_format: head.source_format ?? 'markdown',
    source_sha256: head.source_sha256 ?? '',
    source_mode: head.source_mode ?? 'edited',
    ingested_at: head.ingested_at ?? '',
    ...(head.converted_sha256 !== undefined && { converted_sha256: head.converted_sha256 }),
  };
}

function bodyHash(body: string): string {
  return createHash('sha256').update(body.trim()).digest('hex').slice(0, 16);
}

async function attempt<T>(filename: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (e) {
    if (e instanceof Rejected) throw rejected(e.reason, e.message, filename);
    throw e;
  }
}

function rejected(reason: string, message: string, filename: string): CofferError {
  return new CofferError('INGEST_REJECTED', `${filename === '' ? '' : `${filename}: `}${message}`, { reason });
}

function notFound(): CofferError {
  return new CofferError(
    'DOCUMENT_NOT_FOUND',
    'There is no such document in this knowledge base. See: coffer kb docs NAME',
  );
}
