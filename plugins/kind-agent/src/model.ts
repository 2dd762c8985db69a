/** What an agent runs on, in its own settings. Which connection that is, the plugin of connections decides. */
import type { Kernel } from '@coffer/kernel';
import type { FileChange, ModelTarget, ProjectedConnection } from '@coffer/kind-llm-connection';
import type { Agents, Known } from './agents.js';
import { valueAt, type Change } from './edit/document.js';
import { cliWords } from './launch.js';
import type { ModelFacet } from './seam.js';
import type { Own, Place, Settings } from './settings.js';

export class Models {
  constructor(
    private readonly kernel: Pick<Kernel, 'programs' | 'paths' | 'env'>,
    private readonly agents: Agents,
    private readonly settings: Settings,
  ) {}

  /** Every agent of this machine that can run on a connection. */
  targets(): ModelTarget[] {
    return this.agents.here().flatMap((known) => {
      const facet = known.definition.facets.modelConnection;
      return facet === undefined ? [] : [this.#target(known, facet)];
    });
  }

  /** Back to its own login, of an agent that is no more. */
  leave({ definition, place }: Known): void {
    const facet = definition.facets.modelConnection;
    if (facet === undefined) return;
    const at = { format: facet.format, file: facet.file(place) };
    this.settings.takeBack(at, this.#group(facet, at), facet.managed);
  }

  #target({ place, definition }: Known, facet: ModelFacet): ModelTarget {
    const at = { format: facet.format, file: facet.file(place) };
    const wanted = (c: ProjectedConnection): Change[] => {
      const words = cliWords(this.kernel, ['llm', 'key', '--connection', c.name]);
      const set = facet.settings(c, words);
      const named = new Set(set.map((s) => s.path.join('\0')));
      // First what goes, so that what comes is not taken for it.
      const gone = facet.managed.filter((path) => !covers(path, named));
      return [...gone.map((path) => ({ path, value: undefined })), ...set];
    };
    // Async, so that what is wrong with a file is a rejection like any other.
    const asked = (work: () => FileChange): Promise<FileChange[]> => Promise.resolve().then(() => changed(work()));
    return {
      agent: place.name,
      type: definition.type,
      label: definition.label,
      protocols: facet.protocols,
      preview: (c) =>
        asked(() =>
          c === null
            ? this.settings.wouldTakeBack(at, this.#group(facet, at), facet.managed)
            : this.settings.wouldPut(at, this.#group(facet, at), wanted(c)),
        ),
      apply: (c) =>
        asked(() =>
          c === null
            ? this.settings.takeBack(at, this.#group(facet, at), facet.managed)
            : this.settings.put(at, this.#group(facet, at), wanted(c)),
        ),
    };
  }

  /** What an earlier Coffer has written is Coffer's, also when this vault does not know of it. */
  #group(facet: ModelFacet, at: Place): Own {
    const { value } = this.settings.read(at);
    const there = facet.managed.map((path) => valueAt(value, path));
    return { what: 'model', wholly: /coffer/i.test(JSON.stringify(there) ?? '') };
  }
}

const covers = (path: readonly string[], named: ReadonlySet<string>): boolean =>
  [...named].some((n) => n === path.join('\0') || n.startsWith(`${path.join('\0')}\0`));

const changed = (change: FileChange): FileChange[] => (change.before === change.after ? [] : [change]);
