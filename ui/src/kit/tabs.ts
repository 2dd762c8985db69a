import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';

export interface Tab {
  id: string;
  label: string;
  count?: string;
}

/**
 * Tabs with counts; arrows move between them.
 * @fires cf-change - `{id}`
 */
@customElement('cf-tabs')
export class CfTabs extends CofferElement {
  @property({ attribute: false }) items: readonly Tab[] = [];
  @property() value = '';
  @property() label = '';

  override render(): unknown {
    return html`<div class="tabs" role="tablist" aria-label=${this.label} @keydown=${this.move}>
      ${this.items.map(
        (item) =>
          html`<button
            type="button"
            role="tab"
            data-tab=${item.id}
            aria-selected=${item.id === this.value}
            tabindex=${item.id === this.value ? 0 : -1}
            @click=${() => this.emit('cf-change', { id: item.id })}
          >
            ${item.label}${item.count === undefined ? nothing : html` <span class="c">${item.count}</span>`}
          </button>`,
      )}
    </div>`;
  }

  private move(e: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (step === undefined) return;
    e.preventDefault();
    const at = this.items.findIndex((i) => i.id === this.value);
    const next = this.items[(at + step + this.items.length) % this.items.length];
    if (next === undefined) return;
    this.emit('cf-change', { id: next.id });
    // At once: its owner gives the new value in a turn of its own.
    this.renderRoot.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
  }
}

/**
 * A choice of a few, all visible.
 * @fires cf-change - `{id}`
 */
@customElement('cf-segmented')
export class CfSegmented extends CofferElement {
  @property({ attribute: false }) items: readonly Tab[] = [];
  @property() value = '';
  @property() label = '';

  override render(): unknown {
    return html`<div class="seg" role="group" aria-label=${this.label}>
      ${this.items.map(
        (item) =>
          html`<button
            type="button"
            data-id=${item.id}
            aria-pressed=${item.id === this.value}
            @click=${() => this.emit('cf-change', { id: item.id })}
          >
            ${item.label}${item.count === undefined ? nothing : html` <span class="c">${item.count}</span>`}
          </button>`,
      )}
    </div>`;
  }
}
