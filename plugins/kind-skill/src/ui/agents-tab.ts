import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { CofferElement, api, confirm, messageOf, t, toast } from '@coffer/ui';
import { deliveryState, drifted, skillPath, skills, unmanaged, type Delivery } from './data.js';

/** How a skill stands at each agent. Where something else is in its place, a person says which one is right. */
@customElement('skill-agents')
export class SkillAgents extends CofferElement {
  @property({ attribute: false }) deliveries: readonly Delivery[] = [];
  @state() private busy = false;

  override render(): unknown {
    if (this.deliveries.length === 0)
      return html`<cf-empty
        icon="client"
        heading=${t('No agent takes skills yet')}
        text=${t('Once Coffer knows an agent on this machine, its skills appear in that agent by themselves.')}
      ></cf-empty>`;
    return html`<section class="panel">
      <div class="pb col gap-4">${this.deliveries.map((d) => this.row(d))}</div>
    </section>`;
  }

  private row(d: Delivery): unknown {
    const { state, word } = deliveryState(d);
    return html`<div class="row wrap" data-agent=${d.agent}>
      <div class="grow">
        <b>${d.agent}</b> <cf-status state=${state}>${word}</cf-status>
        <div class="sm dim"><code>${d.path}</code></div>
        ${d.reason === null ? nothing : html`<div class="sm mut" lang="en">${d.reason}</div>`}
      </div>
      ${
        !drifted(d) || d.state === 'unreachable'
          ? nothing
          : d.state === 'missing'
            ? this.button(t('Link again'), () => this.deliver(d, false))
            : html`${
                d.state === 'replaced' ? this.button(t("Take the agent's version"), () => this.take(d)) : nothing
              }${this.button(t('Keep it as a backup and link'), () => this.deliver(d, true))}`
      }
    </div>`;
  }

  private button(label: string, work: () => Promise<void>): unknown {
    return html`<button class="btn sm" type="button" ?disabled=${this.busy} @click=${() => void this.act(work)}>
      ${label}
    </button>`;
  }

  private async act(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    try {
      await work();
      await Promise.all([skills.load(), unmanaged.load()]);
    } catch (e) {
      toast(messageOf(e));
    }
    this.busy = false;
  }

  private async deliver(d: Delivery, force: boolean): Promise<void> {
    await api.post(`${skillPath(d.skill)}/deliver`, { agent: d.agent, force });
  }

  private async take(d: Delivery): Promise<void> {
    const sure = await confirm({
      title: t('Replace {name} in the vault?', { name: d.skill }),
      text: t("The agent's version takes its place, for every agent. The vault's version goes."),
      verb: t('Replace'),
      danger: true,
    });
    if (sure) await api.post('/unmanaged-skills/adopt', { agent: d.agent, name: d.skill, replace: true });
  }
}
