import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement } from './core/element.js';
import { t } from './core/i18n.js';

export interface Answer {
  /** The answer, in a few words. */
  a: unknown;
  /** What makes it exact. */
  d: unknown;
  href: string;
}

/** The five questions that the page of every resource answers, always in this order. */
@customElement('cf-answers')
export class CfAnswers extends CofferElement {
  /** Exactly five: what, works, seen, happened, change. */
  @property({ attribute: false }) cells: readonly Answer[] = [];
  /** Name of the strip, where a page has several. */
  @property() label = '';

  override render(): unknown {
    const questions = [t('What is it'), t('Does it work'), t('Who sees it'), t('What happened'), t('Change it')];
    return html`<section class="answers" aria-label=${this.label || t('At a glance')}>
      ${this.cells.map(
        (cell, i) =>
          html`<a href=${cell.href} data-answer=${i}
            ><span class="q">${questions[i]}</span><span class="a">${cell.a}</span><span class="d">${cell.d}</span></a
          >`,
      )}
    </section>`;
  }
}
