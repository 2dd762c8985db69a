import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { ApiError, CofferElement, api, messageOf, t } from '@coffer/ui';
import { basePath } from './data.js';

interface Adding {
  file: File;
  state: 'waiting' | 'working' | 'done' | 'held' | 'failed';
  words: string;
}

/** Takes files in, one after the other, dropped or chosen; says what became of each. */
@customElement('knowledge-add-files')
export class KnowledgeAddFiles extends CofferElement {
  @property() base = '';
  @state() private over = false;
  @state() private adding: readonly Adding[] = [];
  #busy = false;

  override render(): unknown {
    const done = this.adding.filter((a) => a.state !== 'waiting' && a.state !== 'working').length;
    return html`<aside class="grid" aria-label=${t('Add files')}>
      <div
        class="drop ${this.over ? 'over' : ''}"
        @dragover=${(e: DragEvent) => {
          e.preventDefault();
          this.over = true;
        }}
        @dragleave=${() => (this.over = false)}
        @drop=${(e: DragEvent) => {
          e.preventDefault();
          this.over = false;
          this.take(e.dataTransfer?.files);
        }}
      >
        <label class="col">
          <b>${t('Drop files here, or choose some')}</b>
          <span class="sm"
            >${t('Markdown, text, code, CSV, HTML, PDF, Word, Excel, PowerPoint, EPUB. Originals are kept.')}</span
          >
          <input
            type="file"
            multiple
            @change=${(e: Event) => {
              const input = e.target as HTMLInputElement;
              this.take(input.files);
              input.value = '';
            }}
          />
        </label>
      </div>
      ${
        this.adding.length === 0
          ? nothing
          : html`<section class="panel" aria-label=${t('Adding')}>
              <div class="ph">
                <h2>${t('Adding')}</h2>
                <span class="dim tnum" role="status">${t('{on} of {all}', { on: done, all: this.adding.length })}</span>
              </div>
              ${this.adding.map((a) => this.row(a))}
            </section>`
      }
    </aside>`;
  }

  private row(a: Adding): unknown {
    return html`<div class="li">
      <div class="grow">
        <div class="cut">${a.file.name}</div>
        <div class="sm ${a.state === 'failed' ? 'bad' : 'mut'}">${a.words}</div>
      </div>
      ${
        a.state === 'held'
          ? html`<button class="btn sm" type="button" @click=${() => void this.replace(a)}>
              ${t('Replace')}<span class="vh"> ${a.file.name}</span>
            </button>`
          : nothing
      }
    </div>`;
  }

  private take(files: FileList | null | undefined): void {
    const more = [...(files ?? [])].map((file): Adding => ({ file, state: 'waiting', words: t('Waiting') }));
    this.adding = [...this.adding.filter((a) => a.state === 'waiting' || a.state === 'working'), ...more];
    void this.work();
  }

  /** One at a time: a hundred files should not be read into the page at once. */
  private async work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let next = this.waiting(); next !== undefined; next = this.waiting()) await this.send(next, false);
    this.#busy = false;
  }

  private waiting(): Adding | undefined {
    return this.adding.find((a) => a.state === 'waiting');
  }

  private async replace(a: Adding): Promise<void> {
    await this.send(a, true);
  }

  private async send(a: Adding, replace: boolean): Promise<void> {
    const say = (state: Adding['state'], words: string): void => {
      a.state = state;
      a.words = words;
      this.requestUpdate();
    };
    say('working', t('Converting'));
    try {
      const body = { filename: a.file.name, content_base64: await base64(a.file), ...(replace && { replace }) };
      const made = await api.post<{ status: string }>(`${basePath(this.base)}/documents`, body);
      say(
        'done',
        made.status === 'unchanged'
          ? t('Was there already')
          : made.status === 'replaced'
            ? t('Replaced')
            : t('Taken in'),
      );
    } catch (e) {
      if (e instanceof ApiError && e.code === 'DOCUMENT_EXISTS')
        say('held', t('Same name, new content. Nothing was written.'));
      else say('failed', messageOf(e));
    }
  }
}

async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
