import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  ApiError,
  CofferElement,
  Switches,
  Use,
  api,
  draft,
  messageOf,
  navigate,
  resourcePath,
  scopeWords,
  stateOf,
  stores,
  t,
  toast,
  translated,
  type CfForm,
  type Column,
  type Kind,
  type Problem,
  type Resource,
  type RouteParams,
} from '../kit/index.js';

/** All resources of a kind that has no page of its own. */
@customElement('coffer-kind')
export class CofferKind extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};
  @state() private adding = false;
  @state() private problems: readonly Problem[] = [];
  @state() private error = '';
  #resources = new Use(this, stores.resources);
  #kinds = new Use(this, stores.kinds);
  #machines = new Use(this, stores.machines);
  #switches = new Switches(() => this.requestUpdate());

  private get kind(): string {
    return this.params['kind'] ?? '';
  }
  private get href(): string {
    return `/r/${encodeURIComponent(this.kind)}`;
  }

  private columns(): Column<Resource>[] {
    return [
      {
        key: 'on',
        label: t('On'),
        width: 't',
        cell: (r) =>
          html`<cf-switch
            label=${r.name}
            .checked=${this.#switches.shown(r.ref, r.enabled)}
            .pending=${this.#switches.pending(r.ref)}
            @cf-toggle=${(e: CustomEvent<{ checked: boolean }>) => this.toggle(r, e.detail.checked)}
          ></cf-switch>`,
      },
      {
        key: 'name',
        label: t('Name'),
        sort: (r) => r.name,
        cell: (r) =>
          html`<a class="nm" href="${this.href}/${encodeURIComponent(r.name)}">${r.name}</a>
            <div class="de cut">${r.description}</div>`,
      },
      {
        key: 'state',
        label: t('State'),
        width: 's',
        sort: (r) => stateOf(r).word,
        cell: (r) => html`<cf-status state=${stateOf(r).state}>${stateOf(r).word}</cf-status>`,
      },
      {
        key: 'seen',
        label: t('Seen by'),
        priority: 2,
        cell: (r) => html`<span class="mut">${scopeWords(r.scope, this.#machines.value ?? []).who}</span>`,
      },
      {
        key: 'changed',
        label: t('Changed'),
        width: 's',
        priority: 3,
        sort: (r) => r.updated_at,
        cell: (r) => html`<cf-time class="mut" at=${r.updated_at}></cf-time>`,
      },
    ];
  }

  override render(): unknown {
    const kind = this.#kinds.value?.find((k) => k.kind === this.kind);
    if (this.#kinds.value !== undefined && kind === undefined)
      return html`<cf-page heading=${this.kind}
        ><cf-empty
          icon="plug"
          heading=${t('Nothing here knows this kind')}
          text=${t('The plugin that brings it does not run now. What was saved is kept.')}
          ><a class="btn" href="/plugins">${t('Plugins')}</a></cf-empty
        ></cf-page
      >`;
    const label = translated(kind?.label.many ?? this.kind);
    const generic = kind?.creation === 'generic';
    return html`<cf-page heading=${label} text=${translated(kind?.schema.description ?? '')}>
      ${
        generic
          ? html`<button
              slot="actions"
              class="btn pri"
              type="button"
              data-act="add"
              @click=${() => (this.adding = true)}
            >
              <cf-icon name="plus"></cf-icon>${t('Add')}
            </button>`
          : nothing
      }
      ${
        this.#resources.value === undefined
          ? html`<cf-skeleton></cf-skeleton>`
          : html`<cf-table
              label=${label}
              find=${t('Find by name')}
              opens
              .columns=${this.columns()}
              .rows=${this.#resources.value.filter((r) => r.kind === this.kind)}
              .order=${{ key: 'name', down: false }}
              .keyOf=${(r: Resource) => r.ref}
              .textOf=${(r: Resource) => `${r.name} ${r.description ?? ''}`}
              .rowClass=${(r: Resource) => (r.enabled ? '' : 'off')}
              .filters=${[
                { id: 'on', label: t('On'), fits: (r: Resource) => r.enabled },
                { id: 'off', label: t('Off'), fits: (r: Resource) => !r.enabled },
              ]}
              @cf-open=${(e: CustomEvent<{ row: Resource }>) => navigate(`${this.href}/${encodeURIComponent(e.detail.row.name)}`)}
            >
              <cf-empty
                slot="empty"
                icon="box"
                heading=${t('None yet')}
                text=${t('What you add appears here and is lent to every agent that may see it.')}
              ></cf-empty>
            </cf-table>`
      }
      ${kind === undefined ? nothing : this.adder(kind)}
    </cf-page>`;
  }

  private adder(kind: Kind): unknown {
    const key = `new:${kind.kind}`;
    const kept = draft.get<{ name: string; config: unknown }>(key) ?? { name: '', config: {} };
    return html`<cf-dialog
      heading=${t('Add: {kind}', { kind: translated(kind.label.one) })}
      ?open=${this.adding}
      @cf-close=${() => (this.adding = false)}
    >
      ${
        this.adding
          ? html`<div class="col gap-4">
              <div class="f">
                <label for="name">${t('Name')}</label>
                <input
                  class="in"
                  id="name"
                  .value=${kept.name}
                  spellcheck="false"
                  autocomplete="off"
                  @input=${(e: InputEvent) => draft.set(key, { ...(draft.get<object>(key) ?? kept), name: (e.target as HTMLInputElement).value })}
                />
              </div>
              ${this.error === '' ? nothing : html`<div class="note bad" role="alert"><span>${this.error}</span></div>`}
              <cf-form
                .schema=${kind.schema}
                .value=${kept.config}
                .problems=${this.problems}
                @cf-change=${(e: CustomEvent<{ value: unknown }>) => draft.set(key, { ...(draft.get<object>(key) ?? kept), config: e.detail.value })}
                @cf-submit=${(e: CustomEvent<{ value: unknown }>) => void this.create(kind, e.detail.value)}
              ></cf-form>
            </div>`
          : nothing
      }
      <div slot="footer" class="row end">
        <button class="btn" type="button" @click=${() => (this.adding = false)}>${t('Cancel')}</button>
        <button
          class="btn pri"
          type="button"
          data-act="create"
          @click=${() => void this.renderRoot.querySelector<CfForm>('cf-form')?.submit()}
        >
          ${t('Add')}
        </button>
      </div>
    </cf-dialog>`;
  }

  private async create(kind: Kind, config: unknown): Promise<void> {
    const name = this.renderRoot.querySelector<HTMLInputElement>('#name')?.value.trim() ?? '';
    this.error = '';
    try {
      await api.post('/resources', { kind: kind.kind, name, config });
      draft.drop(`new:${kind.kind}`);
      await stores.resources.load();
      this.adding = false;
      navigate(`${this.href}/${encodeURIComponent(name)}`);
    } catch (e) {
      this.problems =
        e instanceof ApiError
          ? e.problems.map((p) => ({ ...p, pointer: p.pointer.replace(/^\/config(?=\/|$)/, '') }))
          : [];
      this.error = messageOf(e);
    }
  }

  private toggle(r: Resource, on: boolean): void {
    const send = (x: boolean): Promise<unknown> =>
      api.post(`${resourcePath(r.kind, r.name)}/${x ? 'enable' : 'disable'}`);
    void this.#switches
      .set(r.ref, on, send, () => stores.resources.load())
      .then(() => {
        const error = this.#switches.error(r.ref);
        if (error !== '') toast(error);
      });
  }
}

/** One resource of such a kind. */
@customElement('coffer-resource')
export class CofferResource extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};

  override render(): unknown {
    const { kind = '', name = '' } = this.params;
    return html`<cf-resource kind=${kind} name=${name} list="/r/${encodeURIComponent(kind)}"></cf-resource>`;
  }
}
