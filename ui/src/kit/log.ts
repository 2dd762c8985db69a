import { html } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';
import { t } from './core/i18n.js';

/** Lines as a program wrote them, with a filter. The newest is last, and in view when it opens. */
@customElement('cf-log')
export class CfLog extends CofferElement {
  @property({ attribute: false }) lines: readonly string[] = [];
  @state() private filter = '';

  override render(): unknown {
    const want = this.filter.toLowerCase();
    const shown = this.lines.filter((l) => l.toLowerCase().includes(want));
    return html`<div class="bar">
        <div class="find">
          <input
            class="in"
            type="search"
            placeholder=${t('Find in {n} lines', { n: this.lines.length })}
            aria-label=${t('Find in {n} lines', { n: this.lines.length })}
            @input=${(e: InputEvent) => (this.filter = (e.target as HTMLInputElement).value)}
          />
        </div>
      </div>
      <pre class="log code" tabindex="0" role="log" aria-label=${t('Log')}>
${shown.map((line) => html`<span class=${levelOf(line)}>${line}</span>${'\n'}`)}</pre>`;
  }

  protected override firstUpdated(): void {
    const log = this.renderRoot.querySelector('.log');
    if (log !== null) log.scrollTop = log.scrollHeight;
  }
}

function levelOf(line: string): string {
  if (/\b(error|fatal|exception)\b/i.test(line)) return 'e';
  return /\bwarn(ing)?\b/i.test(line) ? 'w' : '';
}
