import type { Obj } from '@coffer/kernel';

export const KIND = 'skill';
export const SKILL_FILE = 'SKILL.md';

/** Bytes of a whole skill, and how many files it may have. */
export const LIMITS = { bytes: 50 * 1_048_576, files: 10_000 } as const;
/** Bytes of a file that are shown or handed to an agent. */
export const SHOWN_BYTES = 256 * 1024;

/** Where a skill came from: provenance, not a live link. No address in it bears a password or token. */
export type SkillSource =
  | { type: 'folder'; path: string }
  | { type: 'git'; url: string; ref: string | null; subpath: string | null; commit: string }
  | { type: 'zip'; archive: string; folder: string }
  | { type: 'adopted'; agent: string | null; path: string };

/** The row of a skill. Everything but `source` and the time can be read from its folder again. */
export interface SkillConfig {
  source: SkillSource;
  description: string;
  /** Of the whole folder, as it came from its source; the folder has another one once somebody edited it. */
  content_hash: string;
  /** ISO 8601. */
  last_synced_at: string | null;
}

/** A stored config as it is worked with; the schema has seen it. */
export function configOf(resource: { config: Obj }): SkillConfig {
  return resource.config as SkillConfig;
}
