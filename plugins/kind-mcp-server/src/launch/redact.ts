/** Shorter values would turn every text into holes and hide nothing. */
const SHORTEST = 3;

export type Redact = (text: string) => string;

/** Takes a server's credentials out of a text. Longer values go first, since one may hold another. */
export function redactor(secrets: readonly string[]): Redact {
  const hidden = [...new Set(secrets)].filter((s) => s.length >= SHORTEST).sort((a, b) => b.length - a.length);
  if (hidden.length === 0) return (text) => text;
  return (text) => hidden.reduce((t, s) => t.replaceAll(s, '[redacted]'), text);
}
