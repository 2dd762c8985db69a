/** Keeps an agent from a memory of its own, where its owner wants that. */
import { KIND } from './config.js';
import type { Known } from './agents.js';
import type { Kernel } from '@coffer/kernel';
import type { Own, Settings } from './settings.js';

const GROUP: Own = { what: 'native-memory', wholly: false };
/** For taking it back: the agent's row says that it was Coffer. */
const OURS: Own = { ...GROUP, wholly: true };

export class NativeMemory {
  constructor(
    private readonly kernel: Pick<Kernel, 'audit'>,
    private readonly settings: Settings,
  ) {}

  /** Throws what the file forbids, before anything is written. */
  follow(known: Known, off = known.config.disable_native_memory): void {
    const facet = known.definition.facets.nativeMemory;
    if (facet === undefined) return;
    const at = { format: facet.format, file: facet.file(known.place) };
    const done = off
      ? this.settings.put(at, GROUP, facet.off)
      : this.settings.takeBack(
          at,
          OURS,
          facet.off.map((s) => s.path),
        );
    if (done.before === done.after) return;
    this.kernel.audit.write({
      event_type: off ? 'agent_memory_switched_off' : 'agent_memory_given_back',
      resource_kind: KIND,
      resource_name: known.place.name,
      actor: 'system',
      details: { path: at.file },
    });
  }
}
