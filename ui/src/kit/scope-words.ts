import { listed } from './core/format.js';
import { t } from './core/i18n.js';
import type { Machine, Scope } from './core/types.js';

/** A scope in a sentence for the strip of answers: who, and where. */
export function scopeWords(scope: Scope, machines: readonly Machine[]): { who: string; where: string } {
  if (scope === null) return { who: t('Every agent'), where: t('on every machine') };
  const keys = Object.keys(scope);
  if (keys.length === 0) return { who: t('Nobody'), where: t('on no machine') };
  const nameOf = (machine: string): string => machines.find((m) => m.id === machine)?.display_name ?? machine;
  const values = Object.entries(scope);
  const [first] = values;
  if (first !== undefined && values.every(([, v]) => whoOf(v) === whoOf(first[1])))
    return {
      who: whoOf(first[1]),
      where: keys.includes('*') ? t('on every machine') : t('on {machines}', { machines: listed(keys.map(nameOf)) }),
    };
  const parts = values
    .sort(([a], [b]) => Number(a === '*') - Number(b === '*'))
    .map(([machine, v]) =>
      machine === '*'
        ? t('{who} on any other', { who: whoOf(v) })
        : t('{who} on {machine}', { who: whoOf(v), machine: nameOf(machine) }),
    );
  return { who: t('Different by machine:'), where: parts.join('; ') };
}

function whoOf(value: '*' | readonly string[]): string {
  return value === '*' ? t('Every agent') : value.length === 0 ? t('Nobody') : listed([...value].sort());
}

/** May this agent see it there? `''` is a client that gives no name. */
export function sees(scope: Scope, machine: string, agent: string): boolean {
  if (scope === null) return true;
  const value = Object.hasOwn(scope, machine) ? scope[machine] : scope['*'];
  if (value === undefined) return false;
  return value === '*' || (agent !== '' && value.includes(agent));
}

/** The scope after one cell was turned. Agents that are known make a `*` into a list when one of them is taken out. */
export function turn(scope: Scope, machine: string, agent: string, on: boolean, agents: readonly string[]): Scope {
  const full: Record<string, '*' | readonly string[]> =
    scope === null ? Object.fromEntries([['*', '*' as const]]) : { ...scope };
  const now = full[machine] ?? full['*'] ?? [];
  let next: '*' | readonly string[];
  if (agent === '') next = on ? '*' : now === '*' ? agents : now;
  else if (on) next = now === '*' ? now : [...new Set([...now, agent])].sort();
  else next = (now === '*' ? agents : now).filter((a) => a !== agent);
  full[machine] = next;
  if (next.length === 0 && full['*'] === undefined) delete full[machine];
  const open = full['*'] === '*' && Object.values(full).every((v) => v === '*');
  return open ? null : full;
}
