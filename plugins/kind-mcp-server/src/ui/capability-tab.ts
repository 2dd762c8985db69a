import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, Switches, Use, kitStyles, onNavigate, queryValue, setQuery, t, type Column } from '@coffer/ui';
import { capabilities, setCapability, type Capabilities, type Prompt, type ServerResource } from './data.js';
import { trialOfPrompt, trialOfResource, type Trial } from './trials.js';
import './try-it.js';

interface Row {
  key: string;
  note: string;
  trial: Trial;
}

/** Resources or prompts of a server: switched at once, tried beside the list. */
@customElement('mcp-capability-tab')
export class McpCapabilityTab extends CofferElement {
  static override styles = [
    kitStyles,
    css`
      @media (min-width: 1101px) {
        mcp-try-it {
          position: sticky;
          top: 16px;
        }
      }
    `,
  ];
  @property() server = '';
  @property() type: 'resource' | 'prompt' = 'resource';
  @state() private tried = queryValue('try');
  #capabilities = new Use<Capabilities>(this, undefined);
  #switches = new Switches(() => this.requestUpdate());
  #leave: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#leave = onNavigate(() => (this.tried = queryValue('try')));
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('server')) this.#capabilities.point(capabilities(this.server));
  }

  private columns(): Column<Row>[] {
    return [
      {
        key: 'on',
        label: t('On'),
        width: 't',
        cell: ({ key, trial }) =>
          html`<cf-switch
            label=${trial.name}
            .checked=${this.#switches.shown(key, trial.enabled)}
            .pending=${this.#switches.pending(key)}
            @cf-toggle=${(e: CustomEvent<{ checked: boolean }>) =>
              void this.#switches.set(
                key,
                e.detail.checked,
                (on) => setCapability(this.server, this.type, key, on),
                () => this.#capabilities.reload(),
              )}
          ></cf-switch>`,
      },
      {
        key: 'name',
        label: t('Name'),
        sort: ({ trial }) => trial.name,
        cell: ({ key, trial }) =>
          html`<div class="nm cut">${trial.name}</div>
            <div class="de cut" title=${trial.description ?? ''}>
              ${this.#switches.error(key) || trial.description}
            </div>`,
      },
      {
        key: 'note',
        label: this.type === 'resource' ? t('Address') : t('Arguments'),
        priority: 2,
        cell: (r) => html`<div class="mono sm mut cut" title=${r.note}>${r.note}</div>`,
      },
      {
        key: 'try',
        label: t('Try'),
        numeric: true,
        width: 's',
        cell: ({ key, trial }) =>
          html`<button
            class="btn sm ghost"
            type="button"
            data-try=${key}
            aria-label=${t('Try {name}', { name: trial.name })}
            @click=${() => this.choose(key)}
          >
            <cf-icon name="play"></cf-icon>${t('Try')}
          </button>`,
      },
    ];
  }

  override render(): unknown {
    const c = this.#capabilities.value;
    if (c === undefined)
      return this.#capabilities.error === undefined
        ? html`<cf-skeleton></cf-skeleton>`
        : html`<cf-error
            .error=${this.#capabilities.error}
            @cf-retry=${() => void this.#capabilities.reload()}
          ></cf-error>`;
    const rows = this.type === 'resource' ? c.resources.map(ofResource) : c.prompts.map(ofPrompt);
    const label = this.type === 'resource' ? t('Resources') : t('Prompts');
    const trial = rows.find((r) => r.key === this.tried)?.trial;
    return html`<div class=${trial === undefined ? '' : 'grid g-31'}>
      <cf-table
        label=${label}
        find=${t('Find by name')}
        opens
        selected=${this.tried}
        .columns=${this.columns()}
        .rows=${rows}
        .keyOf=${(r: Row) => r.key}
        .textOf=${(r: Row) => `${r.trial.name} ${r.trial.description ?? ''} ${r.note}`}
        .rowClass=${(r: Row) => (this.#switches.shown(r.key, r.trial.enabled) ? '' : 'off')}
        .filters=${[
          { id: 'on', label: t('On'), fits: (r: Row) => r.trial.enabled },
          { id: 'off', label: t('Off'), fits: (r: Row) => !r.trial.enabled },
        ]}
        @cf-open=${(e: CustomEvent<{ row: Row }>) => this.choose(e.detail.row.key)}
      >
        <cf-empty
          slot="empty"
          icon="box"
          heading=${this.type === 'resource' ? t('It offers no resources') : t('It offers no prompts')}
          text=${t('This is what the server said when it was last asked.')}
        ></cf-empty>
      </cf-table>
      ${trial === undefined ? nothing : html`<mcp-try-it .trial=${trial} @cf-close=${() => this.choose('')}></mcp-try-it>`}
    </div>`;
  }

  private choose(key: string): void {
    this.tried = key;
    setQuery({ try: key });
  }
}

function ofResource(r: ServerResource): Row {
  return { key: r.original_uri, note: r.original_uri, trial: trialOfResource(r) };
}

function ofPrompt(p: Prompt): Row {
  const note = p.arguments.map((a) => (a.required ? a.name : `${a.name}?`)).join(', ');
  return { key: p.original_name, note, trial: trialOfPrompt(p) };
}
