/** Adopting: a server in an agent's own settings becomes one of the vault, its secrets become credentials, and only then the entry goes. */
import { existsSync } from 'node:fs';
import { CofferError, isObj, readForeign, type Actor, type Kernel, type Obj, type Resource } from '@coffer/kernel';
import type { ImportedSecret, ImportedServer, McpImport } from '@coffer/kind-mcp-server';
import { KIND } from '../config.js';
import { changeDocument } from '../edit/document.js';
import type { Settings } from '../settings.js';
import type { NativeEntries, RawEntry } from './entries.js';
import { OWN, placeOf } from './own-entry.js';

const SERVER = 'mcp_server';
/** Shorter values are found everywhere by chance. */
const TELLING = 8;

export interface AdoptWish {
  source?: string;
  new_name?: string;
  /** The variable or header, and the credential its value goes to. */
  secrets?: Record<string, string>;
}
export interface Adopted {
  resource: Resource;
  credentials: string[];
  /** Files in which one of its secrets can still be read: copies that the agent itself has made. */
  still_in: string[];
}

export class Adoption {
  constructor(
    private readonly kernel: Pick<Kernel, 'audit' | 'resources' | 'credentials' | 'log'>,
    private readonly settings: Settings,
    private readonly entries: NativeEntries,
    private readonly imports: () => McpImport | undefined,
  ) {}

  /**
   * Throws AGENT_ENTRY_NOT_FOUND, AGENT_UNSUPPORTED, RESOURCE_ALREADY_EXISTS, ADOPT_SECRET_UNRESOLVED, and whatever registering a server
   * or writing the file does. After each of them everything is as it was.
   */
  async adopt(name: string, entry: string, wish: AdoptWish, actor: Actor): Promise<Adopted> {
    const imports = this.imports();
    if (imports === undefined || entry === OWN)
      throw new CofferError(
        'AGENT_UNSUPPORTED',
        entry === OWN ? "That is Coffer's own entry." : 'The plugin of MCP servers is off.',
      );
    const found = this.entries.find(name, entry, wish.source);
    const at = placeOf(found.source, found.place);
    const { fingerprint } = readForeign(at.file);
    const server = imports.convert(wish.new_name ?? entry, found.value);
    if (typeof server === 'string') throw new CofferError('AGENT_UNSUPPORTED', `It cannot be adopted: it ${server}.`);
    this.#free(wish.new_name ?? server.name, imports.equal(server.config));
    const secrets = this.#resolve(server, found, wish.secrets ?? {}, imports);

    const undo: (() => void | Promise<void>)[] = [];
    try {
      for (const { ref, value } of secrets) {
        if (value === undefined || this.kernel.credentials.has(ref)) continue;
        this.kernel.credentials.set(ref, value, actor);
        undo.push(() => this.kernel.credentials.remove(ref, actor));
      }
      const config = withRefs(server.config, secrets);
      const made = await this.kernel.resources.create({ kind: SERVER, name: server.name, config }, actor);
      undo.push(() => this.kernel.resources.remove(SERVER, made.name, actor));
      if (server.disabled) await this.kernel.resources.setEnabled(SERVER, made.name, false, actor);
      const resource = this.kernel.resources.get(SERVER, made.name);
      this.settings.change(at, [{ path: [...found.source.path, entry], value: undefined }], {
        fingerprint,
        backup: (text) => withoutSecrets(text, found, secrets),
      });
      this.kernel.audit.write({
        event_type: 'agent_mcp_entry_adopted',
        resource_kind: KIND,
        resource_name: name,
        actor,
        details: { entry, source: found.source.key, server: made.name, credentials: secrets.map((s) => s.ref) },
      });
      return {
        resource,
        credentials: [...new Set(secrets.map((s) => s.ref))],
        still_in: this.#stillIn(
          found,
          secrets.flatMap((s) => s.value ?? []),
        ),
      };
    } catch (e) {
      for (const step of undo.reverse()) {
        try {
          await step();
        } catch (second) {
          this.kernel.log.error('an adoption could not be taken back whole', {
            agent: name,
            entry,
            error: String(second),
          });
        }
      }
      throw e;
    }
  }

  #free(name: string, equal: Resource | undefined): void {
    if (equal !== undefined)
      throw new CofferError(
        'RESOURCE_ALREADY_EXISTS',
        `The vault has this server already, as ${equal.name}. Remove the entry from the agent instead.`,
        { matches_resource: equal.name },
      );
    if (this.kernel.resources.find(SERVER, name) === undefined) return;
    let n = 2;
    while (this.kernel.resources.find(SERVER, `${name}-${n}`) !== undefined) n++;
    throw new CofferError(
      'RESOURCE_ALREADY_EXISTS',
      `The vault has another server called ${name}. Give this one another name, for example ${name}-${n}.`,
      { suggested_name: `${name}-${n}` },
    );
  }

  /** Each secret with its credential and its value. Throws ADOPT_SECRET_UNRESOLVED with the names of those that have no place to go. */
  #resolve(
    server: ImportedServer,
    found: RawEntry,
    wished: Readonly<Record<string, string>>,
    imports: McpImport,
  ): Secret[] {
    const unresolved: Record<string, string> = {};
    const secrets = server.secrets.map((s): Secret => {
      const ref = wished[s.key];
      const value = imports.secret(found.value, s);
      if (ref === undefined) unresolved[s.key] = s.ref;
      return { ...s, ref: ref ?? s.ref, value };
    });
    if (Object.keys(unresolved).length > 0) {
      const keys = Object.keys(unresolved);
      throw new CofferError(
        'ADOPT_SECRET_UNRESOLVED',
        `Say which credential each secret goes to: ${keys.map((k) => `--secret ${k}=${unresolved[k]}`).join(' ')}`,
        { keys, proposed: unresolved },
      );
    }
    for (const { key, ref, value, variable } of secrets) {
      const there = this.kernel.credentials.has(ref);
      if (!there && value === undefined)
        throw new CofferError(
          'ADOPT_SECRET_UNRESOLVED',
          `${key} comes from the variable ${variable}, which is not set here. Store its value first: coffer credentials set ${ref}`,
          { keys: [key] },
        );
      if (there && value !== undefined && this.kernel.credentials.reveal(ref) !== value)
        throw new CofferError(
          'ADOPT_SECRET_UNRESOLVED',
          `Credential ${ref} holds something else than ${key} does. Choose another name for it.`,
          { keys: [key] },
        );
    }
    return secrets;
  }

  #stillIn({ place, facet }: ReturnType<NativeEntries['find']>, values: readonly string[]): string[] {
    const own = facet.sources.flatMap((s) => [s.file(place), `${s.file(place)}.bak`]);
    const files = [...own, ...(facet.ownBackups?.(place) ?? [])];
    const telling = values.filter((v) => v.length >= TELLING);
    return [...new Set(files)].filter((file) => existsSync(file) && telling.some((v) => holds(file, v)));
  }
}

