import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import {
  CofferElement,
  Use,
  api,
  knownAgents,
  messageOf,
  plural,
  resourcePath,
  stores,
  t,
  toast,
  type Machine,
  type Scope,
  type ScopeRow,
} from '../kit/index.js';
import { hrefOf } from '../shell/places.js';

/** Who sees what: all resources, all machines, all agents. Edits gather; one Save. */
@customElement('coffer-scope')
export class CofferScope extends CofferElement {
  @state() private edits: ReadonlyMap<string, Scope> = new Map();
  @state() private error = '';
  #resources = new Use(this, stores.resources);
  #kinds = new Use(this, stores.kinds);
  #machines = new Use(this, stores.machines);
  #sessions = new Use(this, stores.sessions);
  #calls = new Use(this, stores.recentCalls);

  override render(): unknown {
    const resources = this.#resources.value;
    const machines = this.#machines.value ?? [];
    const agents = knownAgents(this.#sessions.value ?? [], this.#calls.value ?? [], resources ?? []);
    return html`<cf-page
      wide
      heading=${t('Machines and scope')}
      text=${t('Who finds what. Scope tidies what agents find; it is no wall.')}
    >
      <div slot="actions" class="row">
        ${
          this.edits.size === 0
            ? nothing
            : html`<button class="btn ghost" type="button" @click=${() => (this.edits = new Map())}>
                  ${t('Discard')}
                </button>
                <button class="btn pri" type="button" data-act="save" @click=${this.save}>
                  ${plural(this.edits.size, 'Save {n} change', 'Save {n} changes')}
                </button>`
        }
      </div>
      ${this.error === '' ? nothing : html`<div class="note bad block" role="alert">${this.error}</div>`}
      ${resources === undefined ? html`<cf-skeleton></cf-skeleton>` : this.matrix(machines, agents)}
      <section class="panel mt-4">
        <div class="ph"><h2>${t('Machines')}</h2></div>
        ${machines.map((m) => this.machine(m))}
      </section>
    </cf-page>`;
  }

  private matrix(machines: readonly Machine[], agents: readonly string[]): unknown {
    const axes = new Map((this.#kinds.value ?? []).map((k) => [k.kind, k.scope_axes]));
    const rows = (this.#resources.value ?? [])
      .filter((r) => (axes.get(r.kind)?.length ?? 0) > 0)
      .map((r): ScopeRow => {
        const edited = this.edits.has(r.ref);
        return {
          id: r.ref,
          label: r.name,
          href: hrefOf(r),
          axes: axes.get(r.kind) ?? [],
          scope: edited ? (this.edits.get(r.ref) ?? null) : r.scope,
          edited,
        };
      });
    if (rows.length === 0)
      return html`<section class="panel">
        <cf-empty
          icon="scope"
          heading=${t('Nothing to share out yet')}
          text=${t('Add something first; then say here who finds it.')}
        ></cf-empty>
      </section>`;
    return html`<div class="panel">
      <cf-scope-matrix
        label=${t('Who sees what')}
        .rows=${rows}
        .machines=${machines}
        .agents=${agents}
        @cf-change=${(e: CustomEvent<{ id: string; scope: Scope }>) => (this.edits = new Map([...this.edits, [e.detail.id, e.detail.scope]]))}
      ></cf-scope-matrix>
    </div>`;
  }

  private machine(m: Machine): unknown {
    return html`<div class="srow">
      <div>
        <b>${m.display_name}</b> ${m.this_machine ? html`<span class="chip acc">${t('this machine')}</span>` : nothing}
        <p class="mono">${m.id}</p>
      </div>
      <form
        class="row"
        @submit=${(e: Event) => {
          e.preventDefault();
          const name = (e.target as HTMLFormElement).querySelector('input')?.value ?? '';
          void this.rename(m, name);
        }}
      >
        <input class="in" .value=${m.display_name} aria-label=${t('Name of {name}', { name: m.display_name })} />
        <button class="btn" type="submit">${t('Rename')}</button>
      </form>
    </div>`;
  }

  private async rename(m: Machine, name: string): Promise<void> {
    try {
      await api.patch(`/machines/${encodeURIComponent(m.id)}`, { display_name: name });
      await stores.machines.load();
      toast(t('This machine is now called {name}', { name }));
    } catch (e) {
      this.error = messageOf(e);
    }
  }

  private async save(): Promise<void> {
    this.error = '';
    const left = new Map(this.edits);
    try {
      for (const [ref, scope] of this.edits) {
        const r = this.#resources.value?.find((x) => x.ref === ref);
        if (r !== undefined) await api.put(`${resourcePath(r.kind, r.name)}/scope`, { scope });
        left.delete(ref);
      }
      toast(t('Scope saved'));
    } catch (e) {
      this.error = messageOf(e);
    }
    await stores.resources.load();
    this.edits = left;
  }
}
