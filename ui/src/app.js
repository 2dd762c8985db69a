// Everything from outside goes into the page as text, never as markup.
const $ = (id) => document.getElementById(id);
const MAX_CALLS = 50;

async function api(path) {
  const res = await fetch(`/api/v1${path}`);
  if (res.status === 401) throw new Error('login');
  if (!res.ok) throw new Error((await res.json()).error.message);
  return res.json();
}

function row(...cells) {
  const tr = document.createElement('tr');
  for (const text of cells) tr.insertCell().textContent = text;
  return tr;
}

function showCall(call, where) {
  const time = new Date(call.timestamp).toLocaleTimeString();
  const name = `${call.server} › ${call.capability_key}`;
  $('calls')[where](row(time, name, call.error_message ?? call.status, `${Math.round(call.duration_ms)} ms`));
  while ($('calls').rows.length > MAX_CALLS) $('calls').deleteRow(-1);
}

async function refresh() {
  const [{ resources }, { sessions }, status] = await Promise.all([
    api('/resources?kind=mcp_server'),
    api('/gateway/sessions'),
    api('/daemon/status'),
  ]);
  $('servers').replaceChildren(
    ...resources.map((r) => row(r.name, r.enabled ? r.status.status : 'disabled', r.status.reason ?? '')),
  );
  if (resources.length === 0)
    $('servers').replaceChildren(row('No server yet. Add one: coffer mcp add NAME -- COMMAND', '', ''));
  $('clients').replaceChildren(
    ...sessions.map((s) => {
      const li = document.createElement('li');
      li.textContent = `${s.client?.name ?? 'unknown client'}${s.agent ? ` as ${s.agent}` : ''}, since ${new Date(s.opened_at).toLocaleTimeString()}`;
      return li;
    }),
  );
  $('status').textContent = `${status.status}, version ${status.version}, port ${status.port}`;
}

async function login() {
  const code = new URLSearchParams(location.hash.slice(1)).get('login');
  if (code === null) return;
  history.replaceState(null, '', location.pathname);
  await fetch('/login', { method: 'POST', body: JSON.stringify({ code }) });
}

/** Many events of one moment cause one look. */
let due;
function soon() {
  due ??= setTimeout(() => {
    due = undefined;
    refresh().catch(failed);
  }, 150);
}

function failed(e) {
  $('status').textContent =
    e.message === 'login' ? 'Not logged in. Run: coffer open' : `The daemon does not answer. Start it with: coffer up`;
}

try {
  await login();
  await refresh();
  for (const call of (await api(`/invocations?limit=${MAX_CALLS}`)).invocations) showCall(call, 'append');
  $('page').hidden = false;
  const events = new EventSource('/api/v1/events');
  events.onopen = soon;
  events.onerror = () => failed(new Error('offline'));
  events.onmessage = ({ data }) => {
    const event = JSON.parse(data);
    if (event.type === 'invocation') showCall(event, 'prepend');
    else soon();
  };
} catch (e) {
  failed(e);
}
