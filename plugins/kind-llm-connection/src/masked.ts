/** Files of other programs are shown before they change. What else is secret in them stays unseen. */
import type { FileChange } from './services.js';

/** A key of JSON or TOML whose value may be secret, and that value. `apiKeyHelper` is a command, and is no match. */
const SECRET =
  /(["']?[\w.-]*(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|API_?KEY|AUTHORIZATION|COOKIE)["']?\s*[:=]\s*)("(?:[^"\\\n]|\\.)*"|'[^'\n]*')/gi;

/** One mask for both sides, so that what did not change still looks unchanged. */
export function masked(changes: readonly FileChange[]): FileChange[] {
  const mask = (text: string): string => text.replace(SECRET, '$1"…"');
  return changes.map(({ path, before, after }) => ({ path, before: mask(before), after: mask(after) }));
}
