import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, api, format, messageOf, t, toast } from '@coffer/ui';
import { agentPath, agents, connectionPath, connections, type Change, type Tested, type Wish } from './data.js';

export interface SwitchDraft {
  agent: string;
  label: string;
  wish: Wish;
}

/** Three steps to switch an agent: choose, test, look and switch. Its files are written by the last alone. */
@customElement('llm-switch')
export class LlmSwitch extends CofferElement {
  @property({ attribute: false }) draft: SwitchDraft = {
    agent: '',
    label: '',
    wish: { connection: null, model: null, fast_model: null },
  };
  @state() private tested: Tested | undefined;
  @state() private changes: readonly Change[] | undefined;
  @state() private busy: '' | 'test' | 'switch' = '';
  @state() private error = '';

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('draft')) return;
    this.tested = undefined;
    this.changes = undefined;
    this.error = '';
    // The built-in login needs no test.
    if (this.draft.wish.connection === null) void this.look();
  }

  protected override updated(changed: Map<string, unknown>): void {
    // On a narrow screen it stands below what was chosen.
    if (changed.has('draft')) this.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }

  override render(): unknown {
    const { wish, label } = this.draft;
    const own = wish.connection === null;
    const heading = own
      ? t('{agent} back to its own login', { agent: label })
      : t('Switch {agent} to {name}', { agent: label, name: wish.connection ?? '' });
    const ready = this.changes !== undefined;
    return html`<aside class="panel stick" aria-label=${heading}>
      <div class="ph"><h2>${heading}</h2></div>
      <div class="pb col gap-4">
        <ol class="steps">
          ${this.step(1, 'done', t('Choose'), own ? t('its own login') : [wish.connection, wish.model].filter(Boolean).join(', '))}
          ${own ? nothing : this.step(2, this.tested?.ok === true ? 'done' : 'now', t('Test'), this.testWords())}
          ${this.step(own ? 2 : 3, ready ? 'now' : '', t('Look and switch'), ready ? t('A backup stays beside each file.') : '')}
        </ol>
        ${this.error === '' ? nothing : html`<div class="note bad" role="alert"><cf-icon name="warn"></cf-icon><span>${this.error}</span></div>`}
        ${(this.changes ?? []).map(
          (c) =>
            html`<div class="col" role="group" aria-label=${t('Changes in {file}', { file: c.path })}>
              <b class="mono sm">${c.path}</b>
              ${
                c.before === c.after
                  ? html`<p class="sm mut">${t('Nothing changes here.')}</p>`
                  : html`<cf-diff left=${t('now')} right=${t('then')} .old=${c.before} .now=${c.after}></cf-diff>`
              }
            </div>`,
        )}
        ${
          own
            ? nothing
            : html`<p class="sm mut row top">
                <cf-icon name="lock"></cf-icon
                ><span>${t('The key stays here. {agent} asks for it when it starts.', { agent: label })}</span>
              </p>`
        }
        <div class="row wrap">
          ${
            ready
              ? html`<button
                  class="btn pri"
                  type="button"
                  data-act="switch"
                  ?disabled=${this.busy !== ''}
                  @click=${() => void this.switch()}
                >
                  ${this.busy === 'switch' ? t('Switching…') : t('Switch')}
                </button>`
              : own
                ? nothing
                : html`<button
                    class="btn pri"
                    type="button"
                    data-act="test"
                    ?disabled=${this.busy !== ''}
                    @click=${() => void this.test()}
                  >
                    ${this.busy === 'test' ? t('Asking…') : t('Test')}
                  </button>`
          }
          <button class="btn ghost" type="button" data-act="discard" @click=${() => this.emit('cf-close', {})}>
            ${t('Discard')}
          </button>
        </div>
      </div>
    </aside>`;
  }

  private step(n: number, now: 'done' | 'now' | '', name: string, words: string): unknown {
    return html`<li class="step ${now}">
      <b>${now === 'done' ? html`<cf-icon name="check"></cf-icon>` : n}</b>
      <div class="grow"><b>${name}</b>${words === '' ? nothing : html`<div class="sm mut">${words}</div>`}</div>
    </li>`;
  }

  private testWords(): string {
    if (this.tested === undefined)
      return this.draft.wish.model === null
        ? t('Asks the endpoint for its models.')
        : t('Asks the model for one word.');
    return this.tested.ok
      ? t('Answered in {time}.', { time: format.duration(this.tested.duration_ms) })
      : this.tested.message;
  }

  private async test(): Promise<void> {
    const { wish } = this.draft;
    if (wish.connection === null) return;
    this.busy = 'test';
    this.error = '';
    try {
      this.tested = await api.post<Tested>(
        `${connectionPath(wish.connection)}/test`,
        wish.model === null ? {} : { model: wish.model },
      );
      void connections.load();
      if (this.tested.ok) await this.look();
    } catch (e) {
      this.error = messageOf(e);
    } finally {
      this.busy = '';
    }
  }

  private async look(): Promise<void> {
    const { agent, wish } = this.draft;
    try {
      const { changes } = await api.post<{ changes: Change[] }>(`${agentPath(agent)}/preview`, { ...wish });
      // Another choice was made meanwhile.
      if (this.draft.wish === wish) this.changes = changes;
    } catch (e) {
      this.error = messageOf(e);
    }
  }

  private async switch(): Promise<void> {
    const { agent, label, wish } = this.draft;
    this.busy = 'switch';
    try {
      await api.put(agentPath(agent), { ...wish });
      await Promise.all([agents.load(), connections.load()]);
      toast(
        wish.connection === null
          ? t('{agent} runs on its own login', { agent: label })
          : t('{agent} runs on {name} from its next start', { agent: label, name: wish.connection }),
      );
      this.emit('cf-close', {});
    } catch (e) {
      this.error = messageOf(e);
    } finally {
      this.busy = '';
    }
  }
}
