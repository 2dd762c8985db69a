import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, Use, api, messageOf, t, toast } from '@coffer/ui';
import { at, installed, type Agent, type Installed } from './data.js';

/** What a session is told when it starts, and whether the agent keeps a memory of its own. */
@customElement('agent-start')
export class AgentStart extends CofferElement {
  @property({ attribute: false }) agent: Agent | undefined;
  @state() private busy = false;
  #hook = new Use<Installed>(this, undefined);

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('agent') && changed.get('agent')?.name !== this.agent?.name)
      this.#hook.point(installed(this.agent?.name ?? '', 'hook-install'));
  }

  override render(): unknown {
    const { agent } = this;
    const hook = this.#hook.value;
    if (agent === undefined) return nothing;
    return html`<section class="panel" aria-label=${t('At start')}>
      ${
        hook === undefined
          ? this.#hook.error === undefined
            ? nothing
            : html`<div class="note bad" role="alert">
                <cf-icon name="warn"></cf-icon><span lang="en">${messageOf(this.#hook.error)}</span>
              </div>`
          : this.row(
              t('Tell new sessions'),
              t(
                'Rules of the project and of everything, and where the branch was left. A hook in its own settings; it never holds a session up.',
              ),
              hook.installed,
              (on) => (on ? api.post(at(agent.name, 'hook-install')) : api.delete(at(agent.name, 'hook-install'))),
              hook.note ?? '',
            )
      }
      ${
        agent.facets.includes('nativeMemory')
          ? this.row(
              t('No memory of its own'),
              t('It is told not to keep notes of its own, so that everything is in the memory that all agents share.'),
              agent.disable_native_memory,
              (on) => api.patch(at(agent.name), { disable_native_memory: on }),
            )
          : nothing
      }
    </section>`;
  }

  private row(label: string, text: string, on: boolean, set: (on: boolean) => Promise<unknown>, note = ''): unknown {
    return html`<div class="li">
      <div class="grow">
        <b>${label}</b>
        <div class="sm mut">${text}</div>
        ${on && note !== '' ? html`<div class="sm" lang="en">${note}</div>` : nothing}
      </div>
      <cf-switch
        label=${label}
        .checked=${on}
        .pending=${this.busy}
        @cf-toggle=${(e: CustomEvent<{ checked: boolean }>) => void this.act(() => set(e.detail.checked))}
      ></cf-switch>
    </div>`;
  }

  private async act(work: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    try {
      await work();
    } catch (e) {
      toast(messageOf(e));
    }
    await this.#hook.reload();
    this.busy = false;
  }
}
