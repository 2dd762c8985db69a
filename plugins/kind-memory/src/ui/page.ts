import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  CofferElement,
  Use,
  api,
  kitStyles,
  messageOf,
  queryValue,
  setQuery,
  t,
  toast,
  type RouteParams,
} from '@coffer/ui';
import { HOME, factsOf, memoryStores, storePath, writer, type Fact, type Hit, type MemoryStore } from './data.js';
import './fact.js';
import './new-fact.js';
import './rules.js';

/** Stores, the facts of one, and the fact that is open. */
@customElement('memory-page')
export class MemoryPage extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      .g-mem {
        align-items: start;
      }
      .tree {
        padding: 8px;
      }
      .li .btn.two {
        padding: 0;
        height: auto;
        text-align: left;
        font-weight: 500;
      }
    `,
  ];
  @property({ attribute: false }) params: RouteParams = {};
  @state() private found: readonly string[] | undefined;
  @state() private error = '';
  #stores = new Use(this, memoryStores);
  #facts = new Use<Fact[]>(this, undefined);
  #store = '';
  #asked = '';
  #turn = 0;

  protected override willUpdate(): void {
    const store = this.params['name'] ?? 'global';
    if (store !== this.#store) {
      this.#store = store;
      this.#facts.point(factsOf(store));
    }
    const asked = `${store}\n${queryValue('q')}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    void this.ask();
  }

  /** The same search that agents have. */
  private async ask(): Promise<void> {
    const turn = ++this.#turn;
    const text = queryValue('q').trim();
    this.error = '';
    if (text === '') {
      this.found = undefined;
      return;
    }
    try {
      const { hits } = await api.post<{ hits: Hit[] }>(`${storePath(this.#store)}/recall`, { query: text, top_k: 50 });
      if (turn === this.#turn) this.found = [...new Set(hits.map((h) => h.id.slice(this.#store.length + 1)))];
    } catch (e) {
      if (turn === this.#turn) this.error = messageOf(e);
    }
  }

  override render(): unknown {
    const stores = this.#stores.value ?? [];
    const adding = queryValue('add') === 'fact';
    return html`<cf-page
      wide
      heading=${t('Memory')}
      text=${t('What your agents have learnt, in files you can read, edit and take back.')}
    >
      <button slot="actions" class="btn pri" type="button" @click=${() => this.turnTo({ add: 'fact' })}>
        ${t('New fact')}
      </button>
      ${
        adding
          ? html`<memory-new-fact
              .store=${this.#store}
              .stores=${stores}
              @done=${(e: CustomEvent<{ store: string; id: string } | undefined>) => {
                this.turnTo({ add: '', ...(e.detail !== undefined && { fact: e.detail.id }) });
                if (e.detail !== undefined) toast(t('Remembered'));
              }}
            ></memory-new-fact>`
          : nothing
      }
      <div class="grid g-mem">${this.places(stores)} ${this.list()} ${this.opened(stores)}</div>
    </cf-page>`;
  }

  private turnTo(change: Record<string, string>): void {
    setQuery(change);
    this.requestUpdate();
  }

  private places(stores: readonly MemoryStore[]): unknown {
    const all = stores.some((s) => s.name === 'global')
      ? stores
      : [{ name: 'global', label: 'global', identity: null, fact_count: 0 }, ...stores];
    return html`<div class="col gap-4">
      <nav class="panel" aria-label=${t('Stores')}>
        <div class="ph"><h2>${t('Stores')}</h2></div>
        <ul class="tree">
          ${all.map(
            (s) =>
              html`<li>
                <a
                  href="${HOME}/${encodeURIComponent(s.name)}"
                  aria-current=${s.name === this.#store ? 'page' : nothing}
                  title=${s.identity ?? nothing}
                  ><span class="cut">${s.name === 'global' ? t('Everywhere') : s.label}</span
                  ><span class="end">${s.fact_count}</span></a
                >
              </li>`,
          )}
        </ul>
      </nav>
      <memory-rules .store=${this.#store}></memory-rules>
    </div>`;
  }

  private list(): unknown {
    const all = this.#facts.value;
    const shown = this.found === undefined ? all : this.found.flatMap((id) => all?.find((f) => f.id === id) ?? []);
    return html`<section class="panel" aria-label=${t('Find in facts')}>
      <div class="ph">
        <div class="find grow">
          <cf-icon name="search"></cf-icon>
          <input
            class="in"
            type="search"
            .value=${queryValue('q')}
            placeholder=${t('Find in facts')}
            aria-label=${t('Find in facts')}
            @input=${(e: Event) => this.turnTo({ q: (e.target as HTMLInputElement).value })}
          />
        </div>
        <span class="end sm dim" role="status">${shown?.length ?? ''}</span>
      </div>
      ${this.error === '' ? nothing : html`<div class="note bad" role="alert">${this.error}</div>`}
      ${this.#facts.error === undefined ? nothing : html`<cf-error .error=${this.#facts.error} @cf-retry=${() => void this.#facts.reload()}></cf-error>`}
      ${shown === undefined && this.#facts.error === undefined ? html`<cf-skeleton></cf-skeleton>` : nothing}
      ${shown?.length === 0 ? this.nothingHere() : nothing}
      <ul>
        ${shown?.map((f) => this.row(f))}
      </ul>
    </section>`;
  }

  private nothingHere(): unknown {
    return this.found === undefined
      ? html`<cf-empty
          icon="info"
          heading=${t('Nothing was remembered yet')}
          text=${t('Agents keep facts with coffer__remember; you can write one yourself.')}
        ></cf-empty>`
      : html`<cf-empty
          icon="search"
          heading=${t('Nothing fits')}
          text=${t('Other words may; parts of words are found too.')}
        ></cf-empty>`;
  }

  private row(f: Fact): unknown {
    const open = f.id === queryValue('fact');
    return html`<li class="li" aria-current=${open ? 'true' : nothing}>
      <div class="grow">
        <button class="btn ghost two" type="button" @click=${() => this.turnTo({ fact: f.id })}>${f.name}</button>
        <div class="row sm dim mt-1">
          <span>${writer(f)}</span><cf-time class="end" .value=${f.updated_at}></cf-time>
        </div>
      </div>
    </li>`;
  }

  private opened(stores: readonly MemoryStore[]): unknown {
    const fact = this.#facts.value?.find((f) => f.id === queryValue('fact'));
    if (fact === undefined)
      return html`<section class="panel">
        <cf-empty
          icon="info"
          heading=${t('Choose a fact')}
          text=${t('It opens here to be read and changed.')}
        ></cf-empty>
      </section>`;
    return html`<memory-fact
      .fact=${fact}
      .store=${this.#store}
      .stores=${stores}
      @gone=${() => this.turnTo({ fact: '' })}
    ></memory-fact>`;
  }
}
