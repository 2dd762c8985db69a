/**
 * Splits a command line into words as a shell does: blanks separate, quotes hold together, a backslash takes the next character
 * as it is. Nothing is expanded and no shell runs. Undefined when a quote is left open.
 */
export function shellWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const c = line[i] as string; // i is within the line
    if (quote === "'" && c !== "'") word += c;
    else if (c === quote) quote = '';
    else if (c === '\\' && i + 1 < line.length && (quote === '' || /["\\]/.test(line[i + 1] as string)))
      word = (word ?? '') + line[++i];
    else if (quote === '' && (c === '"' || c === "'")) {
      quote = c;
      word ??= '';
    } else if (quote === '' && /\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + c;
  }
  if (quote !== '') return undefined;
  return word === undefined ? words : [...words, word];
}
