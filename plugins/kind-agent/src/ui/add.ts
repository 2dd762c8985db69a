import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, Use, api, messageOf, navigate, query, t, toast } from '@coffer/ui';
import { agentHref, agents, types, type Agent } from './data.js';

interface Browsed {
  path: string;
  parent: string | null;
  folders: { name: string; path: string }[];
}

/** Registers an agent; its folder can be looked for. */
@customElement('agent-add')
export class AgentAdd extends CofferElement {
  @property({ type: Boolean }) open = false;
  @state() private type = '';
  @state() private name = '';
  @state() private folder = '';
  @state() private browsed: Browsed | undefined;
  @state() private error = '';
  @state() private busy = false;
  #types = new Use(this, types);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('open')) return;
    this.type = this.name = this.folder = this.error = '';
    this.browsed = undefined;
  }

  override render(): unknown {
    return html`<cf-dialog heading=${t('Add agent')} ?open=${this.open}>
      ${!this.open ? nothing : this.form()}
      ${
        this.error === ''
          ? nothing
          : html`<div class="note bad" role="alert"><cf-icon name="warn"></cf-icon><span>${this.error}</span></div>`
      }
      <div slot="footer" class="row end">
        <button class="btn" type="button" @click=${() => this.emit('cf-close', {})}>${t('Cancel')}</button>
        <button class="btn pri" type="button" data-act="save" ?disabled=${this.busy} @click=${() => void this.save()}>
          ${t('Add')}
        </button>
      </div>
    </cf-dialog>`;
  }

  private form(): unknown {
    const known = this.#types.value ?? [];
    const chosen = known.find((x) => x.type === this.type) ?? known[0];
    const typed = (set: (text: string) => void) => (e: InputEvent) => set((e.target as HTMLInputElement).value.trim());
    return html`<div class="col gap-4">
      <div class="f">
        <label for="type">${t('Type')}</label>
        <select class="sel" id="type" @change=${(e: Event) => (this.type = (e.target as HTMLSelectElement).value)}>
          ${known.map((x) => html`<option value=${x.type} ?selected=${x.type === chosen?.type}>${x.label}</option>`)}
        </select>
      </div>
      <div class="f">
        <label for="name">${t('Name')}</label>
        <input
          class="in mono"
          id="name"
          autocomplete="off"
          spellcheck="false"
          placeholder=${chosen?.name ?? ''}
          .value=${this.name}
          @input=${typed((x) => (this.name = x))}
        />
      </div>
      <div class="f">
        <label for="dir">${t('Settings folder')}</label>
        <div class="row">
          <input
            class="in mono grow"
            id="dir"
            autocomplete="off"
            spellcheck="false"
            placeholder=${chosen?.default_dir ?? ''}
            .value=${this.folder}
            @input=${typed((x) => (this.folder = x))}
          />
          <button class="btn" type="button" data-act="browse" @click=${() => void this.browse(this.folder)}>
            ${t('Browse')}
          </button>
        </div>
      </div>
      ${this.browsed === undefined ? nothing : this.folders(this.browsed)}
    </div>`;
  }

  private folders({ path, parent, folders }: Browsed): unknown {
    const entry = (label: string, to: string): unknown =>
      html`<button class="btn sm ghost" type="button" @click=${() => void this.browse(to)}>${label}</button>`;
    return html`<section class="panel" aria-label=${t('Folders of {folder}', { folder: path })}>
      <div class="ph"><h2 class="mono">${path}</h2></div>
      <div class="pb row wrap">
        ${parent === null ? nothing : entry('..', parent)} ${folders.map((f) => entry(f.name, f.path))}
      </div>
    </section>`;
  }

  private async browse(path: string): Promise<void> {
    this.error = '';
    try {
      this.browsed = await api.get<Browsed>(`/fs/browse${query({ path: path === '' ? undefined : path })}`);
      this.folder = path === '' ? '' : this.browsed.path;
    } catch (e) {
      this.error = messageOf(e);
    }
  }

  private async save(): Promise<void> {
    this.busy = true;
    this.error = '';
    try {
      const made = await api.post<Agent>('/agents', {
        type: this.type === '' ? this.#types.value?.[0]?.type : this.type,
        ...(this.name !== '' && { name: this.name }),
        ...(this.folder !== '' && { config_dir: this.folder }),
      });
      await agents.load();
      this.emit('cf-close', {});
      toast(t('{name} was added', { name: made.name }));
      navigate(agentHref(made.name));
    } catch (e) {
      this.error = messageOf(e);
    }
    this.busy = false;
  }
}
