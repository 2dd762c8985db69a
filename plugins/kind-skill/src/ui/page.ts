import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { CofferElement, Use, queryValue, t, type ResourceFacts, type ResourceTab, type RouteParams } from '@coffer/ui';
import { HOME, KIND, drifted, originOf, problemWords, skills } from './data.js';
import './agents-tab.js';
import './files-tab.js';

/** One skill. */
@customElement('skill-page')
export class SkillPage extends CofferElement {
  @property({ attribute: false }) params: RouteParams = {};
  #skills = new Use(this, skills);

  override render(): unknown {
    return html`<cf-resource
      kind=${KIND}
      name=${this.params['name'] ?? ''}
      list=${HOME}
      .tabs=${this.tabs()}
      .what=${originOf}
    ></cf-resource>`;
  }

  private tabs(): ResourceTab[] {
    const skill = this.#skills.value?.find((s) => s.name === this.params['name']);
    const wrong = skill?.deliveries.filter(drifted).length ?? 0;
    return [
      {
        id: 'files',
        label: t('Files'),
        ...(skill !== undefined && { count: String(skill.file_count) }),
        render: (f: ResourceFacts) =>
          html`${
              skill === undefined || skill.problem === null
                ? nothing
                : html`<div class="note bad">
                    <cf-icon name="warn"></cf-icon>
                    <div>
                      <b>${t('Left out of what agents see')}</b>
                      <p>${problemWords(skill.problem)}</p>
                    </div>
                  </div>`
            } <skill-files name=${f.resource.name} file=${queryValue('file')}></skill-files>`,
      },
      {
        id: 'agents',
        label: t('Agents'),
        ...(wrong > 0 && { count: t('{n} differ', { n: wrong }) }),
        render: () => html`<skill-agents .deliveries=${skill?.deliveries ?? []}></skill-agents>`,
      },
    ];
  }
}
