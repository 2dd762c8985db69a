import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import {
  CofferElement,
  Use,
  api,
  confirm,
  draft,
  messageOf,
  queryValue,
  seg,
  setQuery,
  stores,
  t,
  toast,
  type Column,
  type Credential,
} from '../kit/index.js';
import { hrefOf } from '../shell/places.js';
import { SIGNED_OUT } from '../shell/session.js';

/** The name that is typed for a new one; its value is kept nowhere. */
const NAME = 'credential-name';

/** Secrets by name. A value is written here and never shown, unless somebody asks; that is written down. */
@customElement('coffer-credentials')
export class CofferCredentials extends CofferElement {
  /** Name that is being set; '' for a new one. */
  @state() private editing: string | undefined;
  @state() private shown: { ref: string; value: string } | undefined;
  @state() private error = '';
  #credentials = new Use(this, stores.credentials);

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener(SIGNED_OUT, this.#cover);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener(SIGNED_OUT, this.#cover);
  }

  /** What is shown may not stay in the page beneath the login. */
  #cover = (): void => {
    this.shown = undefined;
  };

  protected override willUpdate(): void {
    if (queryValue('new') !== '1') return;
    this.editing = '';
    setQuery({ new: undefined });
  }

  private columns(): Column<Credential>[] {
    return [
      {
        key: 'ref',
        label: t('Name'),
        sort: (c) => c.ref,
        cell: (c) =>
          html`<div class="row">
            <cf-icon class="brass" name="key"></cf-icon><span class="nm mono">${c.ref}</span>
          </div>`,
      },
      {
        key: 'used',
        label: t('Used by'),
        priority: 2,
        cell: (c) => (c.cited_by.length === 0 ? html`<span class="dim">${t('nobody')}</span>` : c.cited_by.map(cite)),
      },
      {
        key: 'set',
        label: t('Set'),
        width: 's',
        priority: 3,
        sort: (c) => c.updated_at,
        cell: (c) => html`<cf-time class="mut" at=${c.updated_at}></cf-time>`,
      },
      {
        key: 'state',
        label: t('State'),
        width: 's',
        cell: (c) =>
          html`<cf-status state=${c.locked ? 'bad' : 'ok'}>${c.locked ? t('locked here') : t('opens')}</cf-status>`,
      },
      {
        key: 'do',
        label: t('Actions'),
        numeric: true,
        cell: (c) =>
          html`<span class="row">
            <button
              class="btn sm ghost"
              type="button"
              data-act="reveal"
              aria-label=${t('Reveal {name}', { name: c.ref })}
              ?disabled=${c.locked}
              @click=${() => void this.reveal(c)}
            >
              ${t('Reveal…')}
            </button>
            <button
              class="btn sm ghost"
              type="button"
              aria-label=${t('Replace {name}', { name: c.ref })}
              @click=${() => (this.editing = c.ref)}
            >
              ${t('Replace')}
            </button>
            <button
              class="btn sm ghost icon"
              type="button"
              aria-label=${t('Delete {name}', { name: c.ref })}
              title=${c.cited_by.length > 0 ? t('In use by {names}', { names: c.cited_by.join(', ') }) : t('Delete')}
              ?disabled=${c.cited_by.length > 0}
              @click=${() => void this.erase(c)}
            >
              <cf-icon name="trash"></cf-icon>
            </button>
          </span>`,
      },
    ];
  }

  override render(): unknown {
    return html`<cf-page
      heading=${t('Credentials')}
      text=${t('Secrets live here and nowhere else. Everything else holds only the name.')}
    >
      <button slot="actions" class="btn pri" type="button" data-act="new" @click=${() => (this.editing = '')}>
        <cf-icon name="plus"></cf-icon>${t('New credential')}
      </button>
      ${this.#credentials.error === undefined ? nothing : html`<cf-error .error=${this.#credentials.error} @cf-retry=${() => void this.#credentials.reload()}></cf-error>`}
      ${
        this.#credentials.value === undefined
          ? html`<cf-skeleton></cf-skeleton>`
          : html`<cf-table
              label=${t('Credentials')}
              find=${t('Find by name or user')}
              .columns=${this.columns()}
              .rows=${this.#credentials.value}
              .order=${{ key: 'ref', down: false }}
              .keyOf=${(c: Credential) => c.ref}
              .textOf=${(c: Credential) => `${c.ref} ${c.cited_by.join(' ')}`}
              .filters=${[
                { id: 'unused', label: t('Unused'), fits: (c: Credential) => c.cited_by.length === 0 },
                { id: 'locked', label: t('Locked'), fits: (c: Credential) => c.locked },
              ]}
            >
              <cf-empty
                slot="empty"
                icon="key"
                heading=${t('No credential yet')}
                text=${t('A token kept here is encrypted, and its name can be used in any server.')}
              ></cf-empty>
            </cf-table>`
      }
      ${this.editor()} ${this.value()}
    </cf-page>`;
  }

  private editor(): unknown {
    const fresh = this.editing === '';
    return html`<cf-dialog
      size="s"
      heading=${fresh ? t('New credential') : t('Replace {name}', { name: this.editing ?? '' })}
      ?open=${this.editing !== undefined}
      @cf-close=${this.close}
    >
      ${
        this.editing === undefined
          ? nothing
          : html`<form
              class="col"
              id="set"
              @submit=${(e: Event) => {
                e.preventDefault();
                void this.save();
              }}
            >
              ${
                fresh
                  ? html`<div class="f">
                      <label for="ref">${t('Name')}</label
                      ><input
                        class="in mono"
                        id="ref"
                        required
                        .value=${draft.get<string>(NAME) ?? ''}
                        @input=${(e: InputEvent) => draft.set(NAME, (e.target as HTMLInputElement).value)}
                        placeholder="github/token"
                        autocomplete="off"
                        spellcheck="false"
                      />
                      <div class="help">${t('Letters, digits, dots, dashes, parted by slashes.')}</div>
                    </div>`
                  : nothing
              }
              <div class="f">
                <label for="value">${t('Secret value')}</label
                ><input class="in" id="value" type="password" required autocomplete="new-password" />
              </div>
              ${this.error === '' ? nothing : html`<div class="errmsg" role="alert"><cf-icon name="warn"></cf-icon><span>${this.error}</span></div>`}
            </form>`
      }
      <div slot="footer" class="row end">
        <button class="btn" type="button" @click=${this.close}>${t('Cancel')}</button>
        <button class="btn pri" type="button" data-act="keep" @click=${this.save}>${t('Keep it')}</button>
      </div>
    </cf-dialog>`;
  }

  private value(): unknown {
    return html`<cf-dialog
      size="s"
      heading=${this.shown?.ref ?? ''}
      ?open=${this.shown !== undefined}
      @cf-close=${() => (this.shown = undefined)}
    >
      ${
        this.shown === undefined
          ? nothing
          : html`<cf-code wrap label=${t('Value')} .value=${this.shown.value}></cf-code>
              <p class="sm dim">${t('That it was read is in Activity; the value is not.')}</p>`
      }
    </cf-dialog>`;
  }

  private close(): void {
    this.editing = undefined;
    this.error = '';
  }

  private async save(): Promise<void> {
    const text = (id: string): string => this.renderRoot.querySelector<HTMLInputElement>(`#${id}`)?.value ?? '';
    const ref = this.editing === '' ? text('ref').trim() : (this.editing ?? '');
    try {
      await api.post('/credentials', { ref, value: text('value') });
      if (this.editing === '') draft.drop(NAME);
      await stores.credentials.load();
      this.close();
      toast(t('{name} is kept', { name: ref }));
    } catch (e) {
      this.error = messageOf(e);
    }
  }

  private async reveal(c: Credential): Promise<void> {
    const sure = await confirm({
      title: t('Show the value of {name}?', { name: c.ref }),
      text: t('It will be on this screen until you close it, and Activity will say that it was read.'),
      verb: t('Reveal'),
    });
    if (!sure) return;
    try {
      const { value } = await api.get<{ value: string }>(`/credentials/${seg(c.ref)}`);
      this.shown = { ref: c.ref, value };
    } catch (e) {
      toast(messageOf(e));
    }
  }

  private async erase(c: Credential): Promise<void> {
    const sure = await confirm({
      title: t('Delete {name}?', { name: c.ref }),
      text: t('Its value cannot be brought back. Nothing uses it now.'),
      verb: t('Delete'),
      danger: true,
    });
    if (!sure) return;
    try {
      await api.delete(`/credentials/${seg(c.ref)}`);
      await stores.credentials.load();
    } catch (e) {
      toast(messageOf(e));
    }
  }
}

function cite(ref: string): unknown {
  const [kind = '', name = ''] = ref.split(/:(.*)/s);
  return html`<a href=${hrefOf({ kind, name })}>${name}</a> `;
}
