import { html } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  CofferElement,
  Use,
  api,
  messageOf,
  t,
  toast,
  type Resource,
  type ResourceFacts,
  type ResourceTab,
  type RouteParams,
} from '@coffer/ui';
import { HOME, KIND, capabilities, serverPath, type Capabilities, type CapabilityType } from './data.js';
import { placeOf, transportOf } from './list.js';
import './capability-tab.js';
import './log-tab.js';
import './overview.js';
import './tools-tab.js';

/** One MCP server. */
@customElement('mcp-server-page')
export class McpServerPage extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};
  @state() private busy = false;
  #capabilities = new Use<Capabilities>(this, undefined);
  #shown = '';

  private get name(): string {
    return this.params['name'] ?? '';
  }

  protected override willUpdate(): void {
    if (this.#shown === this.name) return;
    this.#shown = this.name;
    this.#capabilities.point(capabilities(this.name));
  }

  override render(): unknown {
    return html`<cf-resource
      kind=${KIND}
      name=${this.name}
      list=${HOME}
      .tabs=${this.tabs()}
      .what=${(r: Resource) => ({ a: transportOf(r) === 'http' ? t('HTTP server') : t('Local program'), d: placeOf(r) })}
    >
      <button
        slot="actions"
        class="btn"
        type="button"
        data-act="check"
        ?disabled=${this.busy}
        @click=${() => void this.check()}
      >
        <cf-icon name="refresh"></cf-icon>${t('Check now')}
      </button>
    </cf-resource>`;
  }

  private tabs(): ResourceTab[] {
    const c = this.#capabilities.value;
    const of = (list: readonly { enabled: boolean }[] | undefined): { count?: string } => {
      if (list === undefined) return {};
      const on = list.filter((x) => x.enabled).length;
      return { count: on === list.length ? String(on) : t('{on} of {all}', { on, all: list.length }) };
    };
    const plain = (type: CapabilityType) => () =>
      html`<mcp-capability-tab server=${this.name} type=${type}></mcp-capability-tab>`;
    return [
      {
        id: 'overview',
        label: t('Overview'),
        render: (f: ResourceFacts) => html`<mcp-server-overview .resource=${f.resource}></mcp-server-overview>`,
      },
      {
        id: 'tools',
        label: t('Tools'),
        ...of(c?.tools),
        render: () => html`<mcp-tools-tab server=${this.name}></mcp-tools-tab>`,
      },
      { id: 'resources', label: t('Resources'), ...of(c?.resources), render: plain('resource') },
      { id: 'prompts', label: t('Prompts'), ...of(c?.prompts), render: plain('prompt') },
      { id: 'log', label: t('Log'), render: () => html`<mcp-log-tab server=${this.name}></mcp-log-tab>` },
    ];
  }

  private async check(): Promise<void> {
    this.busy = true;
    try {
      const { ok, latency_ms, error_message } = await api.post<{
        ok: boolean;
        latency_ms: number;
        error_message?: string;
      }>(`${serverPath(this.name)}/test`);
      if (ok) await api.post(`${serverPath(this.name)}/refresh`);
      toast(
        ok
          ? t('{name} answered in {n} ms', { name: this.name, n: latency_ms })
          : (error_message ?? t('It did not answer.')),
      );
      await this.#capabilities.reload();
    } catch (e) {
      toast(messageOf(e));
    }
    this.busy = false;
  }
}