type Secret = ImportedSecret & { value: string | undefined };

function withRefs(config: Obj, secrets: readonly Secret[]): Obj {
  const transport = config['transport'] as Obj;
  const refs = Object.fromEntries(secrets.map((s) => [s.key, s.ref]));
  return {
    ...config,
    transport: { ...transport, credential_refs: { ...(transport['credential_refs'] as Obj), ...refs } },
  };
}

/** The file as it was, with a word in the place of each secret, so that the backup keeps none. */
function withoutSecrets(text: string, { name, source, value }: RawEntry, secrets: readonly Secret[]): string {
  const fields = (s: Secret): string[] => (s.where === 'env' ? ['env'] : ['headers', 'http_headers']);
  const places = secrets.flatMap((s) =>
    fields(s)
      .filter((f) => isObj(value) && isObj(value[f]) && s.key in value[f])
      .map((f) => [...source.path, name, f, s.key]),
  );
  try {
    return changeDocument(
      source.format,
      text,
      places.map((path) => ({ path, value: '(moved into Coffer)' })),
    );
  } catch {
    // Written in a form that cannot be changed there: then the whole entry stays out of the backup.
    return changeDocument(source.format, text, [{ path: [...source.path, name], value: undefined }]);
  }
}

function holds(file: string, value: string): boolean {
  try {
    const { text } = readForeign(file);
    return text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1));
  } catch {
    return false;
  }
}
