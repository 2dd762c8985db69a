import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { api, messageOf } from './core/api.js';
import { Use } from './core/data.js';
import { CofferElement } from './core/element.js';
import { t } from './core/i18n.js';
import { machines, recentCalls, resources, sessions } from './core/stores.js';
import { toast } from './core/notify.js';
import type { Resource, Scope } from './core/types.js';
import { knownAgents, resourcePath } from './resource-data.js';

/** The scope of one resource; each change acts at once and can be undone. */
@customElement('cf-resource-scope')
export class CfResourceScope extends CofferElement {
  @property({ attribute: false }) resource!: Resource;
  @property({ attribute: false }) axes: readonly string[] = [];
  @state() private wish: { scope: Scope } | undefined;
  @state() private error = '';
  #machines = new Use(this, machines);
  #sessions = new Use(this, sessions);
  #calls = new Use(this, recentCalls);
  #resources = new Use(this, resources);

  override render(): unknown {
    const agents = knownAgents(this.#sessions.value ?? [], this.#calls.value ?? [], this.#resources.value ?? []);
    return html`${this.error === '' ? nothing : html`<div class="note bad" role="alert">${this.error}</div>`}
      <cf-scope-editor
        label=${this.resource.name}
        .value=${this.wish === undefined ? this.resource.scope : this.wish.scope}
        .axes=${this.axes}
        .machines=${this.#machines.value ?? []}
        .agents=${agents}
        @cf-change=${(e: CustomEvent<{ scope: Scope }>) => {
          e.stopPropagation();
          const before = this.resource.scope;
          void this.set(e.detail.scope).then((ok) => {
            if (ok) toast(t('Scope of {name} changed', { name: this.resource.name }), () => void this.set(before));
          });
        }}
      ></cf-scope-editor>`;
  }

  private async set(scope: Scope): Promise<boolean> {
    this.wish = { scope };
    this.error = '';
    try {
      const now = await api.put<Resource>(`${resourcePath(this.resource.kind, this.resource.name)}/scope`, { scope });
      this.resource = now;
      return true;
    } catch (e) {
      this.error = messageOf(e);
      return false;
    } finally {
      this.wish = undefined;
    }
  }
}
