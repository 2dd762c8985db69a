import { css, html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { CofferElement, kitStyles, t, type Question } from '../kit/index.js';
import { setDesk, type Toast } from '../kit/core/notify.js';

const TOAST_MS = 8000;
/** Longer where something can be taken back. */
const UNDO_MS = 10_000;

/** Draws toasts and questions for everyone. */
@customElement('coffer-desk')
export class CofferDesk extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      .toasts {
        position: fixed;
        right: 20px;
        bottom: 20px;
        display: grid;
        gap: 8px;
        justify-items: end;
        z-index: 40;
      }
      .toasts:popover-open {
        inset: auto 20px 20px auto;
        border: 0;
        padding: 0;
        margin: 0;
        background: none;
        overflow: visible;
      }
    `,
  ];
  @state() private shown: Toast | undefined;
  @state() private asked: (Question & { answer: (yes: boolean) => void }) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    setDesk({
      toast: (next) => {
        this.shown = next;
        this.wait();
      },
      confirm: (question) => new Promise((answer) => (this.asked = { ...question, answer })),
    });
  }

  private wait(): void {
    clearTimeout(this.#timer);
    const ms = this.shown?.undo === undefined ? TOAST_MS : UNDO_MS;
    this.#timer = setTimeout(() => (this.shown = undefined), ms);
  }

  private answer(yes: boolean): void {
    this.asked?.answer(yes);
    this.asked = undefined;
  }

  override render(): unknown {
    const { asked, shown } = this;
    return html`<div
        class="toasts"
        role="status"
        @pointerenter=${() => clearTimeout(this.#timer)}
        @pointerleave=${this.wait}
        @focusin=${() => clearTimeout(this.#timer)}
        @focusout=${this.wait}
      >
        ${
          shown === undefined
            ? nothing
            : html`<div class="toast">
                <span>${shown.text}</span>
                ${
                  shown.undo === undefined
                    ? nothing
                    : html`<button
                        class="btn sm"
                        type="button"
                        @click=${() => {
                          // First, since taking it back may bring news of its own.
                          this.shown = undefined;
                          shown.undo?.();
                        }}
                      >
                        ${t('Undo')}
                      </button>`
                }
                <button
                  class="btn sm icon"
                  type="button"
                  aria-label=${t('Dismiss')}
                  @click=${() => (this.shown = undefined)}
                >
                  <cf-icon name="close"></cf-icon>
                </button>
              </div>`
        }
      </div>
      <cf-dialog
        size="s"
        heading=${asked?.title ?? ''}
        ?open=${asked !== undefined}
        @cf-close=${() => this.answer(false)}
      >
        <p>${asked?.text}</p>
        <div slot="footer" class="row end">
          <button class="btn" type="button" autofocus @click=${() => this.answer(false)}>${t('Cancel')}</button>
          <button
            class="btn ${asked?.danger === true ? 'bad' : 'pri'}"
            type="button"
            data-act="confirm"
            @click=${() => this.answer(true)}
          >
            ${asked?.verb}
          </button>
        </div>
      </cf-dialog>`;
  }
}
