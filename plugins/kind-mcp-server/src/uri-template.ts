/** Expressions of RFC 6570 by their operator, as what they may expand to. */
const EXPANSIONS: Readonly<Record<string, string>> = {
  '+': '.*',
  '#': '(#.*)?',
  '.': '(\\.[^/?#]*)?',
  '/': '(/[^?#]*)?',
  ';': '(;[^/?#]*)?',
  '?': '(\\?[^#]*)?',
  '&': '(&[^#]*)?',
};
const KEPT = 1000;
const matchers = new Map<string, (uri: string) => boolean>();

/** Could this URI have been made from the template? Says yes rather than no where the template leaves it open. */
export function templateMatcher(template: string): (uri: string) => boolean {
  let match = matchers.get(template);
  if (match === undefined) {
    const pattern = template
      .split(/(\{[^{}]*\})/)
      .map((part) =>
        part.startsWith('{') && part.endsWith('}')
          ? (EXPANSIONS[part[1] ?? ''] ?? '[^/?#]*')
          : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
      )
      .join('');
    const expression = new RegExp(`^${pattern}$`, 's');
    match = (uri) => expression.test(uri);
    if (matchers.size >= KEPT) matchers.clear();
    matchers.set(template, match);
  }
  return match;
}
