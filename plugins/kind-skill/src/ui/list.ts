import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  CofferElement,
  Switches,
  Use,
  api,
  messageOf,
  navigate,
  plural,
  queryValue,
  resourcePath,
  setQuery,
  t,
  toast,
  type Column,
  type RouteParams,
} from '@coffer/ui';
import {
  KIND,
  deliveryState,
  needsYou,
  problemWords,
  skillHref,
  skills,
  targets,
  unmanaged,
  type Skill,
} from './data.js';
import './drift.js';
import './import.js';
import './unmanaged.js';

/** All skills, and how each stands at each agent. */
@customElement('skill-list')
export class SkillList extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};
  @state() private verifying = false;
  #skills = new Use(this, skills);
  #targets = new Use(this, targets);
  #unmanaged = new Use(this, unmanaged);
  #switches = new Switches(() => this.requestUpdate());

  private columns(): Column<Skill>[] {
    return [
      {
        key: 'on',
        label: t('On'),
        width: 't',
        cell: (s) =>
          html`<cf-switch
            label=${s.name}
            .checked=${this.#switches.shown(s.name, s.enabled)}
            .pending=${this.#switches.pending(s.name)}
            @cf-toggle=${(e: CustomEvent<{ checked: boolean }>) => this.toggle(s, e.detail.checked)}
          ></cf-switch>`,
      },
      {
        key: 'name',
        label: t('Skill'),
        sort: (s) => s.name,
        cell: (s) =>
          html`<a class="nm" href=${skillHref(s.name)}>${s.name}</a>
            <div class="de cut">${s.problem === null ? s.description : problemWords(s.problem)}</div>`,
      },
      {
        key: 'state',
        label: t('State'),
        sort: (s) => (s.valid ? 1 : 0),
        cell: (s) =>
          !s.enabled
            ? html`<cf-status state="off">${t('switched off')}</cf-status>`
            : s.valid
              ? html`<cf-status state="ok">${t('valid')}</cf-status>`
              : html`<cf-status state="bad">${t('failing')}</cf-status>`,
      },
      ...(this.#targets.value ?? []).map(({ agent }, i): Column<Skill> => ({
        key: `agent-${agent}`,
        label: agent,
        priority: i === 0 ? 2 : 3,
        cell: (s) => {
          const d = s.deliveries.find((x) => x.agent === agent);
          if (d === undefined) return nothing;
          const { state, word } = deliveryState(d);
          return html`<cf-status state=${state} title=${d.reason ?? d.path}>${word}</cf-status>`;
        },
      })),
    ];
  }

  override render(): unknown {
    const all = this.#skills.value;
    const sick = all?.filter(needsYou).length ?? 0;
    return html`<cf-page
      heading=${t('Skills')}
      text=${t('One master copy of each; agents get a link to it. Change it once and all of them have it.')}
    >
      <div slot="actions" class="row">
        <button class="btn" type="button" data-act="verify" @click=${() => (this.verifying = true)}>
          <cf-icon name="refresh"></cf-icon>${t('Verify all')}
        </button>
        <button class="btn pri" type="button" data-act="import" @click=${() => this.ask(true)}>
          <cf-icon name="plus"></cf-icon>${t('Import')}
        </button>
      </div>
      <div class="col gap-4">
        ${
          sick === 0
            ? nothing
            : html`<div class="note warn">
                <cf-icon name="warn"></cf-icon>
                <div class="grow">
                  <b>${plural(sick, '{n} skill is not as it should be', '{n} skills are not as they should be')}</b>
                  <p>${t('Coffer changes nothing on its own where a person may have worked.')}</p>
                </div>
              </div>`
        }
        ${this.verifying ? html`<skill-drift @cf-close=${() => (this.verifying = false)}></skill-drift>` : nothing}
        ${
          all === undefined
            ? this.#skills.error === undefined
              ? html`<cf-skeleton></cf-skeleton>`
              : html`<cf-error .error=${this.#skills.error} @cf-retry=${() => void this.#skills.reload()}></cf-error>`
            : this.table(all)
        }
        <skill-unmanaged .items=${this.#unmanaged.value ?? []}></skill-unmanaged>
      </div>
      <skill-import ?open=${queryValue('import') !== ''} @cf-close=${() => this.ask(false)}></skill-import>
    </cf-page>`;
  }

  private table(all: readonly Skill[]): unknown {
    return html`<cf-table
      label=${t('Skills')}
      find=${t('Find a skill')}
      opens
      .columns=${this.columns()}
      .rows=${all}
      .order=${{ key: 'name', down: false }}
      .keyOf=${(s: Skill) => s.name}
      .textOf=${(s: Skill) => `${s.name} ${s.description}`}
      .rowClass=${(s: Skill) => (s.enabled ? '' : 'off')}
      .filters=${[
        { id: 'on', label: t('On'), fits: (s: Skill) => s.enabled },
        { id: 'off', label: t('Off'), fits: (s: Skill) => !s.enabled },
        { id: 'needs', label: t('Needs you'), fits: needsYou },
      ]}
      @cf-open=${(e: CustomEvent<{ row: Skill }>) => navigate(skillHref(e.detail.row.name))}
    >
      <cf-empty
        slot="empty"
        icon="box"
        heading=${t('No skill yet')}
        text=${t('Import a folder, a git repository or an archive that has a SKILL.md.')}
      >
        <button class="btn pri" type="button" @click=${() => this.ask(true)}>${t('Import')}</button>
      </cf-empty>
    </cf-table>`;
  }

  private ask(open: boolean): void {
    setQuery({ import: open ? '1' : undefined });
    this.requestUpdate();
  }

  private toggle(s: Skill, on: boolean): void {
    const send = (x: boolean): Promise<unknown> =>
      api.post(`${resourcePath(KIND, s.name)}/${x ? 'enable' : 'disable'}`);
    void this.#switches
      .set(s.name, on, send, () => skills.load())
      .then(() => {
        const error = this.#switches.error(s.name);
        if (error !== '') toast(messageOf(error));
      });
  }
}
