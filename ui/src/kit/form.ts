import { css, html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Problem } from './core/api.js';
import { CofferElement, kitStyles } from './core/element.js';
import { t } from './core/i18n.js';
import type { Schema } from './core/types.js';
import { faults } from './check.js';
import { renderNode } from './form-fields.js';
import { read, write } from './pointer.js';
import { resolve, tagged } from './schema.js';

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
  /** Faults that belong to no field on screen. */
  @state() private strays: readonly string[] = [];
  /** Fields that were left once; others are not blamed before submitting. */
  #left = new Set<string>();
  /** Values of branches that are not chosen now. */
  readonly kept = new Map<string, unknown>();
  /** Texts being typed that are no value yet, by pointer. */
  readonly typing = new Map<string, string>();
  /** The value as this form knows it, to tell when its owner gives another. */
  #own = '';

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('value')) return;
    const now = JSON.stringify(this.value);
    if (now === this.#own) return;
    this.#own = now;
    this.text = '';
    this.typing.clear();
    this.found = new Map();
    this.#left.clear();
  }

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
    this.value = tagged(this.schema, this.schema, write(this.value, pointer, next));
    this.#own = JSON.stringify(this.value);
    this.problems = this.problems.filter((p) => p.pointer !== pointer);
    this.emit('cf-change', { value: this.value, pointer });
  }

  /** Checks after a field was left. */
  async leave(pointer: string): Promise<void> {
    this.#left.add(pointer);
    await this.check();
  }

  /** What was typed and is no JSON has no value to be checked: it is a fault by itself. */
  private async check(): Promise<void> {
    const found = await faults(this.schema, this.value);
    for (const [pointer, text] of [...this.typing, ['', this.json ? this.text : ''] as const])
      if (!isJson(text)) found.set(pointer, t('This is not JSON yet. Your text is kept; nothing was sent.'));
    this.found = found;
  }

  /** Sends `cf-submit`, or shows what is wrong and puts the cursor there. */
  async submit(): Promise<boolean> {
    await this.check();
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

  /** Looks which faults found no field on screen: a fault that nobody sees would be a Save that does nothing. */
  protected override updated(): void {
    const own = this.#left.has('*') || this.#left.has('') ? [...this.found] : [];
    const all = new Map([...own, ...this.problems.map((p) => [p.pointer, p.message] as const)]);
    // The root of this element is a shadow root, as of every Lit element that does not say otherwise.
    const shown = this.renderRoot as ShadowRoot;
    const lines = [...all]
      .filter(([pointer]) => shown.getElementById(`e${pointer}`) === null)
      .map(([pointer, message]) => (pointer === '' ? message : `${pointer}: ${message}`));
    if (lines.join('\n') !== this.strays.join('\n')) this.strays = lines;
  }

  private stray(): unknown {
    return this.strays.length === 0
      ? nothing
      : html`<div class="note bad" role="alert">
          <cf-icon name="warn"></cf-icon>
          <div>${this.strays.map((line) => html`<div>${line}</div>`)}</div>
        </div>`;
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
        aria-invalid=${isJson(text) ? nothing : 'true'}
        .value=${text}
        @input=${(e: InputEvent) => this.typeJson((e.target as HTMLTextAreaElement).value)}
      ></textarea>
    </div>`;
  }

  private typeJson(text: string): void {
    this.text = text;
    if (isJson(text) && text.trim() !== '') {
      this.value = JSON.parse(text);
      this.#own = JSON.stringify(this.value);
      this.emit('cf-change', { value: this.value, pointer: '' });
    }
    void this.leave('');
  }
}

/** Nothing typed is nothing wrong. */
function isJson(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
