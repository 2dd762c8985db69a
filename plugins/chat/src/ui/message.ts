import { css, html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement, format, kitStyles, plural, t } from '@coffer/ui';
import type { Message } from './data.js';
import './markdown.js';
import { editsOf, piecesOf, type Piece, type ToolCall } from './pieces.js';
import './tool-card.js';

/** A run of more calls than this folds into one line, once all are done and none of them asks for a look. */
const RUN = 3;

/** One message: what a person said, or an answer with its tools, and how it ended. */
@customElement('chat-message')
export class ChatMessage extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      :host {
        display: block;
        content-visibility: auto;
        contain-intrinsic-size: auto 80px;
      }
      .me {
        display: flex;
        justify-content: flex-end;
      }
      .me > div {
        background: var(--accent-soft);
        border-radius: 14px 14px 4px 14px;
        padding: 9px 14px;
        max-width: 86%;
        font: var(--t-14);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .ai {
        font: var(--t-14);
        display: grid;
        gap: 10px;
        grid-template-columns: minmax(0, 1fr);
      }
      .by,
      .foot2 {
        font: var(--t-12);
        color: var(--ink-3);
        display: flex;
        gap: 12px;
        flex-wrap: wrap;
        align-items: center;
      }
      .tools-g {
        display: grid;
        gap: 6px;
        grid-template-columns: minmax(0, 1fr);
      }
      .fold {
        border: 1px solid var(--line);
        border-radius: var(--r-2);
        font: var(--t-13);
        padding: 6px 10px;
      }
      .fold > summary {
        cursor: pointer;
        min-height: 24px;
      }
      .fold > .tools-g {
        margin-top: 8px;
      }
      .think {
        color: var(--ink-2);
        font: var(--t-13);
      }
      .think > summary {
        cursor: pointer;
      }
      .think > p {
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        max-width: 72ch;
      }
      .caret {
        display: inline-block;
        width: 7px;
        height: 15px;
        background: var(--accent);
        border-radius: 1px;
        animation: blink 1.1s steps(2) infinite;
      }
      @keyframes blink {
        50% {
          opacity: 0;
        }
      }
      @media (prefers-reduced-motion: reduce) {
        .caret {
          animation: none;
        }
      }
    `,
  ];
  @property({ attribute: false }) message!: Message;
  @property() agent = '';
  /** Its turn runs, as far as this screen knows. */
  @property({ type: Boolean }) growing = false;
  /** The line is cut: nobody here knows what happens. */
  @property({ type: Boolean }) unsure = false;

  override render(): unknown {
    const { message } = this;
    if (message.role === 'user') {
      const said = message.content.map((b) => (b.type === 'text' ? b.text : '')).join('\n\n');
      return html`<div class="me"><div>${said}</div></div>`;
    }
    return html`<article class="ai" aria-busy=${this.growing ? 'true' : 'false'}>
      <p class="by">
        <b>${this.agent}</b><span title=${format.exact(message.created_at)}>${format.clock(message.created_at)}</span>
      </p>
      ${piecesOf(message.content).map((p) => this.piece(p))} ${this.end()}
    </article>`;
  }

  private piece(piece: Piece): unknown {
    switch (piece.is) {
      case 'text':
        return html`<chat-markdown .text=${piece.text}></chat-markdown>`;
      case 'thinking':
        return html`<details class="think">
          <summary>${t('Thoughts')}</summary>
          <p>${piece.text}</p>
        </details>`;
      case 'note':
        return html`<div class="note"><cf-icon name="info"></cf-icon><span>${piece.text}</span></div>`;
      case 'tools':
        return this.tools(piece.calls);
    }
  }

  private tools(calls: readonly ToolCall[]): unknown {
    const cards = html`<div class="tools-g">
      ${calls.map((call) => html`<chat-tool .call=${call} ?running=${this.growing}></chat-tool>`)}
    </div>`;
    const quiet = calls.every((c) => c.result?.error === null && editsOf(c.input).length === 0);
    if (calls.length <= RUN || !quiet) return cards;
    const names = [...new Set(calls.map((c) => c.name))].join(', ');
    return html`<details class="fold">
      <summary>${plural(calls.length, '{n} call: {names}', '{n} calls: {names}', { names })}</summary>
      ${cards}
    </details>`;
  }

  private end(): unknown {
    const { message } = this;
    if (this.growing)
      return this.unsure
        ? html`<p class="foot2">${t('The line is cut; this may go on without being seen here.')}</p>`
        : html`<p class="foot2">
            <span class="caret" aria-hidden="true"></span><span class="vh">${t('The answer is being written')}</span>
          </p>`;
    const figures =
      message.prompt_tokens === null && message.completion_tokens === null
        ? nothing
        : html`<span class="tnum"
            >${t('{in} tokens in, {out} out', { in: message.prompt_tokens ?? 0, out: message.completion_tokens ?? 0 })}</span
          >`;
    return html`${
      message.status === 'failed' && message.error !== null
        ? html`<div class="note bad"><cf-icon name="warn"></cf-icon><span>${message.error.message}</span></div>`
        : nothing
    }
    ${
      message.status === 'streaming'
        ? html`<p class="foot2">${t('This answer goes on.')}</p>`
        : html`<p class="foot2">
            ${message.stop_reason === 'interrupted' ? html`<span>${t('Stopped')}</span>` : nothing}
            ${message.stop_reason === 'max_iterations' ? html`<span>${t('Ended at its limit of steps')}</span>` : nothing}
            ${message.model_id === null ? nothing : html`<span class="mono">${message.model_id}</span>`} ${figures}
          </p>`
    }`;
  }
}
