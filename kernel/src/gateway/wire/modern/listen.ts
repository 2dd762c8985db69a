/** `subscriptions/listen`: the acknowledgement first, then what the client asked to be told, each with the subscription's id. */
import type { ServerResponse } from 'node:http';
import { HEARTBEAT_MS } from '../../../http/sse.js';
import { isObj, type Obj } from '../../../json.js';
import type { Payload } from '../../payload.js';
import type { Core, Exchange, Watch, WatchEvent } from '../../seam.js';
import type { Reply } from '../reply.js';
import { KEY } from './envelope.js';

export interface Listening {
  readonly want: Watch;
  /** Ends it: with a result when Coffer stops, silently after a hang-up. */
  end(farewell?: Payload): void;
}

export async function listen(
  core: Core,
  x: Exchange,
  id: string | number,
  params: Obj,
  reply: Reply,
  res: ServerResponse,
): Promise<Listening> {
  const asked = isObj(params['notifications']) ? params['notifications'] : {};
  const uris = Array.isArray(asked['resourceSubscriptions'])
    ? asked['resourceSubscriptions'].filter((u) => typeof u === 'string')
    : [];
  const tasks = Array.isArray(asked['taskIds']) ? asked['taskIds'].filter((t) => typeof t === 'string') : [];
  const want: Watch = {
    tools: asked['toolsListChanged'] === true,
    prompts: asked['promptsListChanged'] === true,
    resources: asked['resourcesListChanged'] === true,
    uris,
    ...(tasks.length > 0 ? { tasks } : {}),
  };
  const tag = { _meta: { [`${KEY}subscriptionId`]: id } };
  const say = (method: string, more: Obj = {}): void => {
    if (reply.open) reply.send({ jsonrpc: '2.0', method, params: { ...more, ...tag } });
  };
  let acknowledged = false;
  const early: WatchEvent[] = [];
  const tell = (e: WatchEvent): void => {
    if (!acknowledged) early.push(e);
    else if (e.kind === 'uri') say('notifications/resources/updated', e.params);
    else if (e.kind === 'task') say('notifications/tasks', e.params);
    else if (e.kind === 'tools' || e.kind === 'prompts' || e.kind === 'resources')
      say(`notifications/${e.kind}/list_changed`);
  };
  const watch = core.watch(x, want, tell);
  const honoured = await watch.honoured;
  const granted: Obj = {};
  if (honoured.tools) granted['toolsListChanged'] = true;
  if (honoured.prompts) granted['promptsListChanged'] = true;
  if (honoured.resources) granted['resourcesListChanged'] = true;
  if (uris.length > 0) granted['resourceSubscriptions'] = honoured.uris ?? [];
  if (tasks.length > 0) granted['taskIds'] = honoured.tasks ?? [];
  say('notifications/subscriptions/acknowledged', { notifications: granted });
  acknowledged = true;
  early.forEach(tell);
  const beat = setInterval(() => reply.open && res.write(':\n\n'), HEARTBEAT_MS);
  beat.unref();
  return {
    want,
    end(farewell) {
      clearInterval(beat);
      watch.stop();
      if (farewell !== undefined) reply.result(id, farewell);
    },
  };
}
