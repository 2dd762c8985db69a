import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { startDaemon, type RealDaemon } from '@coffer/testing';
import { go, openBrowser, visit } from './browser.js';

/** A server whose one tool takes a tree: its schema holds itself, at every level. */
const SERVER = `
const tree = { type: 'object', required: ['leaf', 'next'], properties: { leaf: { type: 'string' }, next: { $ref: '#/$defs/tree' } } };
const tools = [{ name: 'plant', inputSchema: { type: 'object', $defs: { tree }, required: ['tree'], properties: { tree: { $ref: '#/$defs/tree' } } } }];
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result =
    method === 'initialize'
      ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'garden', version: '1' } }
      : method === 'tools/list'
        ? { tools }
        : method === 'tools/call'
          ? { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }
          : undefined;
  if (id === undefined) return;
  const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});`;

describe('a tool whose schema holds itself', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let browser: Browser;
  before(async () => {
    daemon = await startDaemon();
    browser = await openBrowser();
    await daemon.addStdio('garden', ['-e', SERVER]);
  });
  after(async () => {
    await browser?.close();
    await daemon?.stop();
  });

  it('has fields for some levels, and below them JSON', async () => {
    const v = await visit(browser, daemon);
    await go(v, '/mcp-servers/garden?tab=tools&tool=plant', 'garden');
    const panel = v.page.getByRole('region', { name: 'Try plant' });
    const leaves = panel.getByLabel(/leaf/);
    await leaves.first().waitFor();
    expect(await leaves.count()).to.be.within(3, 8);
    expect(v.complaints).to.deep.equal([]);
  });
});
