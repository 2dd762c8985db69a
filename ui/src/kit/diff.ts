import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';
import { t } from './core/i18n.js';
import { diffLines, type DiffLine } from './diff-lines.js';

/** Unchanged lines kept around a change. */
const AROUND = 3;

/** Two texts compared: sign and colour, long unchanged runs folded. The head says what is minus and what is plus. */
@customElement('cf-diff')
export class CfDiff extends CofferElement {
  @property({ attribute: false }) old = '';
  @property({ attribute: false }) now = '';
  /** Names of the two sides. */
  @property() left = '';
  @property() right = '';

  override render(): unknown {
    const lines = diffLines(this.old, this.now);
    if (lines.every((l) => l.sign === ' ')) return html`<p class="dim">${t('No difference.')}</p>`;
    return html`<div class="diff" tabindex="0" role="group" aria-label=${t('Difference')}>
      <div class="hd"><span></span><em></em><span>− ${this.left}, + ${this.right}</span></div>
      ${folded(lines).map((part) =>
        typeof part === 'number'
          ? html`<div class="fold"><span></span><em></em><b>${t('{n} unchanged lines', { n: part })}</b></div>`
          : html`<div class=${part.sign === '+' ? 'add' : part.sign === '-' ? 'del' : nothing}>
              <span>${part.right ?? part.left}</span><em>${part.sign}</em><b>${part.text}</b>
            </div>`,
      )}
    </div>`;
  }
}

function folded(lines: readonly DiffLine[]): (DiffLine | number)[] {
  const near = lines.map((_, i) =>
    lines.slice(Math.max(0, i - AROUND), i + AROUND + 1).some((other) => other.sign !== ' '),
  );
  const out: (DiffLine | number)[] = [];
  for (const [i, line] of lines.entries()) {
    if (near[i] === true) out.push(line);
    else if (typeof out.at(-1) === 'number') out[out.length - 1] = (out.at(-1) as number) + 1;
    else out.push(1);
  }
  return out;
}
