import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, api, confirm, draft, format, kitStyles, messageOf, t, toast } from '@coffer/ui';
import { factPath, writer, type Fact, type MemoryStore } from './data.js';

/** One fact: its text to read and change, where it lies and who wrote it. */
@customElement('memory-fact')
export class MemoryFact extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      .sel {
        width: 9rem;
        min-width: 0;
      }
    `,
  ];
  @property({ attribute: false }) fact!: Fact;
  @property() store = '';
  @property({ attribute: false }) stores: readonly MemoryStore[] = [];
  /** Undefined: as the file has it. */
  @state() private text: string | undefined;
  @state() private problem = '';
  @state() private busy = false;
  /** The version that the text here is a change of. */
  #based = '';
  #id = '';

  private get draftKey(): string {
    return `memory:${this.store}/${this.fact.id}`;
  }

  protected override willUpdate(): void {
    if (this.#id === this.fact.id) return;
    this.#id = this.fact.id;
    const kept = draft.get<{ text: string; based: string }>(this.draftKey);
    this.text = kept?.text;
    this.#based = kept?.based ?? '';
    this.problem = '';
  }

  override render(): unknown {
    const { fact } = this;
    const changed = this.text !== undefined && this.text.trim() !== fact.text.trim();
    const conflict = changed && this.#based !== fact.version;
    return html`<section class="panel">
      <div class="ph">
        <h2 class="cut">${fact.name}</h2>
        <span class="end row">
          <label class="vh" for="to">${t('Move to…')}</label>
          <select
            id="to"
            class="sel"
            .value=${''}
            @change=${(e: Event) => void this.move(e.target as HTMLSelectElement)}
          >
            <option value="">${t('Move to…')}</option>
            ${this.stores
              .filter((s) => s.name !== this.store)
              .map((s) => html`<option value=${s.name}>${s.name === 'global' ? t('Everywhere') : s.label}</option>`)}
          </select>
          <button class="btn sm ghost" type="button" @click=${() => void this.forget()}>${t('Forget')}</button>
        </span>
      </div>
      <div class="pb col gap-4">
        ${
          conflict
            ? html`<div class="note warn" role="alert">
                <cf-icon name="warn"></cf-icon>
                <div class="grow">
                  <p>
                    ${t('It was changed meanwhile, by an agent or in an editor. What it says now is below; save again to replace it.')}
                  </p>
                  <cf-diff
                    .old=${fact.text}
                    .now=${this.text ?? ''}
                    .left=${t('in the file')}
                    .right=${t('here')}
                  ></cf-diff>
                </div>
              </div>`
            : nothing
        }
        <textarea
          class="ta"
          rows="10"
          aria-label=${t('Fact')}
          .value=${this.text ?? fact.text}
          @input=${(e: Event) => {
            if (this.text === undefined) this.#based = fact.version;
            this.text = (e.target as HTMLTextAreaElement).value;
            draft.set(this.draftKey, { text: this.text, based: this.#based });
          }}
        ></textarea>
        ${this.problem === '' ? nothing : html`<div class="note bad" role="alert">${this.problem}</div>`}
        <div class="row">
          <span class="grow"></span>
          ${changed ? html`<button class="btn sm" type="button" @click=${this.drop}>${t('Cancel')}</button>` : nothing}
          <button class="btn sm pri" type="button" ?disabled=${!changed || this.busy} @click=${() => void this.save()}>
            ${t('Save')}
          </button>
        </div>
        <dl class="facts">
          <dt>${t('First written')}</dt>
          <dd>${format.exact(fact.created_at)}</dd>
          <dt>${t('Last changed')}</dt>
          <dd>${t('{time}, by {who}', { time: format.exact(fact.updated_at), who: writer(fact) })}</dd>
          <dt>${t('File')}</dt>
          <dd class="mono">${fact.path}</dd>
        </dl>
      </div>
    </section>`;
  }

  private drop(): void {
    this.text = undefined;
    draft.drop(this.draftKey);
  }

  private async save(): Promise<void> {
    const { text, fact } = this;
    if (text === undefined) return;
    this.busy = true;
    this.problem = '';
    try {
      // What is replaced is what is shown here, beside the change where it came in between.
      await api.patch(factPath(this.store, fact.id), { text, version: fact.version });
      this.drop();
      toast(t('Saved'));
    } catch (e) {
      this.problem = messageOf(e);
    } finally {
      this.busy = false;
    }
  }

  private async forget(): Promise<void> {
    const { fact, store } = this;
    const sure = await confirm({
      title: t('Forget {name}?', { name: fact.name }),
      text: t('Its file is removed. A backup still has it.'),
      verb: t('Forget'),
      danger: true,
    });
    if (!sure) return;
    await this.attempt(() => api.delete(factPath(store, fact.id)), t('Forgotten'));
  }

  private async move(select: HTMLSelectElement): Promise<void> {
    const to = select.value;
    select.value = '';
    if (to !== '') await this.attempt(() => api.post(`${factPath(this.store, this.fact.id)}/move`, { to }), t('Moved'));
  }

  private async attempt(work: () => Promise<unknown>, done: string): Promise<void> {
    this.problem = '';
    try {
      await work();
      toast(done);
      this.dispatchEvent(new CustomEvent('gone'));
    } catch (e) {
      this.problem = messageOf(e);
    }
  }
}
