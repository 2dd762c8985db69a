import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, Use, api, confirm, messageOf, query, t, toast } from '@coffer/ui';
import { at, entriesOf, installed, type Entries, type Entry, type Installed } from './data.js';
import './adopt.js';

/** The MCP servers of an agent: Coffer's own entry, and what is still in the agent's settings. */
@customElement('agent-mcp')
export class AgentMcp extends CofferElement {
  @property() name = '';
  @state() private busy = false;
  @state() private adopting: Entry | undefined;
  #own = new Use<Installed>(this, undefined);
  #entries = new Use<Entries>(this, undefined);

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('name')) return;
    this.#own.point(installed(this.name, 'mcp-install'));
    this.#entries.point(entriesOf(this.name));
  }

  override render(): unknown {
    return html`<div class="col gap-4">
      ${this.own()} ${this.others()}
      <agent-adopt
        agent=${this.name}
        .entry=${this.adopting}
        @cf-close=${() => {
          this.adopting = undefined;
          void this.#entries.reload();
        }}
      ></agent-adopt>
    </div>`;
  }

  private own(): unknown {
    const own = this.#own.value;
    if (own === undefined) return this.#own.error === undefined ? nothing : fault(messageOf(this.#own.error));
    const { installed: there, works, current } = own;
    const word = !there
      ? t('Coffer is not in its settings')
      : works === false
        ? t('its program is not there')
        : t('Coffer is in its settings');
    const sound = works === true && current;
    return html`<section class="panel" aria-label=${t("Coffer's entry")}>
      <div class="ph"><h2>${t("Coffer's entry")}</h2></div>
      <div class="pb row wrap">
        <div class="grow">
          <cf-status state=${!there ? 'off' : sound ? 'ok' : 'warn'}>${word}</cf-status>
          <div class="sm mut"><code>${own.path}</code></div>
          ${own.command === null ? nothing : html`<div class="sm dim"><code>${own.command}</code></div>`}
        </div>
        ${there && sound ? nothing : this.button(there ? t('Renew') : t('Install'), 'install', () => api.post(at(this.name, 'mcp-install')))}
        ${there ? this.button(t('Uninstall'), 'uninstall', () => api.delete(at(this.name, 'mcp-install'))) : nothing}
      </div>
    </section>`;
  }

  private others(): unknown {
    const all = this.#entries.value;
    if (all === undefined) return nothing;
    const items = all.items.filter((e) => !e.is_coffer);
    return html`${all.parse_errors.map((p) => fault(p.error))}
      <section class="panel" aria-label=${t('Still in its own settings')}>
        <div class="ph"><h2>${t('Still in its own settings')}</h2></div>
        ${items.length === 0 ? html`<div class="pb dim">${t('Nothing: it gets its servers from Coffer.')}</div>` : items.map((e) => this.entry(e))}
        ${items.length === 0 ? nothing : html`<div class="pf">${t('Adopting moves a server and its secrets here, for every agent.')}</div>`}
      </section>`;
  }

  private entry(e: Entry): unknown {
    const note =
      e.matches_resource !== null
        ? t('The vault has it already, as {name}.', { name: e.matches_resource })
        : e.secrets.length > 0
          ? t('Holds a secret in plain text.')
          : undefined;
    return html`<div class="li" data-entry=${e.name}>
      <div class="grow cut">
        <b>${e.name}</b> ${note === undefined ? nothing : html`<span class="chip warn">${note}</span>`}
        <div class="sm mut cut"><code>${e.url ?? e.command ?? ''}</code></div>
        <div class="sm dim cut"><code>${e.path}</code></div>
        ${e.problem === null ? nothing : html`<div class="sm" lang="en">${e.problem}</div>`}
      </div>
      ${
        e.enabled === null
          ? nothing
          : html`<cf-switch
              label=${e.name}
              .checked=${e.enabled}
              @cf-toggle=${(x: CustomEvent<{ checked: boolean }>) =>
                void this.act(() =>
                  api.patch(at(this.name, 'mcp-entries', e.name), { enabled: x.detail.checked, source: e.source }),
                )}
            ></cf-switch>`
      }
      ${
        e.problem !== null || e.matches_resource !== null
          ? nothing
          : html`<button class="btn sm" type="button" data-act="adopt" @click=${() => (this.adopting = e)}>
              ${t('Adopt {name}…', { name: e.name })}
            </button>`
      }
      <button
        class="btn sm ghost icon"
        type="button"
        aria-label=${t('Take {name} out', { name: e.name })}
        title=${t('Take {name} out', { name: e.name })}
        @click=${() => void this.takeOut(e)}
      >
        <cf-icon name="trash"></cf-icon>
      </button>
    </div>`;
  }

  private button(label: string, act: string, work: () => Promise<unknown>): unknown {
    return html`<button
      class="btn sm"
      type="button"
      data-act=${act}
      ?disabled=${this.busy}
      @click=${() => void this.act(work)}
    >
      ${label}
    </button>`;
  }

  private async takeOut(e: Entry): Promise<void> {
    const sure = await confirm({
      title: t('Take {name} out of {path}?', { name: e.name, path: e.path }),
      text: t('Only this entry goes. A backup of the file is kept beside it.'),
      verb: t('Take out'),
      danger: true,
    });
    if (sure) await this.act(() => api.delete(`${at(this.name, 'mcp-entries', e.name)}${query({ source: e.source })}`));
  }

  private async act(work: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    try {
      await work();
    } catch (e) {
      toast(messageOf(e));
    }
    await Promise.all([this.#own.reload(), this.#entries.reload()]);
    this.busy = false;
  }
}

const fault = (message: string): unknown =>
  html`<div class="note bad" role="alert" data-problem>
    <cf-icon name="warn"></cf-icon>
    <div>
      <b>${t('A file of it cannot be read. It is left as it is until it can.')}</b>
      <p lang="en">${message}</p>
    </div>
  </div>`;
