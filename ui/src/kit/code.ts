import { html } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';
import { t } from './core/i18n.js';

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)\b/g;

/** JSON in colours; every piece goes into the page as text. */
function coloured(text: string): unknown[] {
  const out: unknown[] = [];
  let at = 0;
  for (const m of text.matchAll(TOKEN)) {
    out.push(text.slice(at, m.index));
    const [whole, string, colon] = m;
    if (string === undefined) out.push(html`<span class="n">${whole}</span>`);
    else out.push(html`<span class=${colon === undefined ? 's' : 'k'}>${string}</span>`, colon ?? '');
    at = m.index + whole.length;
  }
  out.push(text.slice(at));
  return out;
}

/** Longer texts are shown without colours: a span for each token would be slow. */
const COLOUR_LIMIT = 100_000;

/** Code or, with `syntax="json"`, JSON; it can be copied. */
@customElement('cf-code')
export class CfCode extends CofferElement {
  @property() value = '';
  /** Not `lang`: that is the language of people, which readers of the screen would follow. */
  @property() syntax: 'json' | 'text' = 'text';
  @property() label = '';
  @property({ type: Boolean }) wrap = false;
  @state() private copied = false;

  override render(): unknown {
    const json = this.syntax === 'json' && this.value.length < COLOUR_LIMIT;
    return html`<div class="codeb">
      <div class="ch">
        <span>${this.label}</span>
        <button class="btn sm ghost end" type="button" @click=${this.copy}>
          <cf-icon name=${this.copied ? 'check' : 'copy'}></cf-icon>${this.copied ? t('Copied') : t('Copy')}
        </button>
      </div>
      <pre class="code ${this.wrap ? 'wrap' : ''}" tabindex="0" role="group" aria-label=${this.label || t('Code')}>
${json ? coloured(this.value) : this.value}</pre>
    </div>`;
  }

  private async copy(): Promise<void> {
    await navigator.clipboard.writeText(this.value);
    this.copied = true;
    setTimeout(() => (this.copied = false), 2000);
  }
}

/** Any value as JSON. */
@customElement('cf-json')
export class CfJson extends CofferElement {
  @property({ attribute: false }) value: unknown;
  @property() label = 'JSON';

  override render(): unknown {
    return html`<cf-code
      syntax="json"
      wrap
      label=${this.label}
      .value=${JSON.stringify(this.value, null, 2) ?? ''}
    ></cf-code>`;
  }
}
