import { Command, Option } from 'clipanion';
import type { Obj } from '@coffer/kernel';
import { connect, type Api } from '../api.js';
import { interactive, yes } from '../ask.js';
import { hasDesktop, openBrowser } from '../browser.js';
import { pasteable, type Pasteable } from '../clients.js';
import { CofferCommand } from '../command.js';
import { ensureDaemon } from '../daemon/start.js';
import type { Shown } from '../demo.js';
import { progress } from '../progress.js';
import { describeStatus } from '../status.js';
import { bold, clean, count, dim, green } from '../text.js';
import type { Commands } from '../toolkit.js';

class Up extends CofferCommand {
  static override paths = [['up']];
  static override usage = Command.Usage({
    description: 'Start Coffer, register a demo on an empty vault, show how to connect a client',
    details: 'May be run as often as you like: what is there already stays as it is.',
  });
  noOpen = Option.Boolean('--no-open', false, { description: 'No web UI' });
  noDemo = Option.Boolean('--no-demo', false, { description: 'No demo servers' });
  yes = Option.Boolean('-y,--yes', false, { description: 'Register the demo servers without asking' });

  async execute(): Promise<void> {
    const { started } = await progress('Starting the Coffer daemon', ensureDaemon);
    if (started) this.say('The daemon has started.');
    const api = await connect();
    const shown = await this.demo(api);
    const status = await api.get('/daemon/status');
    const clients = pasteable();
    this.say(describeStatus(status), '', describeClients(clients));
    const ui = await this.ui(api);
    if (this.json) await this.print({ status, started, demo: shown ?? null, connect: clients, ui }, '');
  }

  private say(...lines: string[]): void {
    if (!this.json) this.context.stdout.write(`${lines.join('\n')}\n`);
  }

  /** Registers the demo when the vault has no server and somebody wants it, and shows a call through the shim. */
  private async demo(api: Api): Promise<Shown | undefined> {
    if (this.noDemo) return undefined;
    const [{ kinds }, { resources }] = await Promise.all([
      api.get('/kinds'),
      api.get('/resources', { kind: 'mcp_server' }),
    ]);
    if (resources.length > 0 || !(kinds as Obj[]).some((k) => k.kind === 'mcp_server')) return undefined;
    const { demoServers, registerDemo, showRoad } = await import('../demo.js');
    const servers = demoServers();
    if (servers === undefined) return undefined;
    if (!this.yes && !interactive()) {
      this.say(dim('The vault has no MCP server yet. coffer up --yes registers two for a try.'));
      return undefined;
    }
    if (!this.yes && !(await yes('The vault has no MCP server yet. Register two harmless ones for a try?')))
      return undefined;
    await progress('Registering two demo servers', () => registerDemo(api, servers));
    this.say(
      `Registered ${servers.map((s) => `${bold(s.name)} (${s.description.replace('Demo: ', '')})`).join(' and ')}.`,
    );
    const shown = await progress('Listing their tools through coffer-mcp-shim', showRoad);
    this.say('', 'A client that connects through coffer-mcp-shim now sees:');
    for (const [server, tools] of Object.entries(shown.tools))
      this.say(
        `  ${bold(server)}: ${count(tools.length, 'tool')}  ${dim(clean(tools.slice(0, 6).join(', ')))}${tools.length > 6 ? dim(', …') : ''}`,
      );
    this.say(`and it called ${bold(shown.called)}: ${green(clean(shown.result))}`, '');
    return shown;
  }

  private async ui(api: Api): Promise<{ url: string; opened: boolean } | null> {
    if (this.noOpen) return null;
    const { url } = await api.post('/ui/login');
    const opened = !this.json && process.stdout.isTTY && hasDesktop() && (await openBrowser(url));
    this.say(
      '',
      opened
        ? 'The web UI opens in your browser.'
        : `Web UI (works once, within a minute; again with coffer open): ${url}`,
    );
    return { url, opened };
  }
}

function describeClients({ claude_code, codex, codex_toml }: Pasteable): string {
  const toml = codex_toml.split('\n').map((l) => `    ${l}`);
  return [
    'Connect a client:',
    `  Claude Code   ${claude_code}`,
    `  Codex         ${codex}`,
    dim('  or in ~/.codex/config.toml:'),
    ...toml,
  ].join('\n');
}

export default [Up] satisfies Commands;
