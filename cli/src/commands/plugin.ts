import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, Option } from 'clipanion';
import type { Obj } from '@coffer/kernel';
import { confirm } from '../ask.js';
import { CofferCommand, rows } from '../command.js';
import { Failure } from '../failure.js';
import { progress } from '../progress.js';
import { bytes, clean, count, duration, health, when } from '../text.js';
import type { Commands } from '../toolkit.js';

const LONG_MS = 330_000;
const at = (name: string): string => `/plugins/${encodeURIComponent(name)}`;

class List extends CofferCommand {
  static override paths = [['plugin', 'list']];
  static override usage = Command.Usage({
    description: 'List plugins and how they are; --verbose adds taps, effects and start time',
  });
  async execute(): Promise<void> {
    const data = await (await this.daemon()).get('/plugins');
    const plugins = data.plugins as Obj[];
    await this.print(data, async () => {
      const list = await rows(
        ['NAME', 'VERSION', 'SOURCE', 'STATE', 'ADDS', 'NOTE'],
        plugins.map((p) => [p.name, p.version, p.source, health(p.state), adds(p), noteOf(p)]),
        'There are no plugins.',
      );
      return this.verbose ? [list, ...(await Promise.all(plugins.map(inside)))].join('\n\n') : list;
    });
  }
}

/** `kind bookmark, 1 tool, 2 routes` */
function adds(p: Obj): string {
  const named = (word: string, names: string[]): string[] =>
    names.length === 0 ? [] : [`${word}${names.length > 1 ? 's' : ''} ${names.join(', ')}`];
  const counted = (word: string, names: string[]): string[] => (names.length === 0 ? [] : [count(names.length, word)]);
  return [
    ...named('kind', p.kinds),
    ...named('agent', p.agents),
    ...counted('tool', p.tools),
    ...counted('route', p.routes),
    ...counted('service', p.services),
  ].join(', ');
}

function noteOf(p: Obj): string {
  const note = clean(p.note);
  if (p.state === 'degraded' || p.state === 'failed') return `${note} (plugin show ${p.name})`.trim();
  return note || (p.start_ms === null ? '' : `started in ${duration(p.start_ms)}`);
}

async function inside(p: Obj): Promise<string> {
  const taps = await rows(
    ['TAP', 'STAGE', 'CALLS', 'ERRORS', 'TIME'],
    (p.taps as Obj[]).map((t) => [t.hook, t.stage, String(t.calls), String(t.errors), duration(t.ms)]),
    'no taps',
  );
  const effects =
    (p.effects as string[]).length === 0 ? 'nothing runs' : `running: ${(p.effects as string[]).map(clean).join(', ')}`;
  return `${p.name}: started in ${p.start_ms === null ? '-' : duration(p.start_ms)}, ${effects}\n${taps}`;
}

class Show extends CofferCommand {
  static override paths = [['plugin', 'show']];
  static override usage = Command.Usage({ description: 'Show what a plugin adds, runs and got wrong' });
  name = Option.String({ name: 'NAME' });
  async execute(): Promise<void> {
    const p = await (await this.daemon()).get(at(this.name));
    await this.print(p, async () => {
      const errors = (p.errors as Obj[]).map(
        (e) => `  ${when(e.at)} ${clean(e.where)}: ${clean(e.error)}${e.count > 1 ? ` (${e.count} times)` : ''}`,
      );
      const lists = (['requires', 'kinds', 'tools', 'agents', 'services', 'routes'] as const)
        .filter((k) => p[k].length > 0)
        .map((k) => `${k.padEnd(9)}${p[k].join(', ')}`);
      return [
        `${p.name} ${p.version} (${p.source}): ${health(p.state)}`,
        ...(p.description ? [clean(p.description)] : []),
        ...(p.note ? [clean(p.note)] : []),
        ...lists,
        await inside(p),
        ...(errors.length > 0 ? ['errors', ...errors] : []),
      ].join('\n');
    });
  }
}

