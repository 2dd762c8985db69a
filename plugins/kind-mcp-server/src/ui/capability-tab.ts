import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement, Switches, Use, t, type Column } from '@coffer/ui';
import { capabilities, setCapability, type Capabilities, type Prompt, type ServerResource } from './data.js';

interface Row {
  key: string;
  title: string;
  text: string;
  note: string;
  enabled: boolean;
}

/** Resources or prompts of a server; switched at once. */
@customElement('mcp-capability-tab')
export class McpCapabilityTab extends CofferElement {
  @property() server = '';
  @property() type: 'resource' | 'prompt' = 'resource';
  #capabilities = new Use<Capabilities>(this, undefined);
  #switches = new Switches(() => this.requestUpdate());

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('server')) this.#capabilities.point(capabilities(this.server));
  }

  private columns(): Column<Row>[] {
    return [
      {
        key: 'on',
        label: t('On'),
        width: 't',
        cell: (r) =>
          html`<cf-switch
            label=${r.title}
            .checked=${this.#switches.shown(r.key, r.enabled)}
            .pending=${this.#switches.pending(r.key)}
            @cf-toggle=${(e: CustomEvent<{ checked: boolean }>) =>
              void this.#switches.set(
                r.key,
                e.detail.checked,
                (on) => setCapability(this.server, this.type, r.key, on),
                () => this.#capabilities.reload(),
              )}
          ></cf-switch>`,
      },
      {
        key: 'name',
        label: t('Name'),
        sort: (r) => r.title,
        cell: (r) =>
          html`<div class="nm">${r.title}</div>
            <div class="de cut">${this.#switches.error(r.key) || r.text}</div>`,
      },
      {
        key: 'note',
        label: this.type === 'resource' ? t('Address') : t('Arguments'),
        priority: 2,
        cell: (r) => html`<span class="mono sm mut">${r.note}</span>`,
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
    return html`<cf-table
      label=${label}
      find=${t('Find by name')}
      .columns=${this.columns()}
      .rows=${rows}
      .keyOf=${(r: Row) => r.key}
      .textOf=${(r: Row) => `${r.title} ${r.text} ${r.note}`}
      .rowClass=${(r: Row) => (r.enabled ? '' : 'off')}
      .filters=${[
        { id: 'on', label: t('On'), fits: (r: Row) => r.enabled },
        { id: 'off', label: t('Off'), fits: (r: Row) => !r.enabled },
      ]}
    >
      <cf-empty
        slot="empty"
        icon="box"
        heading=${this.type === 'resource' ? t('It offers no resources') : t('It offers no prompts')}
        text=${t('This is what the server said when it was last asked.')}
      ></cf-empty>
    </cf-table>`;
  }
}

function ofResource(r: ServerResource): Row {
  return {
    key: r.original_uri,
    title: r.name ?? r.original_uri,
    text: r.description ?? '',
    note: r.original_uri,
    enabled: r.enabled,
  };
}

function ofPrompt(p: Prompt): Row {
  return {
    key: p.original_name,
    title: p.original_name,
    text: p.description ?? '',
    note: p.arguments.map((a) => (a.required ? a.name : `${a.name}?`)).join(', '),
    enabled: p.enabled,
  };
}
