import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, api, draft, format, messageOf, navigate, plural, t, toast, type Json } from '@coffer/ui';
import { problemWords, skillHref, skills, type Stage, type Staged } from './data.js';

const DRAFT = 'skill-import';
/** What a request may carry; a larger archive is named by its path. */
const UPLOAD_BYTES = 5 * 1_048_576;

interface Form {
  source: string;
  ref: string;
  subpath: string;
}

/** Import in two steps: look at what is there, then choose. Nothing is in the vault before the second. */
@customElement('skill-import')
export class SkillImport extends CofferElement {
  @property({ type: Boolean }) open = false;
  @state() private stage: Stage | undefined;
  @state() private chosen: ReadonlySet<string> = new Set();
  @state() private error = '';
  @state() private busy = false;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('open') && !this.open) void this.back();
  }

  override render(): unknown {
    return html`<cf-dialog
      heading=${this.stage === undefined ? t('Import skills') : t('Choose what to take')}
      ?open=${this.open}
    >
      ${!this.open ? nothing : this.stage === undefined ? this.ask() : this.choose(this.stage)}
      ${this.error === '' ? nothing : html`<div class="note bad" role="alert" data-problem><cf-icon name="warn"></cf-icon><span>${this.error}</span></div>`}
      ${this.footer()}
    </cf-dialog>`;
  }

  private get form(): Form {
    return draft.get<Form>(DRAFT) ?? { source: '', ref: '', subpath: '' };
  }

  private ask(): unknown {
    const { form } = this;
    const field = (key: keyof Form, label: string, help: string, optional = false): unknown =>
      html`<div class="f">
        <label for=${key}>${label} ${optional ? html`<span class="opt">${t('optional')}</span>` : nothing}</label>
        <input
          class="in mono"
          id=${key}
          spellcheck="false"
          autocomplete="off"
          .value=${form[key]}
          @input=${(e: InputEvent) => {
            draft.set(DRAFT, { ...this.form, [key]: (e.target as HTMLInputElement).value });
            this.requestUpdate();
          }}
        />
        <div class="help">${help}</div>
      </div>`;
    return html`<div class="col gap-4">
      ${field('source', t('Folder, git address or archive'), t('An absolute path on this machine, https://… or user@host:path.'))}
      ${
        isGit(form.source.trim())
          ? html`${field('ref', t('Branch, tag or commit'), t('The default branch when left empty.'), true)}
            ${field('subpath', t('Folder in the repository'), t('SKILL.md is found there, or one or two folders down.'), true)}`
          : nothing
      }
      <div class="f">
        <label for="file">${t('Or a zip or .skill file')} <span class="opt">${t('optional')}</span></label>
        <input id="file" type="file" accept=".zip,.skill" @change=${(e: Event) => void this.upload(e)} />
      </div>
    </div>`;
  }

  private choose(stage: Stage): unknown {
    return html`<div class="col gap-4">
      <p class="dim sm"><code>${stage.label}</code></p>
      ${stage.skills.map((s) => this.candidate(s))}
    </div>`;
  }

  private candidate(s: Staged): unknown {
    const id = `pick-${s.folder}`;
    return html`<div class="row" data-candidate=${s.name}>
      <input
        class="ck"
        type="checkbox"
        id=${id}
        ?disabled=${!s.valid}
        .checked=${this.chosen.has(s.name)}
        @change=${(e: Event) => {
          const next = new Set(this.chosen);
          if ((e.target as HTMLInputElement).checked) next.add(s.name);
          else next.delete(s.name);
          this.chosen = next;
        }}
      />
      <label class="grow" for=${id}>
        <b>${s.name}</b>
        ${s.taken ? html`<span class="chip warn">${s.edited ? t('replaces one you have edited') : t('replaces the one there')}</span>` : nothing}
        <span class="sm mut">${plural(s.file_count, '{n} file', '{n} files')}, ${format.bytes(s.size_bytes)}</span>
        <div class="sm dim">${s.problem === null ? s.description : problemWords(s.problem)}</div>
      </label>
    </div>`;
  }

  private footer(): unknown {
    const n = this.chosen.size;
    return html`<div slot="footer" class="row end">
      ${
        this.stage === undefined
          ? html`<button class="btn" type="button" @click=${() => this.emit('cf-close', {})}>${t('Cancel')}</button>
              <button
                class="btn pri"
                type="button"
                data-act="look"
                ?disabled=${this.busy || this.form.source.trim() === ''}
                @click=${() => void this.look(request(this.form))}
              >
                ${this.busy ? t('Looking…') : t('Look at it')}
              </button>`
          : html`<button class="btn" type="button" @click=${() => void this.back()}>${t('Back')}</button>
              <button
                class="btn pri"
                type="button"
                data-act="confirm"
                ?disabled=${this.busy || n === 0}
                @click=${() => void this.confirm(this.stage)}
              >
                ${plural(n, 'Import {n} skill', 'Import {n} skills')}
              </button>`
      }
    </div>`;
  }

  private async upload(e: Event): Promise<void> {
    const file = (e.target as HTMLInputElement).files?.[0];
    if (file === undefined) return;
    if (file.size > UPLOAD_BYTES) {
      this.error = t('This file is too large to send: give its path instead.');
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    let binary = '';
    for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
    await this.look({ type: 'zip', name: file.name, content_base64: btoa(binary) });
  }

  private async look(body: Json): Promise<void> {
    this.busy = true;
    this.error = '';
    try {
      const stage = await api.post<Stage>('/skill-imports', body);
      // Closed while it was looked at.
      if (!this.open) return void (await api.delete(`/skill-imports/${stage.id}`));
      this.stage = stage;
      this.chosen = new Set(stage.skills.filter((s) => s.valid && !s.taken).map((s) => s.name));
    } catch (e) {
      this.error = messageOf(e);
    } finally {
      this.busy = false;
    }
  }

  private async back(): Promise<void> {
    const { stage } = this;
    this.stage = undefined;
    this.error = '';
    // One that is gone already needs no leave.
    if (stage !== undefined) await api.delete(`/skill-imports/${stage.id}`).catch(() => undefined);
  }

  private async confirm(stage: Stage | undefined): Promise<void> {
    if (stage === undefined) return;
    this.busy = true;
    const names = [...this.chosen];
    const replace = stage.skills.filter((s) => s.taken && this.chosen.has(s.name)).map((s) => s.name);
    try {
      await api.post(`/skill-imports/${stage.id}/confirm`, { names, replace });
      this.stage = undefined;
      draft.drop(DRAFT);
      await skills.load();
      this.emit('cf-close', {});
      toast(plural(names.length, '{n} skill was imported', '{n} skills were imported'));
      if (names.length === 1 && names[0] !== undefined) navigate(skillHref(names[0]));
    } catch (e) {
      this.error = messageOf(e);
    } finally {
      this.busy = false;
    }
  }
}

function isGit(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source) || /^[\w.-]+@[\w.-]+:/.test(source);
}

function request({ source, ref, subpath }: Form): Json {
  const from = source.trim();
  if (isGit(from))
    return {
      type: 'git',
      url: from,
      ...(ref.trim() !== '' && { ref: ref.trim() }),
      ...(subpath.trim() !== '' && { subpath: subpath.trim() }),
    };
  return { type: /\.(zip|skill)$/i.test(from) ? 'zip' : 'folder', path: from };
}
