/** What a place in an agent's folder is, compared with what it should be. Pure. */
import type { Spot } from './links.js';

export type DeliveryState =
  /** As it should be. */
  | 'linked'
  | 'copied'
  | 'not_delivered'
  /** Wanted and not there. */
  | 'missing'
  /** A link that leads elsewhere. */
  | 'tampered'
  /** A folder or file of somebody else, or our copy with changes in it. */
  | 'replaced'
  /** The agent's own folder is not there. */
  | 'unreachable'
  /** Ours, and no longer wanted. */
  | 'left_over';

export interface Delivery {
  skill: string;
  agent: string;
  path: string;
  wanted: boolean;
  state: DeliveryState;
  reason: string | null;
}

/** `hash` is that of the master; a copy with another one is out of date, so it counts as missing. */
export function judge(
  skill: string,
  spot: Spot,
  wanted: boolean,
  reachable: boolean,
  hash: string | null,
): Pick<Delivery, 'state' | 'reason'> {
  const ours = (spot.kind === 'link' || (spot.kind === 'copy' && spot.intact)) && spot.skill === skill;
  if (!wanted) return ours ? of('left_over', 'is no longer wanted here') : of('not_delivered');
  if (!reachable) return of('unreachable', "the agent's own folder is not there");
  if (ours && spot.kind === 'link') return of('linked');
  if (ours && spot.kind === 'copy')
    return spot.hash === hash
      ? of('copied', 'a copy: this system makes no links')
      : of('missing', 'the copy is out of date');
  switch (spot.kind) {
    case 'absent':
      return of('missing', 'the link is not there');
    case 'link':
      return of('tampered', 'is a link to another place');
    case 'copy':
      return of('replaced', 'is a copy that was changed');
    case 'folder':
      return of('replaced', 'is a folder that Coffer did not make');
    case 'file':
      return of('replaced', 'is a file that Coffer did not make');
  }
}

function of(state: DeliveryState, reason: string | null = null): Pick<Delivery, 'state' | 'reason'> {
  return { state, reason };
}

export const HEALTHY: ReadonlySet<DeliveryState> = new Set(['linked', 'copied', 'not_delivered']);

export type DriftKind = 'missing_link' | 'tampered_link' | 'replaced_with_regular' | 'missing_master' | 'orphan_master';
export interface Drift {
  skill_name: string;
  agent_name: string | null;
  kind: DriftKind;
  target_path: string;
  reason: string;
  suggested_remedy: string;
}

/** Nothing for what is as it should be. */
export function driftOf(d: Delivery): Drift | undefined {
  const drift = (kind: DriftKind, suggested_remedy: string): Drift => ({
    skill_name: d.skill,
    agent_name: d.agent,
    kind,
    target_path: d.path,
    reason: d.reason ?? '',
    suggested_remedy,
  });
  switch (d.state) {
    case 'missing':
      return drift('missing_link', 'repair makes it again');
    case 'unreachable':
      return drift('missing_link', 'install the agent, or take it out of the scope of this skill');
    case 'tampered':
      return drift('tampered_link', 'repair keeps it beside as a backup and links again');
    case 'replaced':
      return drift(
        'replaced_with_regular',
        'take it over (adopt with replace), or deliver with force: it is kept beside as a backup',
      );
    default:
      return undefined;
  }
}
