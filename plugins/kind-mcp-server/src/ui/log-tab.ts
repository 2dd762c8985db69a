import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement, Source, Use, api, t } from '@coffer/ui';
import { serverPath } from './data.js';

/** What a local server wrote to its stderr. */
@customElement('mcp-log-tab')
export class McpLogTab extends CofferElement {
  @property() server = '';
  #lines = new Use<string[]>(this, undefined);

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('server')) return;
    const read = (): Promise<string[]> =>
      api.get<{ lines: string[] }>(`${serverPath(this.server)}/log?lines=2000`).then((a) => a.lines);
    this.#lines.point(new Source(read, ['invocation', 'resource']));
  }

  override render(): unknown {
    const lines = this.#lines.value;
    if (lines === undefined)
      return this.#lines.error === undefined
        ? html`<cf-skeleton></cf-skeleton>`
        : html`<cf-error .error=${this.#lines.error} @cf-retry=${() => void this.#lines.reload()}></cf-error>`;
    if (lines.length === 0)
      return html`<section class="panel">
        <cf-empty
          icon="info"
          heading=${t('Nothing was written')}
          text=${t('What a local program writes to its error output appears here.')}
        ></cf-empty>
      </section>`;
    return html`<cf-log .lines=${lines}></cf-log>`;
  }
}
