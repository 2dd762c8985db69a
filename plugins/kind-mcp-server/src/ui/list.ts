import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  CofferElement,
  Switches,
  Use,
  api,
  format,
  messageOf,
  navigate,
  queryValue,
  scopeWords,
  setQuery,
  stateOf,
  stores,
  t,
  toast,
  troubled,
  type Column,
  type Invocation,
  type Resource,
  type RouteParams,
} from '@coffer/ui';
import { KIND, serverHref, serverPath } from './data.js';
import './add.js';

const HOUR = 3_600_000;

/** All MCP servers with their health. */
@customElement('mcp-server-list')
export class McpServerList extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};
  @state() private pasted: string | undefined;
  #resources = new Use(this, stores.resources);
  #machines = new Use(this, stores.machines);
  #calls = new Use(this, stores.recentCalls);
  #switches = new Switches(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('paste', this.#paste);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('paste', this.#paste);
  }

  /** A configuration pasted anywhere on the page opens the dialog filled. */
  #paste = (e: ClipboardEvent): void => {
    const at = e.composedPath()[0];
    if (at instanceof HTMLElement && /^(INPUT|TEXTAREA)$/.test(at.tagName)) return;
    const text = e.clipboardData?.getData('text') ?? '';
    if (!/mcpServers|mcp_servers|"servers"|"command"|"url"/.test(text)) return;
    this.pasted = text;
    setQuery({ add: 'paste' });
    this.requestUpdate();
  };

  private columns(): Column<Resource>[] {
    const calls = byHour(this.#calls.value ?? [], Date.now());
    const sum = (r: Resource): number => (calls.get(r.name) ?? []).reduce((a, b) => a + b, 0);
    return [
      {
        key: 'on',
        label: t('On'),
        width: 't',
        cell: (r) =>
          html`<cf-switch
            label=${r.name}
            .checked=${this.#switches.shown(r.name, r.enabled)}
            .pending=${this.#switches.pending(r.name)}
            @cf-toggle=${(e: CustomEvent<{ checked: boolean }>) => this.toggle(r, e.detail.checked)}
          ></cf-switch>`,
      },
      {
        key: 'name',
        label: t('Name'),
        sort: (r) => r.name,
        cell: (r) =>
          html`<a class="nm" href=${serverHref(r.name)}>${r.name}</a>
            <div class="de cut">${r.description ?? placeOf(r)}</div>`,
      },
      {
        key: 'state',
        label: t('State'),
        sort: (r) => stateOf(r).word,
        cell: (r) => html`<cf-status state=${stateOf(r).state}>${stateOf(r).word}</cf-status>`,
      },
      {
        key: 'over',
        label: t('Over'),
        width: 's',
        priority: 3,
        sort: (r) => transportOf(r),
        cell: (r) => html`<span class="chip line">${transportOf(r)}</span>`,
      },
      {
        key: 'seen',
        label: t('Seen by'),
        priority: 2,
        cell: (r) =>
          html`<a class="plain mut" href="/scope">${scopeWords(r.scope, this.#machines.value ?? []).who}</a>`,
      },
      {
        key: 'calls',
        label: t('Calls, 24 h'),
        numeric: true,
        width: 'm',
        priority: 2,
        sort: sum,
        cell: (r) =>
          html`<div class="row">
            ${sum(r) === 0 ? nothing : html`<cf-spark class="end" label=${t('Calls by hour')} .values=${calls.get(r.name)}></cf-spark>`}
            <span class="mut ${sum(r) === 0 ? 'end' : ''}">${format.count(sum(r))}</span>
          </div>`,
      },
    ];
  }

  override render(): unknown {
    const servers = this.#resources.value?.filter((r) => r.kind === KIND);
    const add = queryValue('add');
    return html`<cf-page
      heading=${t('MCP servers')}
      text=${t('What your agents can call. One endpoint lends all of them, each under its own name.')}
    >
      <div slot="actions" class="row">
        <button class="btn" type="button" data-act="form" @click=${() => this.open('form')}>${t('Add by form')}</button>
        <button class="btn pri" type="button" data-act="paste" @click=${() => this.open('paste')}>
          <cf-icon name="plus"></cf-icon>${t('Add server')}
        </button>
      </div>
      ${
        servers === undefined
          ? this.#resources.error === undefined
            ? html`<cf-skeleton></cf-skeleton>`
            : html`<cf-error
                .error=${this.#resources.error}
                @cf-retry=${() => void this.#resources.reload()}
              ></cf-error>`
          : html`<cf-table
              label=${t('MCP servers')}
              find=${t('Find a server')}
              opens
              .columns=${this.columns()}
              .rows=${servers}
              .order=${{ key: 'name', down: false }}
              .keyOf=${(r: Resource) => r.name}
              .textOf=${(r: Resource) => `${r.name} ${r.description ?? ''} ${placeOf(r)}`}
              .rowClass=${(r: Resource) => (r.enabled ? '' : 'off')}
              .filters=${[
                { id: 'on', label: t('On'), fits: (r: Resource) => r.enabled },
                { id: 'off', label: t('Off'), fits: (r: Resource) => !r.enabled },
                { id: 'needs', label: t('Needs you'), fits: troubled },
              ]}
              @cf-open=${(e: CustomEvent<{ row: Resource }>) => navigate(serverHref(e.detail.row.name))}
            >
              <cf-empty
                slot="empty"
                icon="servers"
                heading=${t('No server yet')}
                text=${t('Paste the configuration of any client here, or press Add server.')}
              >
                <button class="btn pri" type="button" @click=${() => this.open('paste')}>${t('Add server')}</button>
              </cf-empty>
            </cf-table>`
      }
      <mcp-server-add
        mode=${add}
        .text=${this.pasted ?? ''}
        @cf-close=${() => {
          this.pasted = undefined;
          setQuery({ add: undefined });
          this.requestUpdate();
        }}
      ></mcp-server-add>
    </cf-page>`;
  }

  private open(mode: 'paste' | 'form'): void {
    setQuery({ add: mode });
    this.requestUpdate();
  }

  private toggle(r: Resource, on: boolean): void {
    const send = (x: boolean): Promise<unknown> => api.post(`${serverPath(r.name)}/${x ? 'enable' : 'disable'}`);
    void this.#switches
      .set(r.name, on, send, () => stores.resources.load())
      .then(() => {
        const error = this.#switches.error(r.name);
        if (error !== '') toast(messageOf(error));
      });
  }
}

/** Calls of each server in each of the last 24 hours, oldest first. */
function byHour(calls: readonly Invocation[], now: number): Map<string, number[]> {
  const first = Math.floor(now / HOUR) - 23;
  const all = new Map<string, number[]>();
  for (const c of calls) {
    const hours = all.get(c.server) ?? Array.from({ length: 24 }, () => 0);
    const at = Math.floor(Date.parse(c.timestamp) / HOUR) - first;
    if (at < 0) continue;
    hours[at] = (hours[at] ?? 0) + 1;
    all.set(c.server, hours);
  }
  return all;
}

export function transportOf(r: Resource): string {
  const transport = r.config['transport'] as { type?: string } | undefined;
  return transport?.type ?? '';
}

/** Where it is: the command or the address. */
export function placeOf(r: Resource): string {
  const transport = r.config['transport'] as { command?: string; args?: string[]; url?: string } | undefined;
  return transport?.url ?? [transport?.command, ...(transport?.args ?? [])].join(' ');
}
