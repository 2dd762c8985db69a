import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import { Rejected, type Converted } from './types.js';

/** The text of each page. A page that is a picture has none; a document of such pages is refused. */
export async function pdf(bytes: Uint8Array): Promise<Converted> {
  // A Buffer is refused by the library, and its memory would be taken over.
  let document: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  } catch (e) {
    if (e instanceof Error && e.name === 'PasswordException')
      throw new Rejected('encrypted', 'It is protected by a password. Save a copy without one.');
    throw new Rejected('damaged', 'It is damaged, or is no PDF.');
  }
  const { text } = await extractText(document, { mergePages: false });
  const pages = text.map((page) => page.replace(/[ \t]+\n/g, '\n').trim());
  if (pages.every((page) => page === ''))
    throw new Rejected(
      'scanned_pdf',
      'Its pages are pictures: there is no text in it. Run it through text recognition (OCR) first.',
    );
  const about: Record<string, unknown> = await getMeta(document).then(
    (meta) => meta.info,
    () => ({}),
  );
  const title = about['Title'];
  return {
    markdown: pages.map((page, i) => (pages.length > 1 ? `## Page ${i + 1}\n\n${page}` : page)).join('\n\n'),
    title: typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined,
  };
}
