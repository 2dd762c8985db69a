import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, api, draft, messageOf, t } from '@coffer/ui';
import { storePath, type Fact, type MemoryStore } from './data.js';

const NEW = 'memory:new';

interface Typed {
  text: string;
  name: string;
}

function typed(form: HTMLFormElement): Typed {
  const data = new FormData(form);
  return { text: String(data.get('text')), name: String(data.get('name')) };
}

/** Writing a fact by hand. Fires `done` with where it is, or without when it is given up. */
@customElement('memory-new-fact')
export class MemoryNewFact extends CofferElement {
  @property() store = '';
  @property({ attribute: false }) stores: readonly MemoryStore[] = [];
  @state() private problem = '';

  override render(): unknown {
    const label = this.stores.find((s) => s.name === this.store)?.label;
    const kept = draft.get<Typed>(NEW);
    return html`<form
      class="panel"
      @submit=${(e: Event) => void this.save(e)}
      @input=${(e: InputEvent) => draft.set(NEW, typed(e.currentTarget as HTMLFormElement))}
    >
      <div class="ph">
        <h2>${t('New fact')}</h2>
        <span class="end dim">${this.store === 'global' ? t('Everywhere') : (label ?? this.store)}</span>
      </div>
      <div class="pb col gap-4">
        <label class="col"
          >${t('What is to be remembered?')}
          <textarea
            class="ta"
            name="text"
            rows="4"
            required
            autofocus
            .value=${kept?.text ?? ''}
            placeholder=${t('One fact, in sentences that stand alone.')}
          ></textarea>
        </label>
        <label class="col"
          >${t('Name')} <input class="in" name="name" maxlength="200" .value=${kept?.name ?? ''}
        /></label>
        ${this.problem === '' ? nothing : html`<div class="note bad" role="alert">${this.problem}</div>`}
        <div class="row">
          <span class="grow"></span>
          <button class="btn" type="button" @click=${this.giveUp}>${t('Cancel')}</button>
          <button class="btn pri" type="submit">${t('Save')}</button>
        </div>
      </div>
    </form>`;
  }

  private giveUp(): void {
    draft.drop(NEW);
    this.dispatchEvent(new CustomEvent('done'));
  }

  private async save(e: Event): Promise<void> {
    e.preventDefault();
    const { text, name } = typed(e.target as HTMLFormElement);
    this.problem = '';
    try {
      const made = await api.post<Fact>(`${storePath(this.store)}/facts`, {
        text,
        ...(name.trim() !== '' && { name: name.trim() }),
      });
      draft.drop(NEW);
      this.dispatchEvent(new CustomEvent('done', { detail: { store: this.store, id: made.id } }));
    } catch (problem) {
      this.problem = messageOf(problem);
    }
  }
}
