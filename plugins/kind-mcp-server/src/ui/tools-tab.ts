import { css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  CofferElement,
  Switches,
  Use,
  kitStyles,
  onNavigate,
  queryValue,
  setQuery,
  t,
  toast,
  type Column,
} from '@coffer/ui';
import { capabilities, setCapability, type Capabilities, type Tool } from './data.js';
import { trialOfTool } from './trials.js';
import './try-it.js';

/** The tools of a server: switched at once, tried beside the list. */
@customElement('mcp-tools-tab')
export class McpToolsTab extends CofferElement {
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
  @state() private tried = queryValue('tool');
  #capabilities = new Use<Capabilities>(this, undefined);
  #switches = new Switches(() => this.requestUpdate());
  #leave: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    // A link to another tool of the same server brings no new element.
    this.#leave = onNavigate(() => (this.tried = queryValue('tool')));
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('server')) this.#capabilities.point(capabilities(this.server));
  }

  private columns(): Column<Tool>[] {
    return [
      {
        key: 'on',
        label: t('On'),
        width: 't',
        cell: (x) =>
          html`<cf-switch
            label=${x.original_name}
            .checked=${this.#switches.shown(x.original_name, x.enabled)}
            .pending=${this.#switches.pending(x.original_name)}
            @cf-toggle=${(e: CustomEvent<{ checked: boolean }>) => this.toggle(x, e.detail.checked)}
          ></cf-switch>`,
      },
      {
        key: 'tool',
        label: t('Tool'),
        sort: (x) => x.original_name,
        cell: (x) =>
          html`<div class="nm mono cut">${x.original_name}</div>
            <div class="de cut" title=${x.description ?? ''}>
              ${this.#switches.error(x.original_name) || x.description}
            </div>`,
      },
      {
        key: 'try',
        label: t('Try'),
        numeric: true,
        width: 's',
        cell: (x) =>
          html`<button
            class="btn sm ghost"
            type="button"
            data-try=${x.original_name}
            aria-label=${t('Try {name}', { name: x.original_name })}
            @click=${() => this.choose(x.original_name)}
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
    const tool = c.tools.find((x) => x.original_name === this.tried);
    return html`<div class=${tool === undefined ? '' : 'grid g-31'}>
      <cf-table
        label=${t('Tools')}
        find=${t('Find in {n} tools', { n: c.tools.length })}
        opens
        selected=${this.tried}
        .columns=${this.columns()}
        .rows=${c.tools}
        .keyOf=${(x: Tool) => x.original_name}
        .textOf=${(x: Tool) => `${x.original_name} ${x.description ?? ''}`}
        .rowClass=${(x: Tool) => (this.#switches.shown(x.original_name, x.enabled) ? '' : 'off')}
        .filters=${[
          { id: 'on', label: t('On'), fits: (x: Tool) => x.enabled },
          { id: 'off', label: t('Off'), fits: (x: Tool) => !x.enabled },
        ]}
        @cf-open=${(e: CustomEvent<{ row: Tool }>) => this.choose(e.detail.row.original_name)}
      >
        <cf-empty
          slot="empty"
          icon="box"
          heading=${t('It offers no tools')}
          text=${t('This is what the server said when it was last asked.')}
        ></cf-empty>
      </cf-table>
      ${tool === undefined ? nothing : html`<mcp-try-it .trial=${trialOfTool(tool)} @cf-close=${() => this.choose('')}></mcp-try-it>`}
    </div>`;
  }

  private choose(name: string): void {
    this.tried = name;
    setQuery({ tool: name });
  }

  private toggle(x: Tool, on: boolean): void {
    const key = x.original_name;
    void this.#switches.set(
      key,
      on,
      (value) => setCapability(this.server, 'tool', key, value),
      () => this.#capabilities.reload(),
    );
    if (!on) toast(t('{name} is off for every client', { name: key }), () => this.toggle(x, true));
  }
}
