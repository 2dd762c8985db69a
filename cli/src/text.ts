/** How values look to people. */

const colours = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
const paint =
  (open: number, close: number) =>
  (text: string, stream: NodeJS.WriteStream = process.stdout): string =>
    colours(stream) ? `\u001b[${open}m${text}\u001b[${close}m` : text;

export const bold = paint(1, 22);
export const dim = paint(2, 22);
export const red = paint(31, 39);
export const green = paint(32, 39);
export const yellow = paint(33, 39);

/** Text of others (descriptions, errors of servers) on one line, without anything a terminal would obey. */
export function clean(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);

  return text
    .replace(/\s+/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
}

/** As {@link clean}, with line breaks kept. */
export const cleanLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((l) => clean(l.replace(/ /g, '\u00a0')).replace(/\u00a0/g, ' '))
    .join('\n');

const two = (n: number): string => String(n).padStart(2, '0');

/** A moment in local time: the time alone today, else with the date. */
export function when(iso: unknown, now = new Date()): string {
  const d = new Date(typeof iso === 'string' ? iso : NaN);
  if (Number.isNaN(d.getTime())) return '-';
  const time = `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
  if (d.toDateString() === now.toDateString()) return time;
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${time}`;
}

/** Milliseconds for people: `12 ms`, `1.4 s`, `2 min 3 s`, `3 h 20 min`, `2 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${ms < 9.95 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
  const s = Math.round(ms / 1000);
  if (ms < 59_500) return `${(ms / 1000).toFixed(1)} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86_400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86_400)} d ${Math.floor((s % 86_400) / 3600)} h`;
}

export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = n / 1024;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return `${value.toFixed(1)} ${units[unit]}`;
}

export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** A health word in its colour. */
export function health(word: string): string {
  if (word === 'healthy' || word === 'active' || word === 'ok') return green(word);
  return word === 'failing' || word === 'failed' || word === 'error'
    ? red(word)
    : word === 'degraded' || word === 'warn'
      ? yellow(word)
      : word;
}
