import { Cli, Command, Option } from 'clipanion';
import { CofferCommand } from '../command.js';
import { GROUPS, loadGroup } from '../groups.js';
import { usage } from '../failure.js';
import { pluginGroups } from '../plugin-groups.js';
import type { Commands } from '../toolkit.js';

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_coffer() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(coffer completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _coffer coffer`,
  zsh: `#compdef coffer
_coffer() {
  local -a found
  found=(\${(f)"$(coffer completion words -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)"})
  compadd -a found || _files
}
compdef _coffer coffer`,
  fish: `function __coffer_words
  set -l done (commandline -opc)
  coffer completion words -- $done[2..] 2>/dev/null
end
complete -c coffer -a '(__coffer_words)'`,
};

class Completion extends CofferCommand {
  static override paths = [['completion']];
  static override usage = Command.Usage({
    description: 'Print the completion script of a shell: bash, zsh or fish',
    examples: [
      ['bash, in ~/.bashrc', 'source <($0 completion bash)'],
      ['zsh, in ~/.zshrc after compinit', 'source <($0 completion zsh)'],
      ['fish', '$0 completion fish > ~/.config/fish/completions/coffer.fish'],
    ],
  });
  shell = Option.String({ name: 'SHELL' });
  execute(): Promise<void> {
    const script = Object.hasOwn(SCRIPTS, this.shell) ? SCRIPTS[this.shell] : undefined;
    if (script === undefined) throw usage('completion takes bash, zsh or fish.');
    return this.print({ script }, script);
  }
}

/** What may follow the words so far; asked by the scripts above, so that plugins added later complete too. */
class Words extends CofferCommand {
  static override paths = [['completion', 'words']];
  typed = Option.Rest();
  async execute(): Promise<void> {
    const next = await follow(this.typed);
    await this.print({ words: next }, next.join('\n'));
  }
}

async function follow([group, ...typed]: readonly string[]): Promise<string[]> {
  if (group === undefined) return [...Object.keys(GROUPS), ...pluginGroups().map((g) => g.group)];
  const classes = (await loadGroup(group)) ?? [];
  const words = [group, ...typed.filter((w) => !w.startsWith('-'))];
  const next = new Set<string>();
  for (const c of classes) {
    for (const path of c.usage === undefined ? [] : (c.paths ?? [])) {
      const word = path[words.length];
      if (word !== undefined && words.every((w, i) => path[i] === w)) next.add(word);
      else if (path.every((p, i) => words[i] === p)) flagsOf(c).forEach((f) => next.add(f));
    }
  }
  return [...next];
}

function flagsOf(c: Commands[number]): string[] {
  const [definition] = Cli.from([c], { binaryName: 'coffer' }).definitions();
  return definition?.options.flatMap((o) => /--[\w-]+/.exec(o.definition)?.[0] ?? []) ?? [];
}

export default [Completion, Words] satisfies Commands;
