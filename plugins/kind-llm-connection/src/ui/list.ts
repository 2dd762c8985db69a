import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, Use, navigate, queryValue, setQuery, t, type Column, type RouteParams } from '@coffer/ui';
import { agents, connectionHref, connections, initials, speaks, stateWords, type Connection } from './data.js';
import './add.js';
import './choices.js';
import './switch.js';
import type { SwitchDraft } from './switch.js';

/** All connections, and which agent runs on what. */
@customElement('llm-page')
export class LlmPage extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};
  /** What a person has chosen for one agent and not yet switched. */
  @state() private draft: SwitchDraft | undefined;
  #connections = new Use(this, connections);
  #agents = new Use(this, agents);

  override render(): unknown {
    const all = this.#connections.value;
    return html`<cf-page
      heading=${t('LLM connections')}
      text=${t('Where models come from. Each agent runs on one of these, or on its own login.')}
    >
      <div slot="actions" class="row">
        <button class="btn pri" type="button" data-act="add" @click=${() => this.ask(true)}>
          <cf-icon name="plus"></cf-icon>${t('Add connection')}
        </button>
      </div>
      ${
        all === undefined
          ? this.#connections.error === undefined
            ? html`<cf-skeleton></cf-skeleton>`
            : html`<cf-error
                .error=${this.#connections.error}
                @cf-retry=${() => void this.#connections.reload()}
              ></cf-error>`
          : html`<div class=${this.draft === undefined ? 'grid' : 'grid g-31'}>
              <div class="grid">
                ${this.table(all)}
                <llm-choices
                  .drafted=${this.draft?.agent ?? ''}
                  @llm-draft=${(e: CustomEvent<SwitchDraft>) => (this.draft = e.detail)}
                ></llm-choices>
              </div>
              ${
                this.draft === undefined
                  ? nothing
                  : html`<llm-switch .draft=${this.draft} @cf-close=${() => (this.draft = undefined)}></llm-switch>`
              }
            </div>`
      }
      <llm-add ?open=${queryValue('add') !== ''} @cf-close=${() => this.ask(false)}></llm-add>
    </cf-page>`;
  }

  private table(all: readonly Connection[]): unknown {
    return html`<cf-table
      label=${t('LLM connections')}
      find=${t('Find a connection')}
      opens
      .columns=${this.columns()}
      .rows=${all}
      .order=${{ key: 'name', down: false }}
      .keyOf=${(c: Connection) => c.name}
      .textOf=${(c: Connection) => `${c.name} ${c.base_url} ${c.description ?? ''}`}
      .rowClass=${(c: Connection) => (c.enabled ? '' : 'off')}
      @cf-open=${(e: CustomEvent<{ row: Connection }>) => navigate(connectionHref(e.detail.row.name))}
    >
      <cf-empty
        slot="empty"
        icon="box"
        heading=${t('No connection yet')}
        text=${t('Agents run on their own logins. Add an endpoint with its key to run them on something else.')}
      >
        <button class="btn pri" type="button" @click=${() => this.ask(true)}>${t('Add connection')}</button>
      </cf-empty>
    </cf-table>`;
  }

  private columns(): Column<Connection>[] {
    const label = (agent: string): string => this.#agents.value?.find((a) => a.agent === agent)?.label ?? agent;
    return [
      {
        key: 'name',
        label: t('Connection'),
        sort: (c) => c.name,
        cell: (c) =>
          html`<a class="nm" href=${connectionHref(c.name)}>${c.name}</a>
            <div class="de cut">${c.base_url.replace(/^https?:\/\//, '')}</div>`,
      },
      {
        key: 'speaks',
        label: t('Protocol'),
        priority: 2,
        cell: (c) => html`<span class="chip line">${speaks(c)}</span>`,
      },
      {
        key: 'state',
        label: t('State'),
        cell: (c) => {
          const { state, word } = stateWords(c);
          return html`<cf-status state=${state}>${word}</cf-status>`;
        },
      },
      {
        key: 'used',
        label: t('In use by'),
        priority: 2,
        cell: (c) =>
          c.used_by.length === 0 && !c.internal_default
            ? html`<span class="dim">${t('nobody')}</span>`
            : html`${c.used_by.map((a) => html`<span class="who"><b aria-hidden="true">${initials(label(a))}</b>${a}</span> `)}
              ${c.internal_default ? html`<span class="chip acc">${t('Coffer itself')}</span>` : nothing}`,
      },
    ];
  }

  private ask(open: boolean): void {
    setQuery({ add: open ? '1' : undefined });
    this.requestUpdate();
  }
}
