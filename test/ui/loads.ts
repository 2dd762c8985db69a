/** What a page fetches. */
import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';

export interface Heard {
  /** What was answered since the last time. */
  take(): Response[];
  end(): void;
}

/** Notes every answer that a page gets. */
export function listen(page: Page): Heard {
  const seen: Response[] = [];
  const hear = (r: Response): void => void seen.push(r);
  page.on('response', hear);
  return { take: () => seen.splice(0), end: () => void page.off('response', hear) };
}

export const pathOf = (r: Response): string => new URL(r.url()).pathname;

/** Bytes, gzipped, of the files whose path ends so; asked for anew, since one that the browser had kept has no body. */
export async function packed(responses: readonly Response[], ending: string): Promise<number> {
  const files = new Set(responses.filter((r) => pathOf(r).endsWith(ending)).map((r) => r.url()));
  let bytes = 0;
  for (const url of files) {
    const body = await (await fetch(url)).arrayBuffer();
    bytes += gzipSync(Buffer.from(body), { level: 9 }).length;
  }
  return bytes;
}
