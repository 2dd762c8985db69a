import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { CofferElement, Use, kitStyles, t } from '@coffer/ui';
import { conversations, hrefOf, HOME, type Conversation, type List } from './data.js';

const STEP = 50;

/** All conversations, the newest first: found by title, those in the archive apart. */
@customElement('chat-history')
export class ChatHistory extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 0;
        height: 100%;
        background: var(--canvas);
      }
      h1 {
        font: 600 var(--t-14);
      }
      .ht {
        padding: 14px 12px 10px;
        display: grid;
        gap: 8px;
      }
      .hl {
        overflow-y: auto;
        padding: 0 8px 12px;
        flex: 1;
      }
      .cv {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0 8px;
        padding: 7px 8px;
        border-radius: var(--r-2);
        color: inherit;
      }
      .cv:hover {
        background: var(--sunken);
        text-decoration: none;
      }
      .cv[aria-current] {
        background: var(--surface);
        box-shadow: inset 0 0 0 1px var(--line);
      }
      .cv b {
        font-weight: 500;
      }
      .cv small {
        font: var(--t-12);
        color: var(--ink-3);
        grid-column: 1 / -1;
        display: flex;
        gap: 6px;
        align-items: center;
      }
      .cv cf-time {
        font: var(--t-11);
        line-height: 20px;
        color: var(--ink-3);
      }
    `,
  ];
  @property() current = '';
  /** Nothing else is on the page: then its heading is the page's. */
  @property({ type: Boolean }) whole = false;
  @state() private search = '';
  @state() private archived = false;
  @state() private limit = STEP;
  #list = new Use<List>(this, undefined);
  #asked = '';

  protected override willUpdate(): void {
    const asked = JSON.stringify([this.archived, this.search, this.limit]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#list.point(conversations(this.archived, this.search.trim(), this.limit));
  }

  override render(): unknown {
    const list = this.#list.value;
    return html`<div class="ht">
        <div class="row">
          ${
            this.whole
              ? html`<h1 class="grow">${t('Conversations')}</h1>`
              : html`<h2 class="grow">${t('Conversations')}</h2>`
          }
          <slot name="hide"></slot><a class="btn pri sm" href=${HOME}><cf-icon name="plus"></cf-icon>${t('New')}</a>
        </div>
        <div class="find">
          <cf-icon name="search"></cf-icon
          ><input
            class="in"
            type="search"
            maxlength="200"
            placeholder=${t('Search titles')}
            aria-label=${t('Search titles')}
            @input=${(e: Event) => (this.search = (e.target as HTMLInputElement).value)}
          />
        </div>
        <cf-segmented
          label=${t('Which conversations')}
          .items=${[
            { id: 'active', label: t('Active') },
            { id: 'archived', label: t('Archived') },
          ]}
          value=${this.archived ? 'archived' : 'active'}
          @cf-change=${(e: CustomEvent<{ id: string }>) => (this.archived = e.detail.id === 'archived')}
        ></cf-segmented>
      </div>
      <nav class="hl" aria-label=${t('Conversations')}>
        ${
          this.#list.error === undefined
            ? nothing
            : html`<cf-error .error=${this.#list.error} @cf-retry=${() => void this.#list.reload()}></cf-error>`
        }
        ${list?.conversations.length === 0 ? html`<p class="dim sm pb">${this.none()}</p>` : nothing}
        ${repeat(
          list?.conversations ?? [],
          (c) => c.id,
          (c) => this.row(c),
        )}
        ${
          list !== undefined && list.total > list.conversations.length
            ? html`<button class="btn ghost sm" type="button" @click=${() => (this.limit += STEP)}>
                ${t('Show more')}
              </button>`
            : nothing
        }
      </nav>`;
  }

  private none(): string {
    if (this.search.trim() !== '') return t('No title fits.');
    return this.archived ? t('The archive is empty.') : t('Conversations you begin are listed here.');
  }

  private row(c: Conversation): unknown {
    const folder = c.agent_config.cwd?.split(/[\\/]/).filter(Boolean).at(-1);
    return html`<a class="cv" href=${hrefOf(c.id)} aria-current=${c.id === this.current ? 'page' : nothing}>
      <b class="cut">${c.title}</b>
      ${
        c.running
          ? html`<span class="st run"><i></i><span class="vh">${t('running')}</span></span>`
          : html`<cf-time at=${c.updated_at}></cf-time>`
      }
      <small
        ><span class="cut">${c.agent_name ?? c.agent_key}${folder === undefined ? '' : ` · ${folder}`}</span>${
          c.channel_name === null ? nothing : html`<span class="chip line">${c.channel_name}</span>`
        }</small
      >
    </a>`;
  }
}
