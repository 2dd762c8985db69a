import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Problem } from './core/api.js';
import { CofferElement, kitStyles } from './core/element.js';
import { t } from './core/i18n.js';
import type { Schema } from './core/types.js';
import { faults } from './check.js';
import { renderNode } from './form-fields.js';
import { read, write } from './pointer.js';
import { resolve } from './schema.js';

/**
 * A form made from a JSON Schema. Defaults are placeholders and are not written; unknown keys are kept; what it does not
 * understand becomes a JSON editor for that node. Faults appear at the field on leaving it and on submitting.
 * @fires cf-change - `{value, pointer}` after each edit
 * @fires cf-submit - `{value}` when everything in the page's own check holds
 */
@customElement('cf-form')
export class CfForm extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      form {
        display: grid;
        gap: 14px;
      }
      .fields {
        display: grid;
        gap: 14px;
      }
      .group .fields {
        gap: 12px;
      }
      .ta.mono {
        min-height: 84px;
      }
      .errmsg cf-icon {
        width: 14px;
        height: 14px;
        margin-top: 1px;
      }
      .swf {
        display: flex;
        gap: 10px;
        align-items: center;
      }
    `,
  ];
  @property({ attribute: false }) schema: Schema = {};
  @property({ attribute: false }) value: unknown = {};
  /** Faults that the server found. */
  @property({ attribute: false }) problems: readonly Problem[] = [];
  @property({ type: Boolean }) json = false;
  @state() private found: ReadonlyMap<string, string> = new Map();
  @state() private text = '';
  /** Fields that were left once; others are not blamed before submitting. */
  #left = new Set<string>();
  /** Values of branches that are not chosen now. */
  readonly kept = new Map<string, unknown>();
  /** Texts being typed that are no value yet, by pointer. */
  readonly typing = new Map<string, string>();

  override render(): unknown {
    return html`<form
      novalidate
      @submit=${(e: Event) => {
        e.preventDefault();
        void this.submit();
      }}
    >
      ${
        this.json
          ? this.jsonEditor()
          : html`<div class="fields">${renderNode(this, resolve(this.schema, this.schema), '', { root: true })}</div>`
      }
      ${this.stray()}
      <slot name="footer"></slot>
    </form>`;
  }

  errorAt(pointer: string): string {
    const server = this.problems.find((p) => p.pointer === pointer);
    if (server !== undefined) return server.message;
    return this.#left.has(pointer) || this.#left.has('*') ? (this.found.get(pointer) ?? '') : '';
  }

  at(pointer: string): unknown {
    return read(this.value, pointer);
  }

  set(pointer: string, next: unknown): void {
    this.value = write(this.value, pointer, next);
    this.problems = this.problems.filter((p) => p.pointer !== pointer);
    this.emit('cf-change', { value: this.value, pointer });
  }

  /** Checks after a field was left. */
  async leave(pointer: string): Promise<void> {
    this.#left.add(pointer);
    this.found = await faults(this.schema, this.value);
  }

  /** Sends `cf-submit`, or shows what is wrong and puts the cursor there. */
  async submit(): Promise<boolean> {
    this.found = await faults(this.schema, this.value);
    this.#left.add('*');
    this.requestUpdate();
    await this.updateComplete;
    const bad = this.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (this.found.size > 0 && bad !== null) {
      bad.focus();
      return false;
    }
    return this.emit('cf-submit', { value: this.value });
  }

  /** Faults that belong to no field on screen. */
  private stray(): unknown {
    const root = this.errorAt('');
    return root === ''
      ? nothing
      : html`<div class="note bad" role="alert"><cf-icon name="warn"></cf-icon>${root}</div>`;
  }

  private jsonEditor(): unknown {
    const text = this.text || JSON.stringify(this.value, null, 2);
    return html`<div class="f">
      <label for="json">JSON</label>
      <textarea
        id="json"
        class="ta mono"
        rows="16"
        spellcheck="false"
        .value=${text}
        @input=${(e: InputEvent) => {
          this.text = (e.target as HTMLTextAreaElement).value;
          try {
            this.value = JSON.parse(this.text);
            this.emit('cf-change', { value: this.value, pointer: '' });
            this.found = new Map();
          } catch {
            this.found = new Map([['', t('This is not JSON yet. Your text is kept; nothing was sent.')]]);
            this.#left.add('');
          }
        }}
      ></textarea>
    </div>`;
  }
}
