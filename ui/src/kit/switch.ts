import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';

/**
 * A switch that acts at once.
 * @fires cf-toggle - `{checked}`: the wish. The owner shows it through `checked` and says with `pending` that it is not settled.
 */
@customElement('cf-switch')
export class CfSwitch extends CofferElement {
  @property({ type: Boolean }) checked = false;
  @property({ type: Boolean }) pending = false;
  @property({ type: Boolean }) disabled = false;
  /** What is switched; required, since the switch has no words of its own. */
  @property() label = '';
  /** Why it cannot be pressed. */
  @property() reason = '';

  override render(): unknown {
    return html`<button
      class="sw"
      type="button"
      role="switch"
      aria-checked=${this.checked}
      aria-label=${this.label}
      title=${this.reason || nothing}
      ?disabled=${this.disabled}
      ?data-pending=${this.pending}
      @click=${(e: Event) => {
        e.stopPropagation();
        this.emit('cf-toggle', { checked: !this.checked });
      }}
    ></button>`;
  }

  override focus(): void {
    this.renderRoot.querySelector('button')?.focus();
  }
}
