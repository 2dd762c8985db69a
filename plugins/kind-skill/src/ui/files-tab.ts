import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, Source, Use, api, draft, format, kitStyles, messageOf, setQuery, t, toast } from '@coffer/ui';
import { contentPath, skillPath, skills, type FileContent, type FileNode } from './data.js';

/** The files of a skill as a tree; text can be read and edited. */
@customElement('skill-files')
export class SkillFiles extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      .grid {
        align-items: start;
      }
      .tree {
        padding: 8px;
      }
    `,
  ];
  @property() name = '';
  @property() file = '';
  @state() private shown: FileContent | undefined;
  @state() private edit: string | undefined;
  @state() private error = '';
  @state() private busy = false;
  #tree = new Use<{ files: FileNode[] }>(this, undefined);

  private get path(): string {
    return this.file === '' ? 'SKILL.md' : this.file;
  }
  private get key(): string {
    return `skill:${this.name}:${this.path}`;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('name'))
      this.#tree.point(new Source(() => api.get<{ files: FileNode[] }>(`${skillPath(this.name)}/files`), ['resource']));
    if (changed.has('name') || changed.has('file')) void this.read();
  }

  override render(): unknown {
    return html`<div class="grid g-11">
      <section class="panel" aria-label=${t('Files')}>
        ${
          this.#tree.value === undefined
            ? this.#tree.error === undefined
              ? html`<cf-skeleton></cf-skeleton>`
              : html`<cf-error .error=${this.#tree.error} @cf-retry=${() => void this.#tree.reload()}></cf-error>`
            : html`<ul class="tree">
                ${this.#tree.value.files.map((n) => this.node(n))}
              </ul>`
        }
      </section>
      <section class="panel" aria-label=${this.path} data-file>${this.content()}</section>
    </div>`;
  }

  private node(n: FileNode): unknown {
    if (n.type === 'folder')
      return html`<li>
        <span>${n.name}/</span>
        <ul>
          ${(n.children ?? []).map((c) => this.node(c))}
        </ul>
      </li>`;
    return html`<li>
      <a
        href="?file=${encodeURIComponent(n.path)}"
        aria-current=${n.path === this.path ? 'true' : nothing}
        @click=${(e: Event) => {
          e.preventDefault();
          e.stopPropagation();
          this.file = n.path;
          setQuery({ file: n.path });
        }}
        >${n.name}<span class="end">${n.type === 'link' ? t('link') : format.bytes(n.size)}</span></a
      >
    </li>`;
  }

  private content(): unknown {
    const f = this.shown;
    const fault =
      this.error === ''
        ? nothing
        : html`<div class="note bad" role="alert" data-problem>
            <cf-icon name="warn"></cf-icon><span>${this.error}</span>
          </div>`;
    if (f === undefined) return html`<div class="pb">${fault}</div>`;
    const text = this.edit ?? draft.get<string>(this.key);
    const editable = !f.binary && !f.truncated;
    return html`<div class="ph">
        <h2 class="mono">${f.path}</h2>
        <span class="end row">
          ${
            text === undefined
              ? editable
                ? html`<button
                    class="btn sm"
                    type="button"
                    data-act="edit"
                    @click=${() => (this.edit = f.content ?? '')}
                  >
                    <cf-icon name="edit"></cf-icon>${t('Edit')}
                  </button>`
                : nothing
              : html`<button class="btn sm ghost" type="button" @click=${() => this.discard()}>${t('Discard')}</button>
                  <button
                    class="btn sm pri"
                    type="button"
                    data-act="save"
                    ?disabled=${this.busy}
                    @click=${() => void this.save(text)}
                  >
                    ${t('Save')}
                  </button>`
          }
        </span>
      </div>
      <div class="pb col gap-4">
        ${fault}
        ${
          f.binary
            ? html`<p class="dim">${t('A binary file of {size}.', { size: format.bytes(f.size) })}</p>`
            : text === undefined
              ? html`<cf-code wrap label=${f.path} .value=${f.content ?? ''}></cf-code>`
              : html`<textarea
                  class="ta mono"
                  rows="24"
                  spellcheck="false"
                  aria-label=${f.path}
                  .value=${text}
                  @input=${(e: InputEvent) => {
                    this.edit = (e.target as HTMLTextAreaElement).value;
                    draft.set(this.key, this.edit);
                  }}
                ></textarea>`
        }
        ${f.truncated ? html`<p class="sm dim">${t('Only the first part of {size}.', { size: format.bytes(f.size) })}</p>` : nothing}
      </div>`;
  }

  private discard(): void {
    draft.drop(this.key);
    this.edit = undefined;
    this.error = '';
  }

  private async read(): Promise<void> {
    const wanted = this.key;
    this.edit = undefined;
    this.error = '';
    try {
      const got = await api.get<FileContent>(contentPath(this.name, this.path));
      if (wanted === this.key) this.shown = got;
    } catch (e) {
      if (wanted !== this.key) return;
      this.shown = undefined;
      this.error = messageOf(e);
    }
  }

  private async save(content: string): Promise<void> {
    this.busy = true;
    this.error = '';
    try {
      this.shown = await api.put<FileContent>(contentPath(this.name, this.path), { content });
      this.discard();
      await skills.load();
      toast(t('Saved; every agent has it now'));
    } catch (e) {
      this.error = messageOf(e);
    }
    this.busy = false;
  }
}
