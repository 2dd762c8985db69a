/** Making, changing and removing connections, their keys with them. */
import { CofferError, type Actor, type Kernel, type Resource } from '@coffer/kernel';
import { configOf, KIND, type ConnectionConfig, type Protocol, type Wire } from './config.js';
import { checkConfig } from './kind.js';
import type { Probed, TestResult } from './probe/probe.js';
import { listModels, testEndpoint, type ModelList } from './probe/probe.js';
import { cleanKey, type Secrets } from './secrets.js';
import type { ResolvedConnection } from './services.js';
import type { Tables } from './tables.js';

/** How a key is given: its value, or the name of a stored credential. Neither for ollama. */
export interface KeyInput {
  secret_value?: string;
  credential_ref?: string;
}
export interface CreateInput extends KeyInput {
  name: string;
  description?: string | null;
  protocol: Protocol;
  base_url: string;
  compatible_agents?: string[] | null;
  wire_api?: Wire;
}
export interface ChangeInput extends KeyInput {
  description?: string | null;
  base_url?: string;
  compatible_agents?: string[] | null;
  wire_api?: Wire;
}
/** An endpoint that is not stored, or not yet. */
export interface DraftInput extends KeyInput {
  protocol: Protocol;
  base_url: string;
  wire_api?: Wire;
}

type Parts = { kernel: Pick<Kernel, 'resources' | 'credentials' | 'clock'>; tables: Tables; secrets: Secrets };

export class Connections {
  constructor(private readonly parts: Parts) {}

  list(): Resource[] {
    return this.parts.kernel.resources.list(KIND);
  }

  /** Throws RESOURCE_NOT_FOUND. */
  get(name: string): Resource {
    return this.parts.kernel.resources.get(KIND, name);
  }

  /** Throws CONFIG_INVALID, RESOURCE_ALREADY_EXISTS, CREDENTIAL_MISSING; a key that came with it is stored only if all went well. */
  async create(input: CreateInput, actor: Actor): Promise<Resource> {
    const { kernel, secrets } = this.parts;
    const { name, description } = input;
    const config = (ref: string | null): ConnectionConfig =>
      checkConfig({
        protocol: input.protocol,
        base_url: input.base_url,
        credential_ref: ref,
        compatible_agents: input.compatible_agents ?? null,
        wire_api: input.wire_api ?? 'responses',
      });
    const key = keyOf(input, input.protocol);
    // All that can be wrong is looked for before the key is stored; the resource service says the rest.
    const store = async (ref: string | null): Promise<Resource> =>
      kernel.resources.create(
        { kind: KIND, name, ...(description !== undefined && { description }), config: { ...config(ref) } },
        actor,
      );
    if (key.value === undefined) return store(key.ref ?? null);
    if (kernel.resources.find(KIND, name) !== undefined)
      throw new CofferError('RESOURCE_ALREADY_EXISTS', 'A connection of that name is there already.');
    config('pending');
    const ref = secrets.keep(name, key.value, actor);
    try {
      return await store(ref);
    } catch (e) {
      secrets.drop(name, ref, actor);
      throw e;
    }
  }

  /** The record as it would be, for whoever must act before it is written. A new key is not in it yet. */
  changed(resource: Resource, change: ChangeInput): ConnectionConfig {
    const before = configOf(resource);
    keyOf(change, before.protocol, true);
    return checkConfig({
      ...before,
      ...(change.base_url !== undefined && { base_url: change.base_url }),
      ...(change.compatible_agents !== undefined && { compatible_agents: change.compatible_agents }),
      ...(change.wire_api !== undefined && { wire_api: change.wire_api }),
      ...(change.credential_ref !== undefined && { credential_ref: change.credential_ref }),
    });
  }

  /** Throws as {@link create}. Another key takes the old one's place; one that was the connection's own and is replaced by a ref goes. */
  async update(name: string, change: ChangeInput, actor: Actor): Promise<Resource> {
    const { kernel, secrets, tables } = this.parts;
    const resource = this.get(name);
    const old = configOf(resource).credential_ref;
    const config = this.changed(resource, change);
    const { value } = keyOf(change, config.protocol, true);
    if (value !== undefined) config.credential_ref = secrets.rotate(name, old, value, actor);
    const updated = await kernel.resources.update(
      KIND,
      name,
      { ...(change.description !== undefined && { description: change.description }), config: { ...config } },
      actor,
    );
    if (config.credential_ref !== old) secrets.drop(name, old, actor);
    // What was found out about the old address or key says nothing of the new.
    if (config.base_url !== configOf(resource).base_url || config.credential_ref !== old || value !== undefined)
      tables.setTest(name, null);
    return updated;
  }

