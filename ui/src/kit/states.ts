import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { ApiError, messageOf } from './core/api.js';
import { CofferElement } from './core/element.js';
import { t } from './core/i18n.js';
import type { IconName } from './icons.js';

/** Nothing here: what this is, and the one action as content. */
@customElement('cf-empty')
export class CfEmpty extends CofferElement {
  @property() heading = '';
  @property() icon: IconName = 'box';
  @property() text = '';

  override render(): unknown {
    return html`<div class="empty">
      <cf-icon class="big" name=${this.icon}></cf-icon>
      <h2>${this.heading}</h2>
      <p>${this.text}</p>
      <div class="row wrap"><slot></slot></div>
    </div>`;
  }
}

/**
 * What failed, in the server's words, with its trace.
 * @fires cf-retry - the person wants it again
 */
@customElement('cf-error')
export class CfError extends CofferElement {
  @property({ attribute: false }) error: unknown;

  override render(): unknown {
    const trace = this.error instanceof ApiError ? this.error.trace : '';
    return html`<div class="note bad" role="alert">
      <cf-icon name="warn"></cf-icon>
      <div class="grow">
        <b>${messageOf(this.error)}</b>
        ${trace === '' ? nothing : html`<p class="sm dim">${t('Trace')} <code>${trace}</code></p>`}
        <slot></slot>
      </div>
      <span class="end"
        ><button class="btn sm" type="button" @click=${() => this.emit('cf-retry', {})}>${t('Try again')}</button></span
      >
    </div>`;
  }
}

/** Grey lines of the right shape, shown only when a wait is noticed. */
@customElement('cf-skeleton')
export class CfSkeleton extends CofferElement {
  @property({ type: Number }) lines = 4;
  @property({ type: Boolean }) private late = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setTimeout(() => (this.late = true), 200);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }
  override render(): unknown {
    if (!this.late) return nothing;
    return html`<div class="panel" aria-busy="true">
      <div class="pb col gap-4">
        <span class="vh" role="status">${t('Loading')}</span>
        ${Array.from({ length: this.lines }, () => html`<span class="sk"></span>`)}
      </div>
    </div>`;
  }
}
