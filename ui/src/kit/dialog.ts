import { css, html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement, kitStyles } from './core/element.js';
import { t } from './core/i18n.js';

/**
 * A dialog over the page, on the browser's own element: it keeps the focus inside and gives it back. Slots: content, `footer`.
 * @fires cf-close - `{reason}`: `escape`, `button`
 */
@customElement('cf-dialog')
export class CfDialog extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      dialog {
        border: 0;
        padding: 0;
        background: none;
        color: inherit;
        width: 100%;
        max-width: min(720px, calc(100vw - 24px));
        max-height: calc(100dvh - 32px);
        margin: 7vh auto auto;
        overflow: visible;
      }
      dialog.s {
        max-width: min(460px, calc(100vw - 24px));
      }
      dialog::backdrop {
        background: var(--scrim);
      }
      .dlg {
        display: flex;
        flex-direction: column;
        max-height: calc(93vh - 32px);
      }
      .dlg > .db {
        overflow: auto;
      }
    `,
  ];
  @property({ type: Boolean }) open = false;
  @property() heading = '';
  @property() size: 's' | 'm' = 'm';

  override render(): unknown {
    return html`<dialog
      class=${this.size}
      aria-label=${this.heading}
      @cancel=${(e: Event) => {
        e.preventDefault();
        this.emit('cf-close', { reason: 'escape' });
      }}
    >
      <div class="dlg ${this.size}">
        <div class="dh">
          <h2 class="grow">${this.heading}</h2>
          <button
            class="btn ghost icon sm"
            type="button"
            aria-label=${t('Close')}
            @click=${() => this.emit('cf-close', { reason: 'button' })}
          >
            <cf-icon name="close"></cf-icon>
          </button>
        </div>
        <div class="db"><slot></slot></div>
        <div class="df"><slot name="footer"></slot></div>
      </div>
    </dialog>`;
  }

  protected override updated(): void {
    const dialog = this.renderRoot.querySelector('dialog');
    if (dialog === null) return;
    if (this.open && !dialog.open) dialog.showModal();
    if (!this.open && dialog.open) dialog.close();
  }
}
