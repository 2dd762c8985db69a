import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  CofferElement,
  Use,
  api,
  format,
  kitStyles,
  messageOf,
  plural,
  queryValue,
  setQuery,
  stores,
  t,
  type Column,
  type RouteParams,
} from '@coffer/ui';
import { HOME, KIND, basePath, documentsOf, type KnowledgeDocument, type Passage } from './data.js';
import { marked } from './marked.js';
import './add-files.js';
import './document.js';

/** One knowledge base: search in it, its documents, and the one that is open. */
@customElement('knowledge-page')
export class KnowledgePage extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      .g-31 {
        align-items: start;
      }
      .hit p {
        white-space: pre-wrap;
      }
    `,
  ];
  @property({ attribute: false }) params: RouteParams = {};
  @state() private passages: readonly Passage[] | undefined;
  @state() private problem = '';
  #resources = new Use(this, stores.resources);
  #documents = new Use<KnowledgeDocument[]>(this, undefined);
  #name = '';
  #asked = '';
  #turn = 0;

  protected override willUpdate(): void {
    const name = this.params['name'] ?? '';
    if (name !== this.#name) {
      this.#name = name;
      this.#documents.point(documentsOf(name));
    }
    const asked = `${name}\n${queryValue('q')}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    void this.ask();
  }

  /** The same search that agents have. */
  private async ask(): Promise<void> {
    const turn = ++this.#turn;
    const query = queryValue('q').trim();
    this.problem = '';
    if (query === '') {
      this.passages = undefined;
      return;
    }
    try {
      const { passages } = await api.post<{ passages: Passage[] }>(`${basePath(this.#name)}/search`, { query });
      if (turn === this.#turn) this.passages = passages;
    } catch (e) {
      if (turn === this.#turn) this.problem = messageOf(e);
    }
  }

  override render(): unknown {
    const resource = this.#resources.value?.find((r) => r.kind === KIND && r.name === this.#name);
    const open = this.#documents.value?.find((d) => d.document_id === queryValue('doc'));
    return html`<cf-page wide heading=${this.#name} text=${resource?.description ?? ''}>
      <nav slot="crumbs" class="crumbs"><a href=${HOME}>${t('Knowledge')}</a></nav>
      <a slot="actions" class="btn" href="/r/${KIND}/${encodeURIComponent(this.#name)}">${t('Settings')}</a>
      <div class="grid g-31">
        <div class="grid">
          ${this.search()}
          ${open === undefined ? nothing : html`<knowledge-document .base=${this.#name} .document=${open} @gone=${() => this.turnTo({ doc: '' })}></knowledge-document>`}
          ${this.table()}
        </div>
        <knowledge-add-files .base=${this.#name}></knowledge-add-files>
      </div>
    </cf-page>`;
  }

  private turnTo(change: Record<string, string>): void {
    setQuery(change);
    this.requestUpdate();
  }

  private search(): unknown {
    const query = queryValue('q');
    return html`<section class="panel" aria-label=${t('Search this base')}>
      <div class="ph">
        <div class="find grow">
          <cf-icon name="search"></cf-icon>
          <input
            class="in"
            type="search"
            .value=${query}
            placeholder=${t('Search this base')}
            aria-label=${t('Search this base')}
            @input=${(e: Event) => this.turnTo({ q: (e.target as HTMLInputElement).value })}
          />
        </div>
        <span class="end sm dim" role="status"
          >${this.passages === undefined ? '' : plural(this.passages.length, '{n} passage', '{n} passages')}</span
        >
      </div>
      ${this.problem === '' ? nothing : html`<div class="note bad" role="alert">${this.problem}</div>`}
      ${this.passages?.map((p) => this.hit(p, query))}
      ${
        this.passages?.length === 0
          ? html`<cf-empty
              icon="search"
              heading=${t('Nothing fits')}
              text=${t('Other words may; parts of words are found too.')}
            ></cf-empty>`
          : nothing
      }
    </section>`;
  }

  private hit(p: Passage, query: string): unknown {
    return html`<div class="hit">
      <div class="path">
        <a href=${this.hrefOf(p.document_id)}><b>${p.title}</b></a>
      </div>
      ${p.headings.length === 0 ? nothing : html`<div class="b">${marked(p.headings.join(' › '), query)}</div>`}
      <p>${marked(p.text, query)}</p>
    </div>`;
  }

  private hrefOf(doc: string): string {
    const q = queryValue('q');
    const search = new URLSearchParams({ ...(q !== '' && { q }), doc });
    return `${HOME}/${encodeURIComponent(this.#name)}?${search.toString()}`;
  }

  private table(): unknown {
    const { value, error } = this.#documents;
    if (error !== undefined)
      return html`<cf-error .error=${error} @cf-retry=${() => void this.#documents.reload()}></cf-error>`;
    if (value === undefined) return html`<cf-skeleton></cf-skeleton>`;
    if (value.length === 0)
      return html`<section class="panel">
        <cf-empty
          icon="info"
          heading=${t('Nothing is in it yet')}
          text=${t('Drop files on the right, or choose some.')}
        ></cf-empty>
      </section>`;
    return html`<cf-table
      label=${t('Documents')}
      find=${t('Find a document')}
      .columns=${this.columns()}
      .rows=${value}
      .keyOf=${(d: KnowledgeDocument) => d.document_id}
      .textOf=${(d: KnowledgeDocument) => `${d.title} ${d.source_filename ?? ''}`}
      selected=${queryValue('doc')}
    ></cf-table>`;
  }

  private columns(): Column<KnowledgeDocument>[] {
    return [
      {
        key: 'title',
        label: t('Title'),
        sort: (d) => d.title,
        cell: (d) => html`<a class="nm" href=${this.hrefOf(d.document_id)}>${d.title}</a>`,
      },
      {
        key: 'file',
        label: t('File'),
        priority: 2,
        sort: (d) => d.source_filename ?? '',
        cell: (d) => d.source_filename ?? '',
      },
      {
        key: 'mode',
        label: t('State'),
        width: 's',
        priority: 2,
        sort: (d) => d.source_mode,
        cell: (d) => (d.source_mode === 'edited' ? t('edited') : t('as converted')),
      },
      {
        key: 'size',
        label: t('Size'),
        numeric: true,
        width: 's',
        priority: 3,
        sort: (d) => d.bytes,
        cell: (d) => format.bytes(d.bytes),
      },
      {
        key: 'changed',
        label: t('Changed'),
        width: 's',
        priority: 3,
        sort: (d) => d.updated_at,
        cell: (d) => html`<cf-time at=${d.updated_at}></cf-time>`,
      },
    ];
  }
}
