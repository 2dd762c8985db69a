import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  ApiError,
  CofferElement,
  Use,
  api,
  draft,
  messageOf,
  navigate,
  plural,
  stores,
  t,
  toast,
  type CfForm,
  type Json,
} from '@coffer/ui';
import { KIND, serverHref } from './data.js';
import { hide, plainOf, register, renamed, transportOf, type Candidate, type Preview } from './review.js';

const PASTE = 'mcp-add-paste';
const FORM = 'mcp-add-form';
const EXAMPLE = `{
  "mcpServers": {
    "github": { "command": "npx", "args": ["-y", "…"], "env": { "GITHUB_TOKEN": "…" } }
  }
}`;

/** Adding servers, by paste or by form; both end in the same review, in which secrets are put away first. */
@customElement('mcp-server-add')
export class McpServerAdd extends CofferElement {
  /** `paste`, `form`, or closed. */
  @property() mode = '';
  /** What was pasted on the page. */
  @property() text = '';
  @state() private candidates: readonly Candidate[] | undefined;
  @state() private problems: readonly string[] = [];
  @state() private errors: ReadonlyMap<string, string> = new Map();
  @state() private busy = false;
  /** How many of those that are being added are through. */
  @state() private settled = 0;
  #kinds = new Use(this, stores.kinds);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('text') && this.text !== '') draft.set(PASTE, this.text);
    if (changed.has('mode') && this.mode === '') {
      this.candidates = undefined;
      this.problems = [];
      this.errors = new Map();
    }
  }

  override render(): unknown {
    return html`<cf-dialog
      heading=${this.candidates === undefined ? t('Add server') : t('Look before adding')}
      ?open=${this.mode !== ''}
    >
      ${this.mode === '' ? nothing : this.candidates === undefined ? (this.mode === 'form' ? this.form() : this.paste()) : this.review(this.candidates)}
      ${this.footer()}
    </cf-dialog>`;
  }

  private footer(): unknown {
    const n = this.candidates?.length ?? 0;
    return html`<div slot="footer" class="row end">
      ${
        this.candidates === undefined
          ? html`<button class="btn" type="button" @click=${() => this.emit('cf-close', {})}>${t('Cancel')}</button>
              <button
                class="btn pri"
                type="button"
                data-act="next"
                ?disabled=${this.busy}
                @click=${() => void this.next()}
              >
                ${t('Look at it')}
              </button>`
          : html`${
                this.busy
                  ? html`<span class="dim grow" role="status"
                      >${t('{on} of {all} added; one that does not answer takes a while', { on: this.settled, all: n })}</span
                    >`
                  : nothing
              }
              <button class="btn" type="button" ?disabled=${this.busy} @click=${() => (this.candidates = undefined)}>
                ${t('Back')}
              </button>
              <button
                class="btn pri"
                type="button"
                data-act="add"
                ?disabled=${this.busy || n === 0}
                @click=${() => void this.add()}
              >
                ${plural(n, 'Add {n} server', 'Add {n} servers')}
              </button>`
      }
    </div>`;
  }

  private faults(): unknown {
    return this.problems.length === 0
      ? nothing
      : html`<div class="note bad" role="alert" data-problems>
          <cf-icon name="warn"></cf-icon>
          <div class="grow">
            ${this.problems.map((p) => html`<p>${p}</p>`)}
            <p class="sm">${t('Your text is kept; nothing was sent to any server.')}</p>
          </div>
        </div>`;
  }

  private paste(): unknown {
    return html`<div class="col gap-4">
      <div class="f">
        <label for="paste">${t('Configuration of any client')}</label>
        <textarea
          class="ta mono"
          id="paste"
          rows="12"
          spellcheck="false"
          placeholder=${EXAMPLE}
          .value=${draft.get<string>(PASTE) ?? ''}
          @input=${(e: InputEvent) => draft.set(PASTE, (e.target as HTMLTextAreaElement).value)}
        ></textarea>
        <div class="help">
          ${t('mcpServers, servers or mcp_servers, as JSON or TOML. Secrets become credentials before anything is added.')}
        </div>
      </div>
      ${this.faults()}
    </div>`;
  }

  private form(): unknown {
    const schema = this.#kinds.value?.find((k) => k.kind === KIND)?.schema ?? {};
    const kept = draft.get<{ name: string; config: Json }>(FORM) ?? {
      name: '',
      config: { transport: { type: 'stdio' } },
    };
    return html`<div class="col gap-4">
      <div class="f">
        <label for="name">${t('Name')}</label>
        <input
          class="in"
          id="name"
          .value=${kept.name}
          spellcheck="false"
          autocomplete="off"
          @input=${(e: InputEvent) => draft.set(FORM, { ...(draft.get<object>(FORM) ?? kept), name: (e.target as HTMLInputElement).value })}
        />
        <div class="help">${t('Its tools will be called name__tool.')}</div>
      </div>
      <cf-form
        .schema=${schema}
        .value=${kept.config}
        @cf-change=${(e: CustomEvent<{ value: unknown }>) => {
          e.stopPropagation();
          draft.set(FORM, { ...(draft.get<object>(FORM) ?? kept), config: e.detail.value });
        }}
        @cf-submit=${(e: CustomEvent<{ value: unknown }>) => {
          e.stopPropagation();
          void this.fromForm(e.detail.value as Json);
        }}
      ></cf-form>
      ${this.faults()}
    </div>`;
  }

  private async next(): Promise<void> {
    if (this.mode === 'form') {
      await this.renderRoot.querySelector<CfForm>('cf-form')?.submit();
      return;
    }
    await this.preview({ text: draft.get<string>(PASTE) ?? '' }, (c) => c);
  }

  /** Plain variables go through the same reading as a paste, so that secrets among them are found. */
  private async fromForm(config: Json): Promise<void> {
    const name = draft.get<{ name: string }>(FORM)?.name.trim() ?? '';
    if (name === '') {
      this.problems = [t('Give it a name.')];
      return;
    }
    const { type: _type, credential_refs: refs, ...entry } = config['transport'] as Json;
    await this.preview({ config: { mcpServers: { [name]: entry } } }, (c) => {
      const found = transportOf(c);
      const transport = { ...found, credential_refs: { ...found.credential_refs, ...(refs as object | undefined) } };
      return { ...c, config: { ...config, transport } };
    });
  }

  private async preview(body: Json, finish: (c: Candidate) => Candidate): Promise<void> {
    this.busy = true;
    this.problems = [];
    try {
      const source = typeof body['text'] === 'string' ? body['text'] : JSON.stringify(body['config']);
      const [{ secretValue }, { servers, problems }] = await Promise.all([
        import('../import-values.js'),
        api.post<Preview>('/mcp/import/preview', body),
      ]);
      this.problems = problems.length > 0 || servers.length > 0 ? problems : [t('There is no server in it.')];
      const taken = new Set((stores.resources.value ?? []).filter((r) => r.kind === KIND).map((r) => r.name));
      if (servers.length > 0)
        this.candidates = servers.map((s) => {
          const secrets = s.secrets.map((x) => ({ ...x, value: secretValue(source, s, x, {}) ?? '' }));
          const notes = taken.has(s.name)
            ? [...s.notes, t('There is a server of this name already; choose another.')]
            : s.notes;
          return finish({ ...s, secrets, notes });
        });
    } catch (e) {
      this.problems = [messageOf(e)];
    }
    this.busy = false;
  }

  private review(candidates: readonly Candidate[]): unknown {
    return html`<div class="col gap-4">
      ${candidates.map((c, i) => this.candidate(c, i))}
      ${candidates.length === 0 ? html`<p class="dim">${t('Nothing is left to add.')}</p>` : nothing} ${this.faults()}
    </div>`;
  }

  private candidate(c: Candidate, i: number): unknown {
    const transport = transportOf(c);
    const error = this.errors.get(c.name);
    const change = (next: Candidate | undefined): void => {
      this.candidates = (this.candidates ?? []).flatMap((x, j) => (j === i ? (next ?? []) : x));
    };
    const command =
      transport['url'] ?? [transport['command'], ...((transport['args'] as string[] | undefined) ?? [])].join(' ');
    return html`<section class="group col" data-candidate=${c.name}>
      <div class="row">
        <input
          class="in grow"
          aria-label=${t('Name')}
          .value=${c.name}
          @change=${(e: Event) => change(renamed(c, (e.target as HTMLInputElement).value.trim()))}
        />
        <button
          class="btn ghost icon sm"
          type="button"
          aria-label=${t('Leave out {name}', { name: c.name })}
          @click=${() => change(undefined)}
        >
          <cf-icon name="close"></cf-icon>
        </button>
      </div>
      <pre class="code wrap" tabindex="0" aria-label=${t('As it will run')}>${command}</pre>
      ${c.secrets.map(
        (s) =>
          html`<div class="f">
            <div class="row sm">
              <cf-icon class="brass" name="key"></cf-icon><code>${s.key}</code
              ><span class="chip warn">${t('secret')}</span
              ><span class="mut">${t('kept as {name}', { name: s.ref })}</span>
            </div>
            ${
              s.value === ''
                ? html`<input
                    class="in"
                    type="password"
                    autocomplete="off"
                    placeholder=${t('Its secret value')}
                    aria-label=${t('Value of {name}', { name: s.key })}
                    @input=${(e: InputEvent) => this.typed.set(s.ref, (e.target as HTMLInputElement).value)}
                  />`
                : nothing
            }
          </div>`,
      )}
      ${plainOf(c).map(
        ([name, value]) =>
          html`<div class="row sm">
            <code>${name}</code><span class="mut cut grow">${value}</span
            ><button class="btn sm" type="button" @click=${() => change(hide(c, name))}>
              ${t('Make it a secret')}
            </button>
          </div>`,
      )}
      ${c.notes.map((n) => html`<p class="sm dim">${n}</p>`)}
      ${error === undefined ? nothing : html`<div class="note bad" role="alert"><cf-icon name="warn"></cf-icon><span>${error}</span></div>`}
    </section>`;
  }

  /** Secrets typed in the review; they wait here, not in what is drawn. */
  readonly typed = new Map<string, string>();

  /** All at once: one that does not answer is waited for by the daemon, and must not hold up the others. */
  private async add(): Promise<void> {
    this.busy = true;
    this.problems = [];
    this.settled = 0;
    const errors = new Map<string, string>();
    const left: Candidate[] = [];
    const done: string[] = [];
    const one = async (c: Candidate): Promise<void> => {
      const secrets = c.secrets.map((s) => ({ ...s, value: s.value || (this.typed.get(s.ref) ?? '') }));
      try {
        const bare = secrets.find((s) => s.value === '');
        if (bare !== undefined) throw new Error(t('{name} needs its secret value.', { name: bare.key }));
        await register({ ...c, secrets });
        done.push(c.name);
      } catch (e) {
        left.push(c);
        errors.set(c.name, refusal(e));
      }
      this.settled++;
    };
    await Promise.all((this.candidates ?? []).map(one));
    await stores.resources.load();
    this.errors = errors;
    this.busy = false;
    if (left.length > 0) {
      this.candidates = left;
      return;
    }
    draft.drop(this.mode === 'form' ? FORM : PASTE);
    this.typed.clear();
    this.emit('cf-close', {});
    toast(plural(done.length, '{n} server was added', '{n} servers were added'));
    if (done.length === 1 && done[0] !== undefined) navigate(serverHref(done[0]));
  }
}

function refusal(e: unknown): string {
  if (e instanceof ApiError && e.status === 409 && e.message.includes('/'))
    return t('A credential {name} is there already. Nothing was added; rename or delete it first.', {
      name: e.message,
    });
  return messageOf(e);
}
