import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, api, confirm, messageOf, t, toast } from '@coffer/ui';
import { documentPath, type KnowledgeDocument } from './data.js';

type View = 'read' | 'edit' | 'compare';

/** One document: read, edited, or compared with what its original becomes when it is converted now. */
@customElement('knowledge-document')
export class KnowledgeDocumentView extends CofferElement {
  @property() base = '';
  @property({ attribute: false }) document!: KnowledgeDocument;
  @state() private view: View = 'read';
  @state() private markdown: string | undefined;
  @state() private converted: string | undefined;
  /** What is being written; undefined: as the file has it. */
  @state() private draft: string | undefined;
  @state() private problem = '';
  #shown = '';

  protected override willUpdate(): void {
    const { document_id: id, updated_at: at } = this.document;
    const key = `${this.base}\n${id}`;
    if (`${key}\n${at}` === this.#shown) return;
    if (!this.#shown.startsWith(`${key}\n`)) {
      this.view = 'read';
      this.draft = undefined;
      this.markdown = undefined;
    }
    this.#shown = `${key}\n${at}`;
    this.converted = undefined;
    void this.load();
    if (this.view === 'compare') void this.convert();
  }

  override render(): unknown {
    const d = this.document;
    return html`<section class="panel" aria-label=${d.title}>
      <div class="ph">
        <h2 class="cut">${d.title}</h2>
        <span class="end row">
          <cf-segmented
            label=${t('View of the document')}
            .items=${[
              { id: 'read', label: t('Read') },
              { id: 'edit', label: t('Edit') },
              { id: 'compare', label: t('Compare') },
            ]}
            value=${this.view}
            @cf-change=${(e: CustomEvent<{ id: View }>) => void this.turnTo(e.detail.id)}
          ></cf-segmented>
          <button class="btn sm ghost" type="button" @click=${() => void this.discard()}>${t('Delete')}</button>
        </span>
      </div>
      <div class="pb col gap-4">
        ${this.problem === '' ? nothing : html`<div class="note bad" role="alert">${this.problem}</div>`}
        ${this.markdown === undefined ? html`<cf-skeleton></cf-skeleton>` : this.body(this.markdown)}
        <p class="sm dim mono">${d.path}</p>
      </div>
    </section>`;
  }

  private body(markdown: string): unknown {
    if (this.view === 'edit') {
      const changed = this.draft !== undefined && this.draft !== markdown;
      return html`<textarea
          class="ta mono"
          rows="20"
          aria-label=${t('Markdown')}
          .value=${this.draft ?? markdown}
          @input=${(e: Event) => (this.draft = (e.target as HTMLTextAreaElement).value)}
        ></textarea>
        <div class="row">
          <span class="grow"></span>
          <button class="btn sm pri" type="button" ?disabled=${!changed} @click=${() => void this.save()}>
            ${t('Save')}
          </button>
        </div>`;
    }
    if (this.view === 'read') return html`<cf-code .value=${markdown} wrap label=${t('Markdown')}></cf-code>`;
    if (this.converted === undefined) return this.problem === '' ? html`<cf-skeleton></cf-skeleton>` : nothing;
    return html`<cf-diff
        .old=${this.converted}
        .now=${markdown}
        left=${t('the original, converted')}
        right=${t('this document')}
      ></cf-diff>
      ${
        this.document.source_mode === 'edited' && this.converted !== markdown
          ? html`<p class="sm mut">
              ${t('It was edited after it was converted. Converting it anew is refused, so that nothing is lost.')}
            </p>`
          : nothing
      }`;
  }

  private async turnTo(view: View): Promise<void> {
    this.view = view;
    this.problem = '';
    if (view === 'compare' && this.converted === undefined) await this.convert();
  }

  private convert(): Promise<void> {
    return this.attempt(async () => {
      const path = `${documentPath(this.base, this.document.document_id)}/converted`;
      this.converted = (await api.get<{ markdown: string }>(path)).markdown;
    });
  }

  private load(): Promise<void> {
    const { document_id: id } = this.document;
    return this.attempt(async () => {
      const { markdown } = await api.get<{ markdown: string }>(documentPath(this.base, id));
      if (id === this.document.document_id) this.markdown = markdown;
    });
  }

  private save(): Promise<void> {
    return this.attempt(async () => {
      await api.put(documentPath(this.base, this.document.document_id), { markdown: this.draft });
      this.draft = undefined;
      toast(t('Saved'));
    });
  }

  private async discard(): Promise<void> {
    const { title, document_id: id } = this.document;
    const sure = await confirm({
      title: t('Delete {name}?', { name: title }),
      text: t('The document and its original are removed. A backup still has them.'),
      verb: t('Delete'),
      danger: true,
    });
    if (!sure) return;
    await this.attempt(async () => {
      await api.delete(documentPath(this.base, id));
      this.dispatchEvent(new CustomEvent('gone'));
    });
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    this.problem = '';
    try {
      await work();
    } catch (e) {
      this.problem = messageOf(e);
    }
  }
}
