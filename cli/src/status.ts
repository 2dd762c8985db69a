import type { Obj } from '@coffer/kernel';
import { count, duration, health, when, yellow } from './text.js';

/** The daemon's status for people. */
export function describeStatus(s: Obj): string {
  const lines = [
    `Coffer ${s.version} is ${s.status === 'ready' ? health('ok').replace('ok', 'ready') : s.status} on http://127.0.0.1:${s.port} (process ${s.pid}, up ${duration(Date.now() - Date.parse(s.started_at))}, since ${when(s.started_at)})`,
  ];
  for (const [kind, c] of Object.entries(s.resources as Record<string, Record<string, number>>)) {
    const { registered = 0, enabled = 0, healthy = 0, failing = 0 } = c;
    const parts = [
      `${enabled} enabled`,
      ...(healthy > 0 ? [`${healthy} healthy`] : []),
      ...(failing > 0 ? [yellow(`${failing} failing`)] : []),
    ];
    lines.push(`  ${kind}: ${registered} registered, ${parts.join(', ')}`);
  }
  const { active = 0, degraded = 0, failed = 0, disabled = 0 } = s.plugins as Record<string, number>;
  const bad = [
    ...(degraded ? [yellow(`${degraded} degraded`)] : []),
    ...(failed ? [yellow(`${failed} failed`)] : []),
    ...(disabled ? [`${disabled} disabled`] : []),
  ];
  lines.push(
    `  ${count(active + degraded + failed + disabled, 'plugin')}: ${[`${active} active`, ...bad].join(', ')}${degraded + failed > 0 ? ' (see: coffer plugin list)' : ''}`,
  );
  return lines.join('\n');
}
