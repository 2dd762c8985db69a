import { Command, Option } from 'clipanion';
import { CofferCommand } from '../command.js';
import { openBrowser } from '../browser.js';
import type { Commands } from '../toolkit.js';

class Open extends CofferCommand {
  static override paths = [['open']];
  static override usage = Command.Usage({
    description: 'Open the web UI, logged in; the address works once and for a minute',
  });
  only = Option.Boolean('--print', false, { description: 'Print the address instead of opening a browser' });
  async execute(): Promise<void> {
    const { url } = await (await this.daemon()).post('/ui/login');
    const opened = !this.only && !this.json && (await openBrowser(url));
    await this.print({ url }, opened ? 'The UI opens in your browser.' : url);
  }
}

export default [Open] satisfies Commands;
