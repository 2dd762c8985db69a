import mammoth from 'mammoth';
import { DOMParser } from 'linkedom';
import readExcel from 'read-excel-file/node';
import { toMarkdown } from './html.js';
import { table } from './text.js';
import { Rejected, type Converted } from './types.js';
import { partsOf } from './zipped.js';

export async function docx(bytes: Uint8Array): Promise<Converted> {
  partsOf(bytes, () => false);
  try {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) });
    return { markdown: toMarkdown(value) };
  } catch {
    throw new Rejected('damaged', 'It is damaged, or is no Word document.');
  }
}

/** Each sheet under a heading with its name. */
export async function xlsx(bytes: Uint8Array): Promise<Converted> {
  partsOf(bytes, () => false);
  try {
    const sheets = await readExcel(Buffer.from(bytes));
    return {
      markdown: sheets
        .map(({ sheet, data }) => ({ sheet, rows: data.filter((r) => r.some((c) => c !== null)) }))
        .filter(({ rows }) => rows.length > 0)
        .map(({ sheet, rows }) => `## ${sheet}\n\n${table(rows)}`)
        .join('\n\n'),
    };
  } catch {
    throw new Rejected('damaged', 'It is damaged, or is no Excel workbook.');
  }
}

/** Each slide under a heading with its number, what is said in the notes below it. */
export function pptx(bytes: Uint8Array): Converted {
  const parts = partsOf(bytes, (name) => /^ppt\/(slides|notesSlides)\/[^/]+\.xml$/.test(name));
  const number = (name: string): number => Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0);
  const slides = [...parts.keys()].filter((n) => n.startsWith('ppt/slides/')).sort((a, b) => number(a) - number(b));
  if (slides.length === 0) throw new Rejected('damaged', 'It is damaged, or is no PowerPoint presentation.');
  const sections = slides.map((name, i) => {
    const said = paragraphs(parts.get(name));
    const notes = paragraphs(parts.get(`ppt/notesSlides/notesSlide${number(name)}.xml`)).filter(
      (p) => !/^\d+$/.test(p),
    );
    const below = notes.length > 0 ? `\n\nNotes: ${notes.join(' ')}` : '';
    return `## Slide ${i + 1}\n\n${said.join('\n\n')}${below}`;
  });
  return { markdown: sections.join('\n\n') };
}

/** The paragraphs of DrawingML: `a:p` of runs `a:t`. */
function paragraphs(part: Uint8Array | undefined): string[] {
  if (part === undefined) return [];
  const document = new DOMParser().parseFromString(new TextDecoder().decode(part), 'text/xml');
  return [...document.getElementsByTagName('a:p')]
    .map((p) => [...p.getElementsByTagName('a:t')].map((t) => t.textContent ?? '').join(''))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
