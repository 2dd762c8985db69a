/** What Coffer itself runs on, for `coffer__ask`. Off until somebody chooses. */
import { CofferError, type Actor, type Kernel } from '@coffer/kernel';
import { KIND } from './config.js';
import type { Connections } from './connections.js';
import type { ResolvedConnection } from './services.js';
import type { EngineChoice, Tables } from './tables.js';

type Parts = { kernel: Pick<Kernel, 'audit' | 'emit'>; tables: Tables; connections: Connections };

export interface Engine {
  choice(): EngineChoice | undefined;
  /** Null: none. Throws RESOURCE_NOT_FOUND, LLM_NOT_CONFIGURED, CREDENTIAL_MISSING. */
  choose(choice: EngineChoice | null, actor: Actor): void;
  /** Throws LLM_NOT_CONFIGURED. */
  resolve(): ResolvedConnection & { model: string };
}

export function createEngine({ kernel, tables, connections }: Parts): Engine {
  return {
    choice: () => tables.engine(),
    choose(choice, actor) {
      const before = tables.engine();
      if (choice !== null) connections.resolve(choice.connection);
      if (before === undefined && choice === null) return;
      tables.setEngine(choice);
      kernel.audit.write({
        event_type: 'llm_internal_default_set',
        resource_kind: KIND,
        resource_name: choice?.connection ?? before?.connection ?? null,
        actor,
        details: { from: before?.connection ?? null, to: choice?.connection ?? null, model: choice?.model ?? null },
      });
      kernel.emit({ type: 'llm', engine: choice?.connection ?? null });
    },
    resolve() {
      const choice = tables.engine();
      if (choice === undefined)
        throw new CofferError(
          'LLM_NOT_CONFIGURED',
          'No LLM connection is chosen for Coffer itself. Choose one: coffer llm engine NAME --model MODEL',
        );
      return { ...connections.resolve(choice.connection), model: choice.model };
    },
  };
}
