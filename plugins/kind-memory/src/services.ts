/** What other plugins may ask of this one. */
import { serviceToken, type Actor, type Audit } from '@coffer/kernel';
import type { SessionContext } from './context.js';
import { KIND } from './kind.js';
import { projectOf } from './project.js';

/** The service `session-context`. */
export interface SessionContexts {
  /** What a session in a folder should start with: rules, and where its branch was left. Empty when there is nothing to say. */
  of(cwd: string | undefined): { text: string; project: string | null };
  /** The same, told to a session: it leaves a record. */
  tell(cwd: string | undefined, actor: Actor): { text: string; project: string | null };
}
export const SessionContexts = serviceToken<SessionContexts>('session-context');

export function contextService(context: SessionContext, audit: Audit): SessionContexts {
  const of: SessionContexts['of'] = (cwd) => {
    const project = cwd === undefined ? undefined : projectOf(cwd);
    return { text: context.of(project), project: project?.store ?? null };
  };
  return {
    of,
    tell(cwd, actor) {
      const told = of(cwd);
      // What runs unseen leaves a record: a hook that says nothing for weeks is noticed.
      audit.write({
        event_type: 'memory_context_told',
        resource_kind: KIND,
        resource_name: told.project ?? 'global',
        actor,
        details: { chars: told.text.length },
      });
      return told;
    },
  };
}