  /** What is not in the resource itself goes with it. */
  forget(resource: Resource): void {
    this.parts.tables.forget(resource.name);
    this.parts.secrets.drop(resource.name, configOf(resource).credential_ref, 'system');
  }

  /** Throws RESOURCE_NOT_FOUND, LLM_NOT_CONFIGURED, CREDENTIAL_MISSING, CREDENTIAL_LOCKED. */
  resolve(name: string): ResolvedConnection {
    const resource = this.get(name);
    if (!resource.enabled)
      throw new CofferError(
        'LLM_NOT_CONFIGURED',
        `LLM connection ${name} is switched off. Switch it on: coffer resource enable ${resource.ref}`,
      );
    const { protocol, base_url, wire_api } = configOf(resource);
    const key = this.#key(resource);
    return { name, protocol, base_url, wire_api, ...(key !== undefined && { key }) };
  }

  async models(name: string, signal?: AbortSignal): Promise<ModelList> {
    return listModels(this.#stored(name), signal);
  }

  /** What came out is kept, so that a list can say when it last answered. */
  async test(name: string, model: string | undefined, signal?: AbortSignal): Promise<TestResult> {
    const { tables, kernel } = this.parts;
    const at = this.#stored(name);
    const result = await testEndpoint(at, model, kernel.clock, signal);
    if (signal?.aborted !== true && kernel.resources.find(KIND, name) !== undefined)
      tables.setTest(name, {
        at: new Date(kernel.clock.now()).toISOString(),
        ok: result.ok,
        message: result.message,
        duration_ms: result.duration_ms,
      });
    return result;
  }

  async draftModels(draft: DraftInput, signal?: AbortSignal): Promise<ModelList> {
    return listModels(this.#draft(draft), signal);
  }

  async testDraft(draft: DraftInput, model: string | undefined, signal?: AbortSignal): Promise<TestResult> {
    return testEndpoint(this.#draft(draft), model, this.parts.kernel.clock, signal);
  }

  #key(resource: Resource): string | undefined {
    const ref = configOf(resource).credential_ref;
    return ref === null ? undefined : this.parts.kernel.credentials.reveal(ref);
  }

  #stored(name: string): Probed {
    const resource = this.get(name);
    const { protocol, base_url, wire_api } = configOf(resource);
    return { protocol, base_url, wire_api, key: this.#key(resource) };
  }

  #draft(draft: DraftInput): Probed {
    const { value, ref } = keyOf(draft, draft.protocol);
    const { base_url, wire_api } = checkConfig({
      protocol: draft.protocol,
      base_url: draft.base_url,
      credential_ref: draft.protocol === 'ollama' ? null : (ref ?? 'pending'),
      compatible_agents: null,
      wire_api: draft.wire_api ?? 'responses',
    });
    const key = value ?? (ref === undefined ? undefined : this.parts.kernel.credentials.reveal(ref));
    return { protocol: draft.protocol, base_url, wire_api, key };
  }
}

/** Exactly one way to give the key; none for ollama, or where the old one may stay. Throws CONFIG_INVALID. */
function keyOf(input: KeyInput, protocol: Protocol, mayStay = false): { value?: string; ref?: string } {
  const { secret_value: value, credential_ref: ref } = input;
  const refuse = (message: string, path: string): never => {
    throw new CofferError('CONFIG_INVALID', message, { path });
  };
  if (value !== undefined && ref !== undefined)
    refuse('Give the key or the name of a stored credential, not both.', '/secret_value');
  if (protocol === 'ollama' && (value !== undefined || ref !== undefined))
    refuse('Ollama takes no key: leave it out.', value !== undefined ? '/secret_value' : '/credential_ref');
  if (protocol !== 'ollama' && value === undefined && ref === undefined && !mayStay)
    refuse('A key is needed: give its value, or the name of a stored credential.', '/secret_value');
  return { ...(value !== undefined && { value: cleanKey(value) }), ...(ref !== undefined && { ref }) };
}
