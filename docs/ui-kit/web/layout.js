/** What holds other things: pages, tabs, dialogs, and the three states of what is not there. */
import { html } from 'lit';

const TABS = [
  { id: 'tools', label: 'Tools', count: '42 of 44' },
  { id: 'log', label: 'Log' },
];
const follow = (e) => (e.target.value = e.detail.id);

export const LAYOUT = [
  {
    element: 'cf-page',
    samples: [
      {
        title: 'The column of a page',
        draw: () => html`
          <cf-page heading="Snippets" text="Texts that agents may use.">
            <button slot="actions" class="btn pri" type="button">Add</button>
            <p>Content</p>
          </cf-page>
        `,
      },
    ],
  },
  {
    element: 'cf-tabs',
    samples: [
      {
        title: 'Counts may say more than a number; arrows move',
        draw: () => html`<cf-tabs label="Sections" value="tools" .items=${TABS} @cf-change=${follow}></cf-tabs>`,
      },
    ],
  },
  {
    element: 'cf-segmented',
    samples: [
      {
        title: 'A choice of a few',
        draw: () => html`<cf-segmented label="View" value="log" .items=${TABS} @cf-change=${follow}></cf-segmented>`,
      },
    ],
  },
  {
    element: 'cf-dialog',
    samples: [
      {
        title: 'Over the page; it closes itself only when its owner says so',
        draw: () => html`
          <button class="btn" type="button" @click=${(e) => (e.target.nextElementSibling.open = true)}>Open</button>
          <cf-dialog heading="Add a snippet" size="s" @cf-close=${(e) => (e.target.open = false)}>
            <p>Content</p>
            <button slot="footer" class="btn pri" type="button">Add</button>
          </cf-dialog>
        `,
      },
      {
        title: 'A question before what cannot come back, and news with a way back: drawn by the shell',
        draw: ({ kit }) => {
          const erase = async () => {
            const sure = await kit.confirm({
              title: 'Delete 3 snippets?',
              text: 'Their history stays.',
              verb: 'Delete',
              danger: true,
            });
            if (sure) kit.toast('3 snippets were deleted', () => kit.toast('They are back'));
          };
          return html`<button class="btn bad" type="button" @click=${erase}>Delete…</button>`;
        },
      },
    ],
  },
  {
    element: 'cf-empty',
    samples: [
      {
        title: 'What this is, and one action',
        draw: () => html`
          <cf-empty icon="box" heading="No snippet yet" text="What you add is lent to every agent.">
            <button class="btn pri" type="button">Add a snippet</button>
          </cf-empty>
        `,
      },
    ],
  },
  {
    element: 'cf-error',
    samples: [
      {
        title: 'In the words of the server, with its trace',
        draw: ({ kit }) => {
          const error = new kit.ApiError(
            'RESOURCE_STALE',
            'Somebody else changed it; nothing was saved.',
            409,
            {},
            'x-1',
          );
          return html`<cf-error .error=${error} @cf-retry=${() => kit.toast('Asked again')}></cf-error>`;
        },
      },
    ],
  },
  {
    element: 'cf-skeleton',
    samples: [{ title: 'Shown only when a wait is noticed', draw: () => html`<cf-skeleton lines="3"></cf-skeleton>` }],
  },
  {
    element: 'cf-extension',
    samples: [
      {
        title: 'A box that a plugin draws in',
        draw: ({ module }) => html`
          <cf-extension
            plugin="ui-kit"
            module=${module}
            element="ui-kit-card"
            .given=${{ words: 'Drawn by the module of a plugin' }}
          ></cf-extension>
        `,
      },
      {
        title: 'When that fails, it stays in the box',
        draw: ({ module }) => html`
          <cf-extension plugin="ui-kit" module=${module} element="ui-kit-absent"></cf-extension>
        `,
      },
    ],
  },
];
