/** `skill import`: look first, then choose. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Commands, Toolkit } from '@coffer/cli';
import type { Obj } from '@coffer/kernel';

const FETCH_MS = 200_000;

export function importCommands({ Command, Option, Failure, usage, rows, ask, progress, text }: Toolkit): Commands {
  class Import extends Command {
    static override paths = [['skill', 'import']];
    static override usage = Command.Usage({
      description: 'Import skills from a folder, a git repository or a zip or .skill archive',
      details:
        'Finds SKILL.md at the top or one or two folders down, shows what is there, then asks. Several skills: `--name` chooses, `--all` takes every valid one.',
      examples: [
        ['A folder', '$0 skill import ~/skills/changelog-writer'],
        ['One of a repository', '$0 skill import https://github.com/anthropics/skills --subpath skills --name pdf'],
      ],
    });
    source = Option.String({ name: 'PATH|URL|ZIP' });
    ref = Option.String('--ref', { description: 'Branch, tag or whole commit of a repository' });
    subpath = Option.String('--subpath', { description: 'Folder in the repository to look in' });
    names = Option.Array('--name', { description: 'Take this one (repeat)' });
    all = Option.Boolean('--all', false, { description: 'Take every valid one' });
    replace = Option.Boolean('--replace', false, { description: 'Take the place of skills of the same name' });
    dry = Option.Boolean('--dry-run', false, { description: 'Only show what is there' });
    yes = Option.Boolean('-y,--yes', false, { description: 'Do not ask' });

    async execute(): Promise<void> {
      const body = request(this.source, this.ref, this.subpath);
      const api = await this.daemon();
      const stage = await progress('Looking for skills', () => api.post('/skill-imports', body, FETCH_MS));
      const drop = (): Promise<Obj> => api.request('DELETE', `/skill-imports/${stage.id}`);
      const found = stage.skills as Obj[];
      if (this.dry) {
        await drop();
        return this.print({ skills: found }, () => table(found));
      }
      try {
        if (!this.json) this.context.stderr.write(`${await table(found)}\n`);
        const names = this.choose(found);
        const taken = found.filter((s) => names.includes(s.name) && s.taken).map((s) => s.name as string);
        await ask.confirm(`Import ${names.join(', ')}?`, this.yes || this.json || !ask.interactive(), '--yes');
        const done = await api.post(
          `/skill-imports/${stage.id}/confirm`,
          { names, replace: this.replace ? taken : [] },
          FETCH_MS,
        );
        await this.print(done, `Imported ${names.join(', ')}. See: coffer skill list`);
      } catch (e) {
        await drop().catch(() => undefined);
        throw e;
      }
    }

    private choose(found: readonly Obj[]): string[] {
      const valid = found.filter((s) => s.valid).map((s) => s.name as string);
      if (this.names !== undefined) return this.names;
      if (valid.length === 0) {
        const [first] = found;
        throw new Failure('SKILL_INVALID', `none of them is valid. ${first ? problem(first) : ''}`, { status: 422 });
      }
      if (valid.length > 1 && !this.all)
        throw usage('there are several skills: choose with --name (repeat), or --all.');
      return valid;
    }
  }

  const problem = (s: Obj): string =>
    s.problem === null
      ? ''
      : text.clean(
          `${s.problem.file}${s.problem.line === null ? '' : `, line ${s.problem.line}`}: ${s.problem.reason}`,
        );

  const table = (found: readonly Obj[]): Promise<string> =>
    rows(
      ['NAME', 'FILES', 'SIZE', 'STATE', 'DESCRIPTION'],
      found.map((s) => [
        text.clean(s.name),
        String(s.file_count),
        text.bytes(s.size_bytes),
        !s.valid ? text.red('invalid') : s.taken ? text.yellow(s.edited ? 'taken, edited' : 'taken') : 'new',
        s.valid ? text.clean(s.description) : problem(s),
      ]),
      'There is no skill.',
    );

  function request(source: string, ref: string | undefined, subpath: string | undefined): Obj {
    const git = {
      type: 'git',
      url: source,
      ...(ref !== undefined && { ref }),
      ...(subpath !== undefined && { subpath }),
    };
    const path = resolve(source.replace(/^~(?=\/|$)/, process.env.HOME ?? '~'));
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(source) || /^[\w.-]+@[\w.-]+:/.test(source) || !existsSync(path)) {
      if (!/[:@]/.test(source))
        throw new Failure('NOT_FOUND', `there is nothing at ${text.clean(path)}.`, { status: 404 });
      return git;
    }
    if (ref !== undefined || subpath !== undefined) throw usage('--ref and --subpath are for repositories.');
    return { type: statSync(path).isDirectory() ? 'folder' : 'zip', path };
  }

  return [Import];
}
