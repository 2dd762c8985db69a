import { html, type TemplateResult } from 'lit';

/** A text with the words of a query marked in it. */
export function marked(text: string, query: string): (string | TemplateResult)[] {
  const words = query
    .split(/\s+/)
    .filter((w) => w !== '')
    .map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return [text];
  // What was split by stands at every other place.
  return text
    .split(new RegExp(`(${words.join('|')})`, 'giu'))
    .map((part, i) => (i % 2 === 1 ? html`<mark>${part}</mark>` : part));
}
