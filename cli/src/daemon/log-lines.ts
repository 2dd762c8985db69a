/** Lines of logs/daemon.log for people. */
import { clean, dim, red, when, yellow } from '../text.js';

const OWN = new Set(['level', 'time', 'msg', 'trace', 'stack']);

/** One JSON line as `time level message key=value`; anything else stays as it is, without control characters. */
export function readable(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
    if (typeof entry !== 'object' || entry === null) return clean(line);
  } catch {
    return clean(line);
  }
  const level = String(entry.level ?? '');
  const word = level === 'error' || level === 'fatal' ? red(level) : level === 'warn' ? yellow(level) : level;
  const fields = Object.entries(entry)
    .filter(([k]) => !OWN.has(k))
    .map(([k, v]) => `${k}=${clean(v)}`);
  const tail = [...fields, ...(entry.trace ? [`trace=${clean(entry.trace)}`] : [])].join(' ');
  const stack =
    typeof entry.stack === 'string'
      ? `\n${entry.stack
          .split('\n')
          .map((l) => `    ${clean(l)}`)
          .join('\n')}`
      : '';
  return `${when(entry.time)} ${word.padEnd(word === level ? 5 : word.length + 5 - level.length)} ${clean(entry.msg)}${tail === '' ? '' : ` ${dim(tail)}`}${stack}`;
}
