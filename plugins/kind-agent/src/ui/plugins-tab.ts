import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement, Use, api, confirm, messageOf, t, toast } from '@coffer/ui';
import { at, pluginsOf, type NativePlugin } from './data.js';

/** Plugins in the agent's own sense. */
@customElement('agent-plugins')
export class AgentPlugins extends CofferElement {
  @property() name = '';
  #plugins = new Use<NativePlugin[]>(this, undefined);

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('name')) this.#plugins.point(pluginsOf(this.name));
  }

  override render(): unknown {
    const all = this.#plugins.value;
    if (all === undefined)
      return this.#plugins.error === undefined
        ? html`<cf-skeleton></cf-skeleton>`
        : html`<cf-error .error=${this.#plugins.error} @cf-retry=${() => void this.#plugins.reload()}></cf-error>`;
    return html`<section class="panel" aria-label=${t('Native plugins')}>
      ${all.length === 0 ? html`<div class="pb dim">${t('It has no plugin of its own.')}</div>` : all.map((p) => this.row(p))}
    </section>`;
  }

  private row(p: NativePlugin): unknown {
    return html`<div class="li" data-plugin=${p.id}>
      <cf-switch
        label=${p.id}
        .checked=${p.enabled}
        @cf-toggle=${(e: CustomEvent<{ checked: boolean }>) =>
          void this.act(() => api.patch(at(this.name, 'plugins', p.id), { enabled: e.detail.checked }))}
      ></cf-switch>
      <div class="grow cut">
        <b>${p.name}</b> <span class="dim">${p.version ?? ''}</span>
        <div class="sm mut">${p.marketplace ?? ''}</div>
        ${p.problem === null ? nothing : html`<div class="sm" lang="en">${p.problem}</div>`}
      </div>
      <button class="btn sm" type="button" @click=${() => void this.uninstall(p)}>
        ${t('Uninstall {name}…', { name: p.name })}
      </button>
    </div>`;
  }

  private async uninstall(p: NativePlugin): Promise<void> {
    const sure = await confirm({
      title: t('Uninstall {name}?', { name: p.name }),
      text: t('The agent itself takes it out, as if you had asked there.'),
      verb: t('Uninstall'),
      danger: true,
    });
    if (sure) await this.act(() => api.delete(at(this.name, 'plugins', p.id)));
  }

  private async act(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (e) {
      toast(messageOf(e));
    }
    await this.#plugins.reload();
  }
}
