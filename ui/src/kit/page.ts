import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';

/** The column of a page: one heading that takes the focus after a change of address. Slots: `actions`, `banner`, content. */
@customElement('cf-page')
export class CfPage extends CofferElement {
  @property() heading = '';
  @property() text = '';
  @property({ type: Boolean }) wide = false;

  override render(): unknown {
    return html`<div class="page ${this.wide ? 'wide' : ''}">
      <slot name="crumbs"></slot>
      <header class="head">
        <div class="grow">
          <div class="row">
            <h1 tabindex="-1">${this.heading}</h1>
            <slot name="switch"></slot>
          </div>
          ${this.text === '' ? nothing : html`<p>${this.text}</p>`}
        </div>
        <div class="acts"><slot name="actions"></slot></div>
      </header>
      <slot name="banner"></slot>
      <slot></slot>
    </div>`;
  }

  protected override updated(): void {
    if (this.heading !== '') document.title = `${this.heading} · Coffer`;
  }

  override focus(): void {
    this.renderRoot.querySelector('h1')?.focus();
  }
}
