/** Tables, logs and pictures of many. */
import { html } from 'lit';

const KINDS = ['red', 'green'];
const snippets = (n) =>
  Array.from({ length: n }, (_, i) => ({ name: `snippet-${i + 1}`, uses: (i * 7) % 23, kind: KINDS[i % 2] }));
const COLUMNS = [
  { key: 'name', label: 'Name', sort: (r) => r.name, cell: (r) => html`<span class="nm">${r.name}</span>` },
  { key: 'kind', label: 'Kind', width: 's', priority: 2, cell: (r) => r.kind },
  { key: 'uses', label: 'Uses', width: 's', numeric: true, sort: (r) => r.uses, cell: (r) => r.uses },
];
const FILTERS = KINDS.map((id) => ({ id, label: id, fits: (r) => r.kind === id }));

const ago = (s) => new Date(Date.now() - s * 1000).toISOString();
const CALLS = ['ok', 'error', 'timeout', 'denied', 'cancelled'].map((status, i) => ({
  id: 9 - i,
  timestamp: ago(i * 40),
  server: 'files',
  capability_type: 'tool',
  capability_key: 'read_file',
  duration_ms: 12 * (i + 1),
  status,
  error_message: status === 'ok' ? null : 'what the server said',
  agent: i % 2 === 0 ? 'codex' : null,
}));
const CHANGES = ['ui', 'cli', 'system'].map((actor, i) => ({
  id: 9 - i,
  timestamp: ago(i * 400),
  event_type: 'resource_updated',
  resource_kind: 'mcp_server',
  resource_name: 'files',
  actor,
  details: { fields: ['description'] },
}));
const HOURS = Array.from({ length: 24 }, (_, i) => ({ label: `${i}:00`, ok: (i * 5) % 13, failed: i % 4 }));
const TIMES = HOURS.map((_, i) => 1_790_000_000 + i * 3600);
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const DATA = [
  {
    element: 'cf-table',
    samples: [
      {
        title: 'A few rows: all are in the document, so that the browser finds in them',
        draw: ({ kit }) => html`
          <cf-table
            label="Snippets"
            find="Find a snippet"
            opens
            .columns=${COLUMNS}
            .rows=${snippets(5)}
            .order=${{ key: 'uses', down: true }}
            .filters=${FILTERS}
            .keyOf=${(r) => r.name}
            .textOf=${(r) => r.name}
            @cf-open=${(e) => kit.toast(e.detail.row.name)}
          >
            <cf-empty slot="empty" heading="No snippet yet"></cf-empty>
          </cf-table>
        `,
      },
      {
        title: 'Five thousand: only what is in view is drawn',
        draw: () => html`
          <cf-table
            label="Many snippets"
            find="Find in many snippets"
            dense
            more
            .columns=${COLUMNS}
            .rows=${snippets(5000)}
            .keyOf=${(r) => r.name}
            .textOf=${(r) => r.name}
          ></cf-table>
        `,
      },
    ],
  },
  {
    element: 'cf-calls-list',
    samples: [
      {
        title: 'Calls, never what was said',
        draw: () => html`<cf-calls-list .calls=${CALLS}></cf-calls-list>`,
      },
    ],
  },
  {
    element: 'cf-audit-list',
    samples: [
      {
        title: 'Changes and their authors; a row opens',
        draw: () => html`<cf-audit-list .entries=${CHANGES}></cf-audit-list>`,
      },
    ],
  },
  {
    element: 'cf-bars',
    samples: [
      {
        title: 'Answered below, failed above; small enough to need no library',
        draw: () => html`<cf-bars label="Calls by hour" .bars=${HOURS}></cf-bars>`,
      },
      {
        title: 'With a mark where something was changed, in bars from the left',
        draw: () => html`
          <cf-bars label="Calls by hour" .bars=${HOURS} .marks=${[{ at: 6.2, text: '06:12 switched off' }]}></cf-bars>
        `,
      },
    ],
  },
  {
    element: 'cf-spark',
    samples: [
      {
        title: 'The course of a day in a row of a table',
        draw: () => html`
          <div class="row gap-2">
            <cf-spark label="Calls by hour" .values=${HOURS.map((h) => h.ok)}></cf-spark><span class="mut">120</span>
          </div>
        `,
      },
    ],
  },
  {
    element: 'cf-chart',
    samples: [
      {
        title: 'Lines; drag over a part of it to get its range',
        draw: ({ kit }) => html`
          <cf-chart
            label="Time taken over time"
            .times=${TIMES}
            .series=${[
              { label: 'median', colour: 1, values: HOURS.map((h) => h.ok) },
              { label: '95th', colour: 3, values: HOURS.map((h) => h.ok * 3) },
            ]}
            @cf-range=${(e) => kit.toast(`${e.detail.from} to ${e.detail.to}`)}
          ></cf-chart>
        `,
      },
      {
        title: 'Bars; what failed has the second colour',
        draw: () => html`
          <cf-chart
            kind="bars"
            label="Failed calls over time"
            .times=${TIMES}
            .series=${[{ label: 'failed', colour: 2, values: HOURS.map((h) => h.failed) }]}
          ></cf-chart>
        `,
      },
      {
        title: 'With a mark where something was changed',
        draw: () => html`
          <cf-chart
            label="Calls over time"
            .times=${TIMES}
            .series=${[{ label: 'calls', colour: 1, values: HOURS.map((h) => h.ok) }]}
            .annotations=${[{ at: TIMES[6], text: '06:12 switched off' }]}
          ></cf-chart>
        `,
      },
    ],
  },
  {
    element: 'cf-result',
    samples: [
      {
        title: 'What a tool answered: text, JSON, pictures, links; what is unknown as data',
        draw: () => html`
          <cf-result
            .result=${{
              content: [
                { type: 'text', text: 'Plain <b>text</b>' },
                { type: 'image', mimeType: 'image/png', data: PIXEL },
                { type: 'resource_link', name: 'notes', uri: 'file:///notes.md', description: 'What was noted' },
                { type: 'hologram', depth: 3 },
              ],
              structuredContent: { found: 2 },
            }}
          ></cf-result>
        `,
      },
      {
        title: 'What a resource holds, and the messages of a prompt',
        draw: () => html`
          <cf-result
            .result=${{ contents: [{ uri: 'file:///a.json', mimeType: 'application/json', text: '{"found":2}' }] }}
          ></cf-result>
          <cf-result
            .result=${{ messages: [{ role: 'user', content: { type: 'text', text: 'What is the weather?' } }] }}
          ></cf-result>
        `,
      },
      {
        title: 'An error that a tool reports',
        draw: () => html`
          <cf-result .result=${{ isError: true, content: [{ type: 'text', text: 'no such file' }] }}></cf-result>
        `,
      },
    ],
  },
];
