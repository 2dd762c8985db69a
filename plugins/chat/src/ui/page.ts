import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, kitStyles, recall, remember, t, type RouteParams } from '@coffer/ui';
import './history.js';
import './new.js';

const HIDDEN = 'chat-history-hidden';
const narrow = (): boolean => matchMedia('(max-width: 760px)').matches;

/** The history beside one conversation, or beside the beginning of a new one. On a phone the history is behind its button. */
@customElement('chat-page')
export class ChatPage extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      .chat {
        display: grid;
        grid-template-columns: 264px minmax(0, 1fr);
        height: 100dvh;
      }
      .chat.alone {
        grid-template-columns: minmax(0, 1fr);
      }
      .hist {
        border-right: 1px solid var(--line);
        min-height: 0;
      }
      .conv {
        min-height: 0;
        min-width: 0;
        display: flex;
        flex-direction: column;
      }
      .conv > :not(.showing) {
        flex: 1;
        min-height: 0;
      }
      .showing {
        padding: 10px 20px 0;
      }
      @media (max-width: 760px) {
        .chat {
          grid-template-columns: minmax(0, 1fr);
          height: calc(100dvh - 48px);
        }
        .chat:not(.alone) .conv {
          display: none;
        }
        .showing {
          padding: 6px 10px 0;
        }
      }
    `,
  ];
  @property({ attribute: false }) params: RouteParams = {};
  @state() private alone = narrow() || recall(HIDDEN) === 'yes';

  protected override willUpdate(): void {
    // What draws answers is fetched when there are some; the element comes to life where it stands.
    if (this.params['id'] !== undefined) void import('./conversation.js');
  }

  override render(): unknown {
    const id = this.params['id'] ?? '';
    const show = html`<button
      slot="show"
      class="btn sm ghost"
      type="button"
      aria-expanded="false"
      @click=${() => this.hide(false)}
    >
      ${t('Conversations')}
    </button>`;
    return html`<div class="chat ${this.alone ? 'alone' : ''}">
      ${
        this.alone
          ? nothing
          : html`<aside class="hist" aria-label=${t('History')} @click=${this.picked}>
              <chat-history current=${id} ?whole=${narrow()}
                ><button
                  slot="hide"
                  class="btn ghost sm"
                  type="button"
                  aria-expanded="true"
                  @click=${() => this.hide(true)}
                >
                  ${t('Hide')}
                </button></chat-history
              >
            </aside>`
      }
      <div class="conv">
        ${
          id === ''
            ? html`${this.alone ? html`<div class="showing">${show}</div>` : nothing}<chat-new></chat-new>`
            : html`<chat-conversation conversation-id=${id}>${this.alone ? show : nothing}</chat-conversation>`
        }
      </div>
    </div>`;
  }

  /** On a phone a choice is the end of looking, also when it is what was open before. */
  private picked = (e: Event): void => {
    if (narrow() && e.composedPath().some((n) => n instanceof HTMLAnchorElement)) this.alone = true;
  };

  private hide(hidden: boolean): void {
    this.alone = hidden;
    if (!narrow()) remember(HIDDEN, hidden ? 'yes' : 'no');
  }
}
