/** Which converter takes which file. Pure. */

/** Text that is kept as it is. */
const MARKDOWN = 'md markdown mdx';
const TEXT = 'txt text log rst adoc org tex';
const CODE =
  'js mjs cjs ts mts cts jsx tsx py rb go rs java kt kts scala c h cc cpp hpp cs swift m php pl lua r jl sh bash zsh fish ps1 sql html5 css scss less vue svelte yaml yml toml ini cfg conf json jsonc ndjson xml proto graphql dockerfile makefile gradle cmake tf diff patch';

export type Format = 'markdown' | 'text' | 'code' | 'csv' | 'html' | 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'epub';

const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ...MARKDOWN.split(' ').map((e): [string, Format] => [e, 'markdown']),
  ...TEXT.split(' ').map((e): [string, Format] => [e, 'text']),
  ...CODE.split(' ').map((e): [string, Format] => [e, 'code']),
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['html', 'html'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['pdf', 'pdf'],
  ['docx', 'docx'],
  ['xlsx', 'xlsx'],
  ['pptx', 'pptx'],
  ['epub', 'epub'],
]);

/** The part of a name after its last dot, in lower case; the whole of a name without one (`Makefile`). */
export function extensionOf(filename: string): string {
  const base = filename.split(/[\\/]/).at(-1) ?? '';
  const at = base.lastIndexOf('.');
  return (at > 0 ? base.slice(at + 1) : base).toLowerCase();
}

export function formatOf(filename: string): Format | undefined {
  return FORMATS.get(extensionOf(filename));
}

/** For a message: what can be taken in. */
export const KNOWN = 'md, txt, source code, json, yaml, csv, html, pdf, docx, xlsx, pptx and epub';
