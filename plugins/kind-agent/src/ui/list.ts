import { html } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  CofferElement,
  Use,
  api,
  messageOf,
  navigate,
  queryValue,
  setQuery,
  t,
  toast,
  type Column,
  type RouteParams,
} from '@coffer/ui';
import { agentHref, agents, candidates, type Agent, type Candidate } from './data.js';
import './add.js';
import './clients.js';

/** Agents of this vault, those that wait to be added, and clients beside them. */
@customElement('agent-list')
export class AgentList extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};
  @state() private busy = '';
  #agents = new Use(this, agents);
  #candidates = new Use(this, candidates);

  private columns(): Column<Agent>[] {
    return [
      {
        key: 'name',
        label: t('Agent'),
        sort: (a) => a.name,
        cell: (a) =>
          html`<a class="nm" href=${agentHref(a.name)}>${a.name}</a>
            <div class="de cut">${a.label}${a.description === null ? '' : `: ${a.description}`}</div>`,
      },
      {
        key: 'state',
        label: t('State'),
        cell: (a) =>
          !a.here
            ? html`<cf-status state="away">${t('on another machine')}</cf-status>`
            : a.dir_exists
              ? html`<cf-status state="ok">${t('registered')}</cf-status>`
              : html`<cf-status state="bad">${t('its folder has vanished')}</cf-status>`,
      },
      {
        key: 'dir',
        label: t('Settings folder'),
        priority: 3,
        cell: (a) => html`<code>${a.config_dir ?? ''}</code>`,
      },
    ];
  }

  override render(): unknown {
    const all = this.#agents.value;
    return html`<cf-page
      heading=${t('Agents')}
      text=${t('Coding agents on this machine: what each really has, and what Coffer gives it.')}
    >
      <div slot="actions" class="row">
        <button class="btn pri" type="button" data-act="add" @click=${() => this.ask(true)}>
          <cf-icon name="plus"></cf-icon>${t('Add agent')}
        </button>
      </div>
      <div class="col gap-4">
        ${(this.#candidates.value ?? []).map((c) => this.candidate(c))}
        ${
          all === undefined
            ? this.#agents.error === undefined
              ? html`<cf-skeleton></cf-skeleton>`
              : html`<cf-error .error=${this.#agents.error} @cf-retry=${() => void this.#agents.reload()}></cf-error>`
            : this.table(all)
        }
        <agent-clients></agent-clients>
      </div>
      <agent-add ?open=${queryValue('add') !== ''} @cf-close=${() => this.ask(false)}></agent-add>
    </cf-page>`;
  }

  private candidate(c: Candidate): unknown {
    return html`<div class="note" data-candidate=${c.type}>
      <cf-icon name="client"></cf-icon>
      <div class="grow">
        <b>${t('{agent} is installed here', { agent: c.display_name })}</b>
        <p>${t('Found by its folder {folder}. Nothing of it was changed.', { folder: c.config_dir })}</p>
      </div>
      <button class="btn sm pri" type="button" ?disabled=${this.busy !== ''} @click=${() => void this.add(c)}>
        ${t('Add {name}', { name: c.suggested_name })}
      </button>
    </div>`;
  }

  private table(all: readonly Agent[]): unknown {
    return html`<cf-table
      label=${t('Agents')}
      find=${t('Find an agent')}
      opens
      .columns=${this.columns()}
      .rows=${all}
      .order=${{ key: 'name', down: false }}
      .keyOf=${(a: Agent) => a.name}
      .textOf=${(a: Agent) => `${a.name} ${a.label} ${a.description ?? ''}`}
      @cf-open=${(e: CustomEvent<{ row: Agent }>) => navigate(agentHref(e.detail.row.name))}
    >
      <cf-empty
        slot="empty"
        icon="client"
        heading=${t('No agent yet')}
        text=${t('Add one that is installed here: Coffer then shows what it has, and lends it what is in the vault.')}
      >
        <button class="btn pri" type="button" @click=${() => this.ask(true)}>${t('Add agent')}</button>
      </cf-empty>
    </cf-table>`;
  }

  private ask(open: boolean): void {
    setQuery({ add: open ? '1' : undefined });
    this.requestUpdate();
  }

  private async add(c: Candidate): Promise<void> {
    this.busy = c.type;
    try {
      const made = await api.post<Agent>('/agents', { type: c.type });
      await agents.load();
      navigate(agentHref(made.name));
    } catch (e) {
      toast(messageOf(e));
    }
    this.busy = '';
  }
}
