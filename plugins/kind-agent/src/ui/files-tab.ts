import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { ApiError, CofferElement, Use, api, format, messageOf, t, toast } from '@coffer/ui';
import { at, filesOf, type FileContent, type FileItem } from './data.js';

/** The agent's own files; what somebody else has changed meanwhile is never overwritten. */
@customElement('agent-files')
export class AgentFiles extends CofferElement {
  @property() name = '';
  @state() private chosen: { key: string; child?: string; label: string } | undefined;
  @state() private shown: FileContent | undefined;
  @state() private edit: string | undefined;
  @state() private error = '';
  @state() private busy = false;
  #files = new Use<FileItem[]>(this, undefined);

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('name')) this.#files.point(filesOf(this.name));
  }

  override render(): unknown {
    return html`<div class="col gap-4">
      <section class="panel" aria-label=${t('Config files')}>
        ${(this.#files.value ?? []).map((f) => this.item(f))}
      </section>
      ${this.chosen === undefined ? nothing : this.content(this.chosen.label)}
    </div>`;
  }

  private item(f: FileItem): unknown {
    const opener = (label: string, child?: string): unknown =>
      html`<button
        class="btn sm ghost"
        type="button"
        data-open=${child ?? f.key}
        @click=${() => void this.open({ key: f.key, ...(child !== undefined && { child }), label: child ?? f.path })}
      >
        ${label}
      </button>`;
    return html`<div class="li" data-file=${f.key}>
      <div class="grow cut">
        <b>${f.display_name}</b>
        <div class="sm mut cut"><code>${f.path}</code></div>
        ${f.kind === 'file' ? nothing : html`<div class="row wrap">${f.files.map((c) => opener(c, c))}</div>`}
      </div>
      <span class="sm dim nw">
        ${f.exists ? (f.kind === 'file' ? format.bytes(f.size) : nothing) : t('not there yet')}
      </span>
      ${f.kind === 'file' ? opener(t('Open {name}', { name: f.display_name })) : nothing}
    </div>`;
  }

  private content(label: string): unknown {
    const f = this.shown;
    return html`<section class="panel" aria-label=${label}>
      <div class="ph">
        <h2 class="mono cut">${label}</h2>
        <span class="end row">
          ${
            f === undefined
              ? nothing
              : this.edit === undefined
                ? html`<button class="btn sm" type="button" data-act="edit" @click=${() => (this.edit = f.content)}>
                    <cf-icon name="edit"></cf-icon>${t('Edit')}
                  </button>`
                : html`<button class="btn sm ghost" type="button" @click=${() => (this.edit = undefined)}>
                      ${t('Discard')}
                    </button>
                    <button
                      class="btn sm pri"
                      type="button"
                      data-act="save"
                      ?disabled=${this.busy}
                      @click=${() => void this.save()}
                    >
                      ${t('Save')}
                    </button>`
          }
        </span>
      </div>
      <div class="pb col gap-4">
        ${this.error === '' ? nothing : html`<div class="note bad" role="alert" data-problem><cf-icon name="warn"></cf-icon><span>${this.error}</span></div>`}
        ${
          f === undefined
            ? nothing
            : this.edit === undefined
              ? html`<cf-code wrap label=${label} .value=${f.content}></cf-code>`
              : html`<textarea
                  class="ta mono"
                  rows="20"
                  spellcheck="false"
                  aria-label=${label}
                  .value=${this.edit}
                  @input=${(e: InputEvent) => (this.edit = (e.target as HTMLTextAreaElement).value)}
                ></textarea>`
        }
      </div>
    </section>`;
  }

  private path(): string {
    const { key = '', child } = this.chosen ?? {};
    return at(this.name, 'config-files', key, ...(child === undefined ? [] : ['files', child]));
  }

  private async open(chosen: NonNullable<AgentFiles['chosen']>): Promise<void> {
    this.chosen = chosen;
    this.shown = this.edit = undefined;
    this.error = '';
    try {
      this.shown = await api.get<FileContent>(this.path());
    } catch (e) {
      this.error = messageOf(e);
    }
  }

  private async save(): Promise<void> {
    this.busy = true;
    this.error = '';
    try {
      const body = { content: this.edit ?? '', fingerprint: this.shown?.fingerprint };
      this.shown = await api.put<FileContent>(this.path(), body);
      this.edit = undefined;
      await this.#files.reload();
      toast(t('Saved; a backup is kept beside it'));
    } catch (e) {
      const changed = e instanceof ApiError && e.code === 'FILE_CHANGED';
      this.error = changed
        ? t(
            'The agent or somebody else has changed this file since you opened it. Nothing was saved. Copy your text, open the file again and repeat.',
          )
        : messageOf(e);
    }
    this.busy = false;
  }
}
