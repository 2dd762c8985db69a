import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, format, kitStyles, recall, remember, t } from '@coffer/ui';
import { argumentOf, editsOf, resultText, type ToolCall } from './pieces.js';

/** Characters of a result that are shown; the rest only slows the page down. */
const SHOWN = 20_000;

/** One call in one line: state, name, what it was about, time. It opens to its input and result; edits of files open to their diff. */
@customElement('chat-tool')
export class ChatTool extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      details {
        border: 1px solid var(--line);
        border-radius: var(--r-2);
        background: var(--surface);
        font: var(--t-13);
        overflow: hidden;
      }
      summary {
        display: flex;
        align-items: center;
        gap: 9px;
        min-height: 34px;
        padding: 3px 10px;
        cursor: pointer;
        list-style: none;
      }
      summary::-webkit-details-marker {
        display: none;
      }
      summary:hover {
        background: var(--hover);
      }
      summary .arg {
        color: var(--ink-2);
        flex: 1;
      }
      summary .t {
        color: var(--ink-3);
        font: var(--t-12);
        white-space: nowrap;
      }
      summary > cf-icon {
        color: var(--ink-3);
        transition: rotate var(--fast);
      }
      details[open] > summary > cf-icon {
        rotate: 90deg;
      }
      .tbody {
        border-top: 1px solid var(--line);
        padding: 10px;
        display: grid;
        gap: 8px;
        grid-template-columns: minmax(0, 1fr);
      }
      .err {
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      @media (pointer: coarse) {
        summary {
          min-height: 44px;
        }
      }
    `,
  ];
  @property({ attribute: false }) call!: ToolCall;
  /** The turn goes on: a call without a result runs. */
  @property({ type: Boolean }) running = false;
  /** What the person chose here; undefined: as for all of its kind. */
  @state() private chosen: boolean | undefined;

  private get kept(): string {
    return `chat-tool:${this.call.name}`;
  }

  override render(): unknown {
    const { call } = this;
    const edits = editsOf(call.input);
    const kept = recall(this.kept);
    const open = this.chosen ?? (kept === null ? edits.length > 0 : kept === 'open');
    return html`<details .open=${open} @toggle=${this.toggled}>
      <summary>
        <cf-icon name="chevron"></cf-icon>${this.light()}<span class="mono b">${call.name}</span
        ><span class="arg cut">${argumentOf(call.input)}</span><span class="t tnum">${this.time()}</span>
      </summary>
      ${
        open
          ? html`<div class="tbody">
              ${
                edits.length === 0
                  ? html`<cf-json .value=${call.input}></cf-json>`
                  : edits.map(
                      (e) =>
                        html`<cf-diff .old=${e.old} .now=${e.now} left=${e.path} right=${t('as it is now')}></cf-diff>`,
                    )
              }
              ${this.result(edits.length > 0)}
            </div>`
          : nothing
      }
    </details>`;
  }

  private light(): unknown {
    const { result } = this.call;
    if (result === undefined)
      return this.running
        ? html`<span class="st run"><i></i><span class="vh">${t('running')}</span></span>`
        : html`<span class="st off"><i></i><span class="vh">${t('stopped')}</span></span>`;
    return result.error === null
      ? html`<span class="st ok"><i></i><span class="vh">${t('done')}</span></span>`
      : html`<span class="st bad"><i></i><span class="vh">${t('failed')}</span></span>`;
  }

  private time(): string {
    const { result } = this.call;
    if (result === undefined) return this.running ? t('running') : '';
    return result.ms === null ? '' : format.duration(result.ms);
  }

  private result(isEdit: boolean): unknown {
    const { result } = this.call;
    if (result === undefined) return nothing;
    if (result.error !== null) return html`<div class="note bad err">${result.error.slice(0, SHOWN)}</div>`;
    const { text, json } = resultText(result.output);
    // The diff says what an edit did.
    if (text === '' || isEdit) return nothing;
    return html`<cf-code
      label=${t('Result')}
      syntax=${json ? 'json' : 'text'}
      wrap
      .value=${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}
    ></cf-code>`;
  }

  private toggled = (e: Event): void => {
    const { open } = e.currentTarget as HTMLDetailsElement;
    // It also comes when the page itself opened it.
    if (open === (this.chosen ?? this.renderRoot.querySelector('.tbody') !== null)) return;
    this.chosen = open;
    remember(this.kept, open ? 'open' : 'shut');
  };
}
