import { currentLanguage, t } from './i18n.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Chinese has a space beside digits, which Intl leaves out. */
const spaced = (text: string): string => text.replaceAll(/(\d)(?=\p{Script=Han})/gu, '$1 ');

/** "12 s ago" up to a day, then a date. Give the exact time beside it, as a title. */
export function ago(at: string | number | Date, now = Date.now()): string {
  const time = new Date(at).getTime();
  const past = now - time;
  const words = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'always', style: 'narrow' });
  if (past < 1000) return t('just now');
  if (past < MINUTE) return spaced(words.format(-Math.round(past / 1000), 'second'));
  if (past < 60 * MINUTE) return spaced(words.format(-Math.round(past / MINUTE), 'minute'));
  if (past < DAY) return spaced(words.format(-Math.round(past / (60 * MINUTE)), 'hour'));
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium' }).format(time);
}

export function exact(at: string | number | Date): string {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at));
}

export function clock(at: string | number | Date): string {
  return new Intl.DateTimeFormat(currentLanguage(), { timeStyle: 'medium', hourCycle: 'h23' }).format(new Date(at));
}

export function count(n: number): string {
  return new Intl.NumberFormat(currentLanguage()).format(n);
}

/** Milliseconds as people read them: `8 ms`, `1.2 s`. */
export function duration(ms: number): string {
  const unit = ms < 1000 ? 'millisecond' : 'second';
  const words = new Intl.NumberFormat(currentLanguage(), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: ms < 10 || ms >= 1000 ? 1 : 0,
  }).format(ms < 1000 ? ms : ms / 1000);
  return spaced(words);
}

export function bytes(n: number): string {
  const step = n < 1024 ? 0 : n < 1024 ** 2 ? 1 : 2;
  const unit = (['byte', 'kilobyte', 'megabyte'] as const)[step];
  return new Intl.NumberFormat(currentLanguage(), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(n / 1024 ** step);
}

export function listed(words: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage(), { type: 'conjunction' }).format(words);
}
