/** One probe for each row of the table: does the effect come about? A probe knows no era; it uses the client as a program would. */
import { sleep, until } from '@coffer/testing';
import type { Opened } from './door.js';

export type Probe = (o: Opened, server: string) => Promise<boolean>;

const K = 'io.modelcontextprotocol/';
const textOf = (result: unknown): string => JSON.stringify((result as { content: unknown }).content);
const seen = (what: string, ask: () => boolean): Promise<boolean> =>
  until(what, ask, 5000).then(
    () => true,
    () => false,
  );

export const PROBES: Readonly<Record<string, Probe>> = {
  async progress({ client }, server) {
    const got: unknown[] = [];
    await client.callTool(
      { name: `${server}__slow`, arguments: { steps: 4, ms: 100 } },
      { onprogress: (p) => got.push(p) },
    );
    return got.length >= 2 && got.every((p) => (p as { total?: number }).total === 4);
  },
  async cancel({ client }, server) {
    const stop = new AbortController();
    const call = client.callTool(
      { name: `${server}__slow`, arguments: { steps: 200, ms: 20 } },
      { signal: stop.signal },
    );
    call.catch(() => undefined);
    await sleep(200);
    const before = textOf(await client.callTool({ name: `${server}__cancelled_log`, arguments: {} }));
    stop.abort();
    await call.catch(() => undefined);
    let after = before;
    for (let i = 0; i < 50 && after === before; i++) {
      await sleep(20);
      after = textOf(await client.callTool({ name: `${server}__cancelled_log`, arguments: {} }));
    }
    return after !== before;
  },
  async log({ client, told }, server) {
    // The older era sets a level for the session, the newer says it with each request.
    const newer = client.getNegotiatedProtocolVersion() === '2026-07-28';
    if (!newer) await client.setLoggingLevel('info');
    const _meta = newer ? { [`${K}logLevel`]: 'info' } : {};
    await client.callTool({ name: `${server}__log`, arguments: {}, _meta });
    return seen('a log line', () =>
      told.some((t) => t.method === 'notifications/message' && String(t.params['logger']).startsWith(server)),
    );
  },
  async list_changed({ client, told }, server) {
    const newer = client.getNegotiatedProtocolVersion() === '2026-07-28';
    const { tools } = await client.listTools();
    const listening = newer ? await client.listen({ toolsListChanged: true }) : undefined;
    const name = ['flip', 'test_trigger_tool_change']
      .map((t) => `${server}__${t}`)
      .find((n) => tools.some((t) => t.name === n));
    await client.callTool({ name: String(name), arguments: {} });
    const heard = await seen('the change', () => told.some((t) => t.method === 'notifications/tools/list_changed'));
    await listening?.close();
    return heard;
  },
  async 'resource update'({ client, told }, server) {
    const newer = client.getNegotiatedProtocolVersion() === '2026-07-28';
    const uri = `coffer://${server}/test://watched-resource`;
    const listening = newer ? await client.listen({ resourceSubscriptions: [uri] }) : undefined;
    if (!newer) await client.subscribeResource({ uri });
    await client.callTool({ name: `${server}__touch`, arguments: {} });
    const heard = await seen('the update', () =>
      told.some((t) => t.method === 'notifications/resources/updated' && t.params['uri'] === uri),
    );
    await listening?.close();
    return heard;
  },
  async 'elicitation form'({ client, asked }, server) {
    const result = await client.callTool({ name: `${server}__elicit_form`, arguments: {} });
    return asked.includes('form') && textOf(result).includes('Ada');
  },
  async 'elicitation url'({ client, asked }, server) {
    const result = await client.callTool({ name: `${server}__elicit_url`, arguments: {} });
    return asked.includes('url') && textOf(result).includes('accept');
  },
  async sampling({ client, asked }, server) {
    const result = await client.callTool({ name: `${server}__sample`, arguments: {} });
    return asked.includes('sampling') && textOf(result).includes('sampled');
  },
  async roots({ client, asked }, server) {
    const result = await client.callTool({ name: `${server}__roots`, arguments: {} });
    return asked.includes('roots') && textOf(result).includes('file:///r');
  },
};
