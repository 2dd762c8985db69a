import { t, translated } from './core/i18n.js';
import type { Resource } from './core/types.js';
import type { State } from './status.js';

/** The state of a resource in a word; five words for five truths, as the server computed them. */
export function stateOf(r: Resource): { state: State; word: string } {
  if (!r.enabled) return { state: 'off', word: t('switched off') };
  const { status, reason } = r.status ?? {};
  switch (status) {
    case 'healthy':
      return { state: 'ok', word: t('healthy') };
    case 'failing':
      return reason?.startsWith('missing ') === true
        ? { state: 'warn', word: t('needs {what}', { what: reason.slice('missing '.length) }) }
        : { state: 'bad', word: t('failing') };
    case 'degraded':
      return { state: 'warn', word: t('needs attention') };
    case undefined:
      return { state: 'unk', word: t('not reported') };
    default:
      return { state: 'unk', word: status === 'unknown' ? t('not asked yet') : status };
  }
}

/** Needs a person. */
export function troubled(r: Resource): boolean {
  return ['bad', 'warn'].includes(stateOf(r).state);
}

/** An audit event in words. Those of plugins are their names, which a plugin may translate: `memory added`. */
export function eventWords(type: string): string {
  const known: Readonly<Record<string, string>> = {
    resource_created: t('registered'),
    resource_updated: t('changed'),
    resource_deleted: t('deleted'),
    resource_restored: t('deletion taken back'),
    resource_enabled: t('switched on'),
    resource_disabled: t('switched off'),
    scope_changed: t('scope changed'),
  };
  return known[type] ?? translated(type.replaceAll('_', ' '));
}
