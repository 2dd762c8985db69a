import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement, Use, t, type ResourceTab, type RouteParams } from '@coffer/ui';
import { HOME, KIND, oneAgent, type Agent } from './data.js';
import './files-tab.js';
import './mcp-tab.js';
import './model-tab.js';
import './plugins-tab.js';
import './sees-tab.js';
import './start-tab.js';

/** One agent: a tab for each part that it has. */
@customElement('agent-page')
export class AgentPage extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};
  #agent = new Use<Agent>(this, undefined);

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('params')) this.#agent.point(oneAgent(this.name));
  }

  private get name(): string {
    return this.params['name'] ?? '';
  }

  override render(): unknown {
    const agent = this.#agent.value;
    return html`<cf-resource
      steady
      kind=${KIND}
      name=${this.name}
      list=${HOME}
      .tabs=${agent === undefined ? [] : this.tabs(agent)}
      .what=${() => ({ a: whatOf(agent), d: agent?.config_dir ?? nothing })}
    ></cf-resource>`;
  }

  private tabs(agent: Agent): ResourceTab[] {
    const { name, facets } = agent;
    const tab = (id: string, label: string, facet: string, render: () => unknown): ResourceTab[] =>
      facets.includes(facet) ? [{ id, label, render }] : [];
    return [
      { id: 'sees', label: t('What it sees'), render: () => html`<agent-sees name=${name}></agent-sees>` },
      ...tab('mcp', t('MCP settings'), 'mcpConfig', () => html`<agent-mcp name=${name}></agent-mcp>`),
      ...tab('files', t('Config files'), 'configFiles', () => html`<agent-files name=${name}></agent-files>`),
      ...tab('start', t('At start'), 'sessionContext', () => html`<agent-start .agent=${agent}></agent-start>`),
      ...tab('model', t('Model'), 'modelConnection', () => html`<agent-model name=${name}></agent-model>`),
      ...tab('plugins', t('Native plugins'), 'plugins', () => html`<agent-plugins name=${name}></agent-plugins>`),
    ];
  }
}

function whatOf(agent: Agent | undefined): string {
  if (agent === undefined) return '';
  return agent.version == null
    ? agent.label
    : t('{agent}, version {version}', { agent: agent.label, version: agent.version });
}
