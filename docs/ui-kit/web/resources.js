/** What the page of a resource is made of. */
import { html } from 'lit';

const MACHINES = [
  { id: 'm1', display_name: 'desk', this_machine: true },
  { id: 'm2', display_name: 'laptop', this_machine: false },
];
const AGENTS = ['claude-code', 'codex'];
const BOTH = ['machine', 'agent'];

export const RESOURCES = [
  {
    element: 'cf-answers',
    samples: [
      {
        title: 'The five questions that the page of every resource answers',
        draw: () => html`
          <cf-answers
            label="notes at a glance"
            .cells=${[
              { a: 'Snippet', d: 'snippet:notes', href: '#what' },
              { a: html`<cf-status state="ok">healthy</cf-status>`, d: 'asked 12 s ago', href: '#works' },
              { a: 'Every agent', d: 'on every machine', href: '#seen' },
              { a: '3 calls, 0 failed', d: '24 h', href: '#happened' },
              { a: 'Settings', d: 'changed 2 h ago', href: '#change' },
            ]}
          ></cf-answers>
        `,
      },
    ],
  },
  {
    element: 'cf-scope-editor',
    samples: [
      {
        title: 'The scope of one resource',
        draw: () => html`
          <cf-scope-editor
            label="notes"
            .value=${{ m1: ['codex'] }}
            .axes=${BOTH}
            .machines=${MACHINES}
            .agents=${AGENTS}
            @cf-change=${(e) => (e.target.value = e.detail.scope)}
          ></cf-scope-editor>
        `,
      },
    ],
  },
  {
    element: 'cf-scope-matrix',
    samples: [
      {
        title: 'Of many; the second is edited and not saved, the third knows no agents',
        draw: () => html`
          <cf-scope-matrix
            label="Who sees what"
            .rows=${[
              { id: 'a', label: 'notes', href: '#a', scope: null, axes: BOTH },
              { id: 'b', label: 'mail', href: '#b', scope: { m1: ['codex'] }, axes: BOTH, edited: true },
              { id: 'c', label: 'disk', href: '#c', scope: { m1: '*' }, axes: ['machine'] },
            ]}
            .machines=${MACHINES}
            .agents=${AGENTS}
          ></cf-scope-matrix>
        `,
      },
    ],
  },
  {
    element: 'cf-resource',
    samples: [
      {
        title: 'The whole page of a resource, with a tab and an action of its kind',
        needsResource: true,
        draw: ({ resource }) => html`
          <cf-resource
            kind=${resource.kind}
            name=${resource.name}
            list="/ui-kit"
            .tabs=${[{ id: 'own', label: 'Own', render: (facts) => html`<p>${facts.resource.ref}</p>` }]}
          >
            <button slot="actions" class="btn" type="button">Check now</button>
          </cf-resource>
        `,
      },
    ],
  },
  {
    element: 'cf-resource-scope',
    samples: [
      {
        title: 'Its scope, changed at once',
        needsResource: true,
        draw: ({ resource }) => html`<cf-resource-scope .resource=${resource} .axes=${BOTH}></cf-resource-scope>`,
      },
    ],
  },
  {
    element: 'cf-resource-settings',
    samples: [
      {
        title: 'Its settings; a draft survives a reload',
        needsResource: true,
        draw: ({ kit, resource }) => html`
          <cf-resource-settings
            .resource=${resource}
            .schema=${kit.stores.kinds.value?.find((k) => k.kind === resource.kind)?.schema ?? {}}
          ></cf-resource-settings>
        `,
      },
    ],
  },
];
