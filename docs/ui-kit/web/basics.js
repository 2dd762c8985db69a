/** Small things: states, switches, times, texts. */
import { html } from 'lit';

export const BASICS = [
  {
    element: 'cf-status',
    samples: [
      {
        title: 'A shape, a colour and a word for each state',
        draw: () => html`
          <div class="row wrap gap-4">
            <cf-status state="ok">healthy</cf-status>
            <cf-status state="live">live</cf-status>
            <cf-status state="start">starting</cf-status>
            <cf-status state="run">running</cf-status>
            <cf-status state="held">held for you</cf-status>
            <cf-status state="warn">needs sign-in</cf-status>
            <cf-status state="bad">failing</cf-status>
            <cf-status state="off">switched off</cf-status>
            <cf-status state="away">not on this machine</cf-status>
            <cf-status state="unk">not asked yet</cf-status>
          </div>
        `,
      },
    ],
  },
  {
    element: 'cf-switch',
    samples: [
      {
        title: 'It sends a wish; its owner shows the wish at once and settles it with the server',
        draw: () => html`
          <div class="row gap-4">
            <cf-switch label="echo" @cf-toggle=${(e) => (e.target.checked = e.detail.checked)}></cf-switch>
            <cf-switch label="not settled yet" checked pending></cf-switch>
            <cf-switch label="locked" disabled reason="The master key is not here"></cf-switch>
          </div>
        `,
      },
    ],
  },
  {
    element: 'cf-time',
    samples: [
      {
        title: 'How long ago, and the time of day',
        draw: () => html`
          <div class="row gap-4">
            <cf-time at=${new Date(Date.now() - 90_000).toISOString()}></cf-time>
            <cf-time format="clock" at=${new Date().toISOString()}></cf-time>
          </div>
        `,
      },
    ],
  },
  {
    element: 'cf-icon',
    samples: [
      {
        title: 'By name, or from path data of your own',
        draw: ({ kit }) => html`
          <div class="row wrap">
            ${Object.keys(kit.ICONS).map((name) => html`<cf-icon name=${name}></cf-icon>`)}
            <cf-icon path="M8 2v12M2 8h12"></cf-icon>
          </div>
        `,
      },
    ],
  },
  {
    element: 'cf-code',
    samples: [
      { title: 'A text to copy', draw: () => html`<cf-code label="Terminal" value="coffer open"></cf-code>` },
      {
        title: 'JSON in colours',
        draw: () =>
          html`<cf-code syntax="json" label="Configuration" wrap value='{ "port": 8000, "open": true }'></cf-code>`,
      },
    ],
  },
  {
    element: 'cf-json',
    samples: [
      {
        title: 'Any value; markup in it stays text',
        draw: () => html`<cf-json label="Answer" .value=${{ text: '<b>not bold</b>', n: [1, 2.5, null] }}></cf-json>`,
      },
    ],
  },
  {
    element: 'cf-diff',
    samples: [
      {
        title: 'Long unchanged runs are folded',
        draw: () => {
          const lines = Array.from({ length: 14 }, (_, i) => `line ${i + 1}`);
          const now = lines.with(2, 'line 3, changed').concat('line 15');
          return html`<cf-diff left="vault" right="codex" .old=${lines.join('\n')} .now=${now.join('\n')}></cf-diff>`;
        },
      },
    ],
  },
  {
    element: 'cf-log',
    samples: [
      {
        title: 'What a program wrote',
        draw: () => html`
          <cf-log .lines=${['listening on stdio', 'WARN the cache is cold', 'ERROR connect ECONNREFUSED']}></cf-log>
        `,
      },
    ],
  },
];
