import { DOMParser } from 'linkedom';
import { toMarkdown } from './html.js';
import { Rejected, type Converted } from './types.js';
import { partsOf } from './zipped.js';

/** The chapters of a book in the order of its spine. */
export function epub(bytes: Uint8Array): Converted {
  const parts = partsOf(bytes, (name) => /\.(x?html?|opf|xml)$/i.test(name) && !name.includes('..'));
  const text = (name: string): string | undefined => {
    const part = parts.get(name);
    return part === undefined ? undefined : new TextDecoder().decode(part);
  };
  const xml = (source: string): ReturnType<DOMParser['parseFromString']> =>
    new DOMParser().parseFromString(source, 'text/xml');
  const container = text('META-INF/container.xml');
  const opf = container === undefined ? undefined : /full-path="([^"]+)"/.exec(container)?.[1];
  const manifest = opf === undefined ? undefined : text(opf);
  if (opf === undefined || manifest === undefined) throw new Rejected('damaged', 'It is damaged, or is no EPUB book.');
  if (parts.has('META-INF/encryption.xml')) throw new Rejected('encrypted', 'It is protected against copying.');
  const folder = opf.includes('/') ? opf.slice(0, opf.lastIndexOf('/') + 1) : '';
  const document = xml(manifest);
  const items = new Map(
    [...document.getElementsByTagName('item')].map((i) => [i.getAttribute('id'), i.getAttribute('href')]),
  );
  const chapters = [...document.getElementsByTagName('itemref')].flatMap((ref) => {
    const href = items.get(ref.getAttribute('idref'));
    const source = href === undefined || href === null ? undefined : text(folder + decodeURIComponent(href));
    const body = source === undefined ? undefined : /<body[^>]*>([\s\S]*)<\/body>/i.exec(source)?.[1];
    const markdown = body === undefined ? '' : toMarkdown(body).trim();
    return markdown === '' ? [] : [markdown];
  });
  return { markdown: chapters.join('\n\n'), title: document.getElementsByTagName('dc:title')[0]?.textContent?.trim() };
}
