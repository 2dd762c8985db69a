import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, Use, api, draft, messageOf, t, toast } from '@coffer/ui';
import { rulesOf, storePath } from './data.js';

/** What sessions start with, to read and write. */
@customElement('memory-rules')
export class MemoryRules extends CofferElement {
  @property() store = '';
  @state() private text: string | undefined;
  @state() private problem = '';
  #rules = new Use<string>(this, undefined);

  private get draftKey(): string {
    return `memory:${this.store}/rules`;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('store')) return;
    this.text = draft.get(this.draftKey);
    this.#rules.point(rulesOf(this.store));
  }

  override render(): unknown {
    const kept = this.#rules.value ?? '';
    const changed = this.text !== undefined && this.text.trim() !== kept.trim();
    return html`<section class="panel">
      <div class="ph"><h2>${t('Rules')}</h2></div>
      <div class="pb col gap-4">
        <p class="sm mut">
          ${t('What every session here starts with. Write what an agent must know before it does anything.')}
        </p>
        <textarea
          class="ta"
          rows="6"
          aria-label=${t('Rules')}
          .value=${this.text ?? kept}
          @input=${(e: Event) => {
            this.text = (e.target as HTMLTextAreaElement).value;
            draft.set(this.draftKey, this.text);
          }}
        ></textarea>
        ${this.problem === '' ? nothing : html`<div class="note bad" role="alert">${this.problem}</div>`}
        ${changed ? html`<button class="btn sm pri" type="button" @click=${() => void this.save()}>${t('Save')}</button>` : nothing}
      </div>
    </section>`;
  }

  private async save(): Promise<void> {
    this.problem = '';
    try {
      await api.put(`${storePath(this.store)}/rules`, { text: this.text });
      await this.#rules.reload();
      this.text = undefined;
      draft.drop(this.draftKey);
      toast(t('Saved'));
    } catch (e) {
      this.problem = messageOf(e);
    }
  }
}
