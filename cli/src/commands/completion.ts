import { Command, Option } from 'clipanion';
import { CofferCommand } from '../command.js';
import { usage } from '../failure.js';
import type { Commands } from '../toolkit.js';

/** Each asks `completion words` (words.ts) what may come next, so that commands of plugins added later complete too. */
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

export default [Completion] satisfies Commands;
