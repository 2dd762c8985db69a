import { gfm } from '@joplin/turndown-plugin-gfm';
import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { decode } from './text.js';
import type { Converted } from './types.js';

/** A page as Markdown: what is to be read of it, where that can be told from the rest. */
export function html(bytes: Uint8Array): Converted {
  const source = decode(bytes);
  const page = (): ReturnType<typeof parseHTML>['document'] =>
    parseHTML(/<html[\s>]/i.test(source) ? source : `<html><body>${source}</body></html>`).document;
  const document = page();
  document
    .querySelectorAll('script,style,noscript,template,iframe,svg')
    .forEach((gone: { remove(): void }) => gone.remove());
  const title = document.querySelector('title')?.textContent?.trim();
  // linkedom's document is one in all that Readability uses, though not by its type. It takes the document apart: a second one.
  const article = isProbablyReaderable(document) ? new Readability(page()).parse() : null;
  const content = article?.content ?? document.body?.innerHTML ?? '';
  return { markdown: toMarkdown(content), title: title === '' ? undefined : (title ?? article?.title ?? undefined) };
}

/** HTML of any origin as Markdown: tables stay tables, images are named and not kept. */
export function toMarkdown(content: string): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '_',
  });
  service.use(gfm);
  service.addRule('images', {
    filter: 'img',
    replacement: (_, node) =>
      'alt' in node && typeof node.alt === 'string' && node.alt !== '' ? `[image: ${node.alt}]` : '',
  });
  return service.turndown(content).replace(/\n{3,}/g, '\n\n');
}
