import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, kitStyles, messageOf, t } from '../kit/index.js';
import { signIn } from './session.js';

/**
 * Over the page while signed out: what lies beneath, drafts included, stays as it is. A dialog, since one that is open beneath would
 * else keep the focus to itself.
 */
@customElement('coffer-login')
export class CofferLogin extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      dialog {
        border: 0;
        padding: 0;
        width: 100vw;
        max-width: none;
        height: 100dvh;
        max-height: none;
        background: var(--canvas);
        color: inherit;
      }
      .over {
        min-height: 100%;
        display: grid;
        place-items: center;
        padding: 16px;
      }
      .panel {
        max-width: 460px;
        width: 100%;
      }
    `,
  ];
  /** It was signed in before. */
  @property({ type: Boolean }) again = false;
  @property() failure = '';
  @state() private error = '';

  override render(): unknown {
    const error = this.error || this.failure;
    return html`<dialog aria-labelledby="title" @cancel=${(e: Event) => e.preventDefault()} @close=${this.stay}>
      <main class="over">
        <section class="panel">
          <div class="pb col gap-4">
            <h1 id="title">${this.again ? t('You were signed out') : t('Sign in to Coffer')}</h1>
            <p class="mut">
              ${this.again ? t('What you typed is kept in this tab.') : nothing}
              ${t('Run this in a terminal; it opens this page signed in:')}
            </p>
            <cf-code label=${t('Terminal')} value="coffer open"></cf-code>
            <form
              class="f"
              @submit=${(e: Event) => {
                e.preventDefault();
                void this.send();
              }}
            >
              <label for="code">${t('Or paste the address or code that it prints')}</label>
              <div class="row">
                <input
                  class="in mono grow"
                  id="code"
                  name="code"
                  autocomplete="off"
                  spellcheck="false"
                  aria-invalid=${error === '' ? nothing : 'true'}
                />
                <button class="btn pri" type="submit">${t('Sign in')}</button>
              </div>
              ${error === '' ? nothing : html`<div class="errmsg" role="alert"><cf-icon name="warn"></cf-icon><span>${error}</span></div>`}
            </form>
          </div>
        </section>
      </main>
    </dialog>`;
  }

  protected override firstUpdated(): void {
    this.stay();
  }

  /** A browser closes any dialog when Escape is pressed twice. */
  private stay(): void {
    const dialog = this.renderRoot.querySelector('dialog');
    if (dialog?.open === false && this.isConnected) dialog.showModal();
  }

  private async send(): Promise<void> {
    const typed = this.renderRoot.querySelector<HTMLInputElement>('#code')?.value.trim() ?? '';
    try {
      await signIn(/#login=([\w-]+)/.exec(typed)?.[1] ?? typed);
    } catch (e) {
      this.error = messageOf(e);
    }
  }
}
