/** The official client of the newer SDK, in either era, through either door of a real daemon. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import path from 'node:path';
import { ROOT, type RealDaemon } from '@coffer/testing';

export type Era = 'older' | 'newer';
export type Door = 'stdio' | 'HTTP';

export interface Opened {
  client: Client;
  /** Questions that came, in order: method, or the mode of an elicitation. */
  asked: string[];
  /** Notifications that came, in order. */
  told: { method: string; params: Record<string, unknown> }[];
}

const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export async function openDoor(d: RealDaemon, era: Era, door: Door): Promise<Opened> {
  const options = era === 'newer' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {};
  const client = new Client({ name: `${era}-client`, version: '1' }, { capabilities: CAPABILITIES, ...options });
  const asked: string[] = [];
  const told: Opened['told'] = [];
  client.setRequestHandler('elicitation/create', (r) => {
    asked.push(r.params.mode ?? 'form');
    return r.params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada' } };
  });
  client.setRequestHandler('sampling/createMessage', () => {
    asked.push('sampling');
    return { role: 'assistant', model: 'm', content: { type: 'text', text: 'sampled' } };
  });
  client.setRequestHandler('roots/list', () => {
    asked.push('roots');
    return { roots: [{ uri: 'file:///r' }] };
  });
  for (const method of [
    'notifications/message',
    'notifications/tools/list_changed',
    'notifications/resources/updated',
  ] as const) {
    client.setNotificationHandler(method, (n) => void told.push({ method, params: n.params ?? {} }));
  }
  if (door === 'HTTP') {
    const url = new URL(`http://127.0.0.1:${d.port}/mcp`);
    // Each client by a name of its own, as `coffer connect` would configure it.
    const headers = { 'X-Coffer-Token': d.token, 'X-Coffer-Client': `${era}-${Math.random()}` };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  } else {
    const shim = path.join(ROOT, 'shim/dist/coffer-mcp-shim.cjs');
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [shim], env: d.env }));
  }
  return { client, asked, told };
}
