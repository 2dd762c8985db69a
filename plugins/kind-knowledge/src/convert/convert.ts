/** A file as Markdown. See apart.ts for where it runs. */
import { formatOf, KNOWN, type Format } from './formats.js';
import { Rejected, type Converted } from './types.js';

type Converter = (bytes: Uint8Array, filename: string) => Converted | Promise<Converted>;

/** Each is loaded when the first file of its kind comes. */
const CONVERTERS: Readonly<Record<Format, () => Promise<Converter>>> = {
  markdown: async () => (await import('./text.js')).markdown,
  text: async () => (await import('./text.js')).text,
  code: async () => (await import('./text.js')).code,
  csv: async () => (await import('./text.js')).csv,
  html: async () => (await import('./html.js')).html,
  pdf: async () => (await import('./pdf.js')).pdf,
  docx: async () => (await import('./office.js')).docx,
  xlsx: async () => (await import('./office.js')).xlsx,
  pptx: async () => (await import('./office.js')).pptx,
  epub: async () => (await import('./epub.js')).epub,
};

/** Throws Rejected. */
export async function convert(bytes: Uint8Array, filename: string): Promise<Converted> {
  const format = formatOf(filename);
  if (format === undefined)
    throw new Rejected('unsupported_type', `Files of this type are not taken in. Known are ${KNOWN}.`);
  const converter = await CONVERTERS[format]();
  const { markdown, title } = await converter(bytes, filename);
  const clean = markdown.normalize('NFC').replaceAll('\u00a0', ' ').trim();
  if (clean === '') throw new Rejected('empty', 'There is no text in it.');
  return { markdown: clean, title };
}