class Add extends CofferCommand {
  static override paths = [['plugin', 'add']];
  static override usage = Command.Usage({
    description: 'Install a plugin from a folder, a tarball or npm, after showing what it declares',
    details:
      'Nothing of the package runs before you agree, and its install scripts never run. A plugin runs inside the daemon with all its rights: install only what you trust.',
  });
  spec = Option.String({ name: 'SPEC' });
  yes = Option.Boolean('-y,--yes', false, { description: 'Do not ask' });
  async execute(): Promise<void> {
    // The daemon has another working directory than this shell.
    const spec = existsSync(this.spec) ? resolve(this.spec) : this.spec;
    const api = await this.daemon();
    const preview = await progress('Reading the plugin', () => api.post('/plugins/preview', { spec }, LONG_MS));
    if (!this.json) this.context.stderr.write(`${describePreview(preview)}\n`);
    await confirm('Install it? It will run inside the daemon.', this.yes, '--yes');
    const p = await progress('Installing', () => api.post('/plugins', { spec }, LONG_MS));
    if (p.state === 'failed')
      throw new Failure(
        'PLUGIN_INVALID',
        `${p.name} was installed but failed: ${clean(p.note)} See: coffer plugin show ${p.name}`,
        { status: 422 },
      );
    await this.print(
      p,
      `Installed ${p.name} ${p.version}: ${health(p.state)}${adds(p) === '' ? '' : `, adds ${adds(p)}`}.`,
    );
  }
}

function describePreview(d: Obj): string {
  const none = (names: string[], word: string): string => (names.length === 0 ? word : names.map(clean).join(', '));
  const { plugin, cli, ui } = d.manifest as { plugin: string; cli?: { groups: string[] }; ui?: object };
  return [
    `${clean(d.name)} ${clean(d.version)}${d.description ? `: ${clean(d.description)}` : ''}`,
    `  declares      plugin ${clean(plugin)}${cli ? `, commands ${cli.groups.join(', ')}` : ''}${ui ? ', pages in the UI' : ''}`,
    `  scripts       ${none(d.skipped_scripts, 'none')}${d.skipped_scripts.length > 0 ? ' (will not run)' : ''}`,
    `  dependencies  ${none(d.dependencies, 'none')}`,
    `  size          ${count(d.files, 'file')}, ${bytes(d.bytes)}`,
    ...(d.replaces === null ? [] : [`  replaces      version ${clean(d.replaces)}`]),
  ].join('\n');
}

class Remove extends CofferCommand {
  static override paths = [['plugin', 'remove']];
  static override usage = Command.Usage({
    description: 'Remove an installed plugin; resources of its kinds stay in the vault',
  });
  name = Option.String({ name: 'NAME' });
  force = Option.Boolean('-f,--force', false, { description: 'Do not ask' });
  async execute(): Promise<void> {
    const api = await this.daemon();
    const { kinds } = await api.get(at(this.name));
    await confirm(`Remove the plugin ${this.name}?`, this.force);
    await api.request('DELETE', at(this.name), { timeoutMs: 60_000 });
    const stay = kinds.length === 0 ? '' : ` Resources of kind ${kinds.join(', ')} stay, unused, until it comes back.`;
    await this.print({ removed: this.name }, `Removed ${this.name}.${stay}`);
  }
}

abstract class Toggle extends CofferCommand {
  name = Option.String({ name: 'NAME' });
  protected async toggle(verb: 'enable' | 'disable'): Promise<void> {
    const p = await (await this.daemon()).post(`${at(this.name)}/${verb}`, {}, 60_000);
    await this.print(p, `${p.name} is ${health(p.state)}.`);
  }
}
class Enable extends Toggle {
  static override paths = [['plugin', 'enable']];
  static override usage = Command.Usage({ description: 'Enable a plugin, or try a failed one again' });
  execute(): Promise<void> {
    return this.toggle('enable');
  }
}
class Disable extends Toggle {
  static override paths = [['plugin', 'disable']];
  static override usage = Command.Usage({ description: 'Disable a plugin while the daemon runs' });
  execute(): Promise<void> {
    return this.toggle('disable');
  }
}

class New extends CofferCommand {
  static override paths = [['plugin', 'new']];
  static override usage = Command.Usage({
    description: 'Write a folder kind-KIND with a working plugin for a new kind, its test and a README',
  });
  kind = Option.String({ name: 'KIND' });
  async execute(): Promise<void> {
    const { scaffold } = await import('../scaffold.js');
    const { folder, files } = scaffold(this.kind, process.cwd());
    await this.print(
      { folder, files },
      `Wrote ${folder}:\n${files.map((f) => `  ${f}`).join('\n')}\nTry it:   cd ${folder} && npm test\nUse it:   coffer plugin add ${folder}`,
    );
  }
}

export default [List, Show, Add, Remove, Enable, Disable, New] satisfies Commands;
