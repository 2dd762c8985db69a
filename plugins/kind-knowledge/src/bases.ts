/** The knowledge bases that are registered, each with its folders and its index. */
import path from 'node:path';
import { CofferError, type Kernel, type Resource } from '@coffer/kernel';
import type { Retrieval, Store } from '@coffer/retrieval';
import { parseDocumentFile } from './document.js';
import { configOf, KIND } from './kind.js';

export interface Base {
  readonly resource: Resource;
  readonly folder: string;
  /** The Markdown, and the originals beside it. */
  readonly docs: string;
  readonly raw: string;
  readonly files: Store;
}

export class Bases {
  readonly #open = new Map<string, Base>();

  constructor(
    private readonly kernel: Kernel,
    private readonly retrieval: Retrieval,
  ) {}

  /** Throws RESOURCE_NOT_FOUND. */
  get(name: string): Base {
    const resource = this.kernel.resources.get(KIND, name);
    if (!resource.enabled)
      throw new CofferError(
        'RESOURCE_NOT_FOUND',
        `The knowledge base ${name} is disabled. Enable it with: coffer resource enable ${resource.ref}`,
      );
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const folder = path.join(this.kernel.paths.home, 'knowledge', name);
    const docs = path.join(folder, 'docs');
    const { chunk_size: size, chunk_overlap: overlap } = configOf(resource);
    const files = this.retrieval.store({
      id: `knowledge/${name}`,
      folder: docs,
      chunks: { size, overlap: Math.min(overlap, Math.floor(size / 2)) },
      read(text, at) {
        const { head, body, line } = parseDocumentFile(text);
        const title =
          typeof head.title === 'string' ? head.title : (/^#\s+(.+)$/m.exec(body)?.[1] ?? path.basename(at, '.md'));
        const { source_filename, source_format, source_sha256, source_mode, ingested_at } = head;
        return { title, body, line, meta: { source_filename, source_format, source_sha256, source_mode, ingested_at } };
      },
    });
    const base = { resource, folder, docs, raw: path.join(folder, 'raw'), files };
    this.#open.set(name, base);
    return base;
  }

  all(): Base[] {
    return this.kernel.resources
      .list(KIND)
      .filter((r) => r.enabled)
      .map((r) => this.get(r.name));
  }

  /** Its config has changed: documents may be cut otherwise. */
  reopen(name: string): void {
    this.#open.delete(name);
  }

  forget(name: string): void {
    this.#open.delete(name);
    this.retrieval.forget(`knowledge/${name}`);
  }
}
