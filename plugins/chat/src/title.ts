/** Titles: what a conversation is called, and how one is found. */

export const PLACEHOLDER = 'New conversation';
/** Characters of the first message that become the title. */
const LENGTH = 60;

/** The first message as a title: one line, at most 60 characters, whole ones. */
export function titleOf(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  const characters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(line.slice(0, 1000))];
  const title =
    characters.length <= LENGTH
      ? line
      : `${characters
          .slice(0, LENGTH - 1)
          .map((c) => c.segment)
          .join('')
          .trimEnd()}…`;
  return title === '' ? PLACEHOLDER : title;
}

/** How titles are compared: case and width make no difference. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
