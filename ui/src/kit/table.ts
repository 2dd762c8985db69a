import { css, html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { repeat } from 'lit/directives/repeat.js';
import { CofferElement, kitStyles } from './core/element.js';
import { t } from './core/i18n.js';
import { VIRTUAL_FROM, arrange, ringOf, windowOf, type Column, type Filter, type Order } from './table-model.js';

/**
 * A table for five rows or five thousand: search (`/`), one filter, sorting, arrows between rows, Enter opens. Above 200 rows only
 * what is in view is drawn. Slots: `bar` beside the search, `empty`.
 * @fires cf-open - `{row}`: Enter or a click on the row
 * @fires cf-more - older rows are wanted
 */
@customElement('cf-table')
export class CfTable<R> extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      .tw.virtual {
        max-height: 70vh;
        overflow: auto;
      }
      .tw.virtual thead th {
        position: sticky;
        top: 0;
        z-index: 1;
      }
      .tb .w-t {
        width: 52px;
      }
      .tb .w-s {
        width: 120px;
      }
      .tb .w-m {
        width: 24%;
      }
      .tb td {
        height: 49px;
        max-width: 46ch;
      }
      .tb.dense td {
        height: 34px;
      }
      .tb th button {
        all: unset;
        cursor: pointer;
        display: inline-flex;
        gap: 4px;
      }
      .tb th button:focus-visible {
        outline: 2px solid var(--accent);
        outline-offset: 2px;
      }
      .tb tr.click {
        cursor: pointer;
      }
      .tb .ra {
        opacity: 1;
      }
      .pf {
        display: flex;
        gap: 12px;
        align-items: center;
      }
      .space td {
        padding: 0 !important;
        height: auto;
        border: 0;
      }
    `,
  ];
  @property({ attribute: false }) columns: readonly Column<R>[] = [];
  @property({ attribute: false }) rows: readonly R[] = [];
  /** Identity of a row. */
  @property({ attribute: false }) keyOf: (row: R) => string = (row) => JSON.stringify(row);
  /** What the search looks into; absent: no search. */
  @property({ attribute: false }) textOf: ((row: R) => string) | undefined;
  @property({ attribute: false }) filters: readonly Filter<R>[] = [];
  @property({ attribute: false }) rowClass: (row: R) => string = () => '';
  @property({ attribute: false }) order: Order | undefined;
  /** Placeholder of the search. */
  @property() find = '';
  @property() label = '';
  @property({ type: Boolean }) dense = false;
  /** Rows can be opened. */
  @property({ type: Boolean }) opens = false;
  @property() selected = '';
  /** There are older rows; shows the button that fetches them. */
  @property({ type: Boolean }) more = false;
  @state() private search = '';
  @state() private filter = '';
  @state() private active = 0;
  @state() private offset = 0;
  private shown: readonly R[] = [];
  #frame = 0;

  private get rowHeight(): number {
    return this.dense ? 34 : 49;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!['rows', 'search', 'filter', 'order', 'columns', 'filters'].some((p) => changed.has(p))) return;
    const column = this.columns.find((c) => c.key === this.order?.key);
    this.shown = arrange(
      this.rows,
      this.search,
      this.textOf ?? (() => ''),
      this.filters.find((f) => f.id === this.filter),
      column?.sort,
      this.order?.down === true,
    );
    this.active = Math.max(0, Math.min(this.active, this.shown.length - 1));
  }

  override render(): unknown {
    const { shown } = this;
    const virtual = shown.length >= VIRTUAL_FROM;
    const height = this.renderRoot.querySelector('.tw')?.clientHeight || 640;
    const [from, to] = windowOf(shown.length, this.offset, height, this.rowHeight);
    const ring = ringOf(height, this.rowHeight);
    return html`${this.bar()}
      <div class="panel">
        <div
          class=${classMap({ tw: true, virtual })}
          tabindex="0"
          role="region"
          aria-label=${this.label}
          @scroll=${this.scrolled}
          @keydown=${this.keys}
        >
          <table class="tb ${this.dense ? 'dense' : ''}" aria-rowcount=${shown.length + 1} aria-label=${this.label}>
            <thead>
              <tr aria-rowindex="1">
                ${this.columns.map((c) => this.head(c))}
              </tr>
            </thead>
            <tbody>
              ${space(from * this.rowHeight, this.columns.length)}
              ${repeat(
                shown.slice(from, to),
                (row, i) => (virtual ? (from + i) % ring : this.keyOf(row)),
                (row, i) => this.row(row, from + i),
              )}
              ${space((shown.length - to) * this.rowHeight, this.columns.length)}
            </tbody>
          </table>
          ${shown.length === 0 ? this.none() : nothing}
        </div>
        ${this.foot()}
      </div>`;
  }

  private bar(): unknown {
    if (this.textOf === undefined && this.filters.length === 0) return html`<slot name="bar"></slot>`;
    return html`<div class="bar">
      ${
        this.textOf === undefined
          ? nothing
          : html`<div class="find">
              <cf-icon name="search"></cf-icon>
              <input
                class="in"
                type="search"
                placeholder=${this.find}
                aria-label=${this.find}
                .value=${this.search}
                @input=${(e: InputEvent) => {
                  this.search = (e.target as HTMLInputElement).value;
                  this.offset = 0;
                }}
              />
            </div>`
      }
      ${
        this.filters.length === 0
          ? nothing
          : html`<cf-segmented
              label=${t('Which')}
              value=${this.filter}
              .items=${[{ id: '', label: t('All') }, ...this.filters]}
              @cf-change=${(e: CustomEvent<{ id: string }>) => {
                e.stopPropagation();
                this.filter = e.detail.id;
              }}
            ></cf-segmented>`
      }
      <slot name="bar"></slot>
    </div>`;
  }

  private head(c: Column<R>): unknown {
    const sorted = this.order?.key === c.key ? (this.order.down ? 'descending' : 'ascending') : nothing;
    return html`<th class=${cellClass(c)} aria-sort=${sorted} scope="col">
      ${
        c.sort === undefined
          ? c.label
          : html`<button
              type="button"
              @click=${() => {
                this.order = { key: c.key, down: this.order?.key === c.key && !this.order.down };
              }}
            >
              ${c.label}${sorted === nothing ? '' : html`<span aria-hidden="true">${this.order?.down === true ? '↓' : '↑'}</span>`}
            </button>`
      }
    </th>`;
  }

  private row(row: R, index: number): unknown {
    const key = this.keyOf(row);
    return html`<tr
      class="${this.rowClass(row)} ${this.opens ? 'click' : ''}"
      data-row=${key}
      data-index=${index}
      aria-rowindex=${index + 2}
      aria-selected=${this.selected === '' ? nothing : String(this.selected === key)}
      tabindex=${index === this.active ? 0 : -1}
      @focus=${() => (this.active = index)}
      @click=${(e: MouseEvent) => {
        if (this.opens && !handled(e)) this.emit('cf-open', { row });
      }}
    >
      ${this.columns.map((c) => html`<td class=${cellClass(c)}>${c.cell(row)}</td>`)}
    </tr>`;
  }

  private none(): unknown {
    if (this.rows.length === 0) return html`<slot name="empty"></slot>`;
    return html`<cf-empty
      icon="search"
      heading=${t('Nothing fits')}
      text=${t('{n} rows are here; none has what you look for.', { n: this.rows.length })}
      ><button
        class="btn sm"
        type="button"
        @click=${() => {
          this.search = '';
          this.filter = '';
        }}
      >
        ${t('Show all')}
      </button></cf-empty
    >`;
  }

  private foot(): unknown {
    const part = this.shown.length !== this.rows.length;
    if (!part && !this.more) return nothing;
    return html`<div class="pf">
      <span class="dim sm" role="status"
        >${t('Showing {n} of {all}', { n: this.shown.length, all: this.rows.length })}</span
      >
      ${
        this.more
          ? html`<button class="btn sm end" type="button" @click=${() => this.emit('cf-more', {})}>
              ${t('Show older')}
            </button>`
          : nothing
      }
    </div>`;
  }

  private scrolled(e: Event): void {
    const top = (e.target as HTMLElement).scrollTop;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => (this.offset = top));
  }

  private keys(e: KeyboardEvent): void {
    const inside = e.composedPath()[0] as HTMLElement;
    const onRow = inside.tagName === 'TR';
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[e.key];
    if (step !== undefined && (onRow || inside.classList.contains('tw'))) {
      e.preventDefault();
      this.active = Math.max(0, Math.min(this.active + step, this.shown.length - 1));
      void this.reveal();
    } else if (onRow && e.key === 'Enter') {
      const row = this.shown[this.active];
      if (row !== undefined && this.opens) this.emit('cf-open', { row });
    } else if (onRow && e.key === ' ') {
      const control = inside.querySelector<HTMLElement & { checked: boolean }>('cf-switch');
      if (control === null) return;
      e.preventDefault();
      control.dispatchEvent(
        new CustomEvent('cf-toggle', { detail: { checked: !control.checked }, bubbles: true, composed: true }),
      );
    }
  }

  private async reveal(): Promise<void> {
    const box = this.renderRoot.querySelector('.tw');
    if (box !== null && this.shown.length >= VIRTUAL_FROM) {
      const top = this.active * this.rowHeight;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (top + 2 * this.rowHeight > box.scrollTop + box.clientHeight)
        box.scrollTop = top + 2 * this.rowHeight - box.clientHeight;
      this.offset = box.scrollTop;
    }
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`tr[data-index="${this.active}"]`)?.focus();
  }

  /** Puts the cursor into the search; false when there is none. */
  focusSearch(): boolean {
    const input = this.renderRoot.querySelector<HTMLInputElement>('input[type="search"]');
    input?.focus();
    return input !== null;
  }
}

/** Something in the row took the click for itself. */
function handled(e: MouseEvent): boolean {
  for (const node of e.composedPath()) {
    if (!(node instanceof HTMLElement) || node.tagName === 'TR') return false;
    if (/^(A|BUTTON|INPUT|SELECT|LABEL|CF-SWITCH)$/.test(node.tagName)) return true;
  }
  return false;
}

function cellClass(c: Column<never>): string {
  return [
    c.numeric === true ? 'num' : '',
    c.width === undefined ? '' : `w-${c.width}`,
    (c.priority ?? 1) > 1 ? 'hide-s' : '',
    c.priority === 3 ? 'hide-m' : '',
  ].join(' ');
}

/** Stands for rows that are not drawn. As a property, since the page's policy forbids the attribute. */
function space(height: number, columns: number): unknown {
  if (height <= 0) return nothing;
  return html`<tr class="space" aria-hidden="true">
    <td colspan=${columns} .style=${`height: ${height}px`}></td>
  </tr>`;
}
