import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { KindDefinition } from '@coffer/kernel';
import { ROOT } from '@coffer/testing';
import { changesIn, chinese, filesIn, said, titlesIn, type Entry } from './words.js';

/** Names, and paths that are given as examples: the same in every language. */
const PROPER = /^(Coffer|Switch to English|JSON|127\.0\.0\.1:|openapi\.json|\/?[\w-]+(\/[\w-]+)+)$/;
const LOCALE = 'ui/src/locale/zh';
/** Where t and plural are made, and call each other. */
const MAKER = 'ui/src/kit/core/i18n.ts';

interface Manifest {
  ui?: { module: string; words?: Record<string, string>; [part: string]: unknown };
}
const manifestOf = (folder: string): Manifest | undefined =>
  (JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8')) as { coffer?: Manifest }).coffer;

const PLUGINS = readdirSync(path.join(ROOT, 'plugins'))
  .map((name) => `plugins/${name}`)
  .filter((folder) => manifestOf(folder)?.ui !== undefined);

/** Sentences that a kind sends to the page: its labels and what its schema says. Not every plugin with a page has a kind. */
async function sentByKind(folder: string): Promise<string[]> {
  const file = path.join(ROOT, folder, 'src/kind.ts');
  if (!existsSync(file)) return [];
  const module = (await import(file)) as Record<string, unknown>;
  const kinds = Object.values(module).filter(
    (x): x is KindDefinition => typeof x === 'object' && x !== null && 'kind' in x && 'label' in x,
  );
  expect(kinds, `kinds of ${folder}`).not.to.deep.equal([]);
  return kinds.flatMap((k) => [k.label.one, k.label.many, ...titlesIn(k.schema)]);
}

/** What Settings says of the ages of a plugin's own things. */
function sentByRetention(folder: string): string[] {
  const file = path.join(ROOT, folder, 'src/retention.ts');
  if (!existsSync(file)) return [];
  const named = readFileSync(file, 'utf8').matchAll(/(?:displayName|description):\s*'([^']+)'/g);
  return Array.from(named, (m) => m[1] ?? '');
}

/** Sentences that the daemon itself sends. */
async function sentByDaemon(): Promise<string[]> {
  const { KERNEL_TABLES } = (await import(path.join(ROOT, 'kernel/src/journal/retention.ts'))) as {
    KERNEL_TABLES: { displayName: string; description: string }[];
  };
  const plain = changesIn(filesIn('kernel/src').filter((f) => !f.includes('/testing/')));
  // These the page words itself: there is one for each kind of resource.
  const own = /^(resource|scope) /;
  return [...KERNEL_TABLES.flatMap((x) => [x.displayName, x.description]), ...plain.filter((x) => !own.test(x))];
}

const places = (text: string): string =>
  Array.from(text.matchAll(/\{\w+\}/g), (m) => m[0])
    .filter((m, i, all) => all.indexOf(m) === i)
    .sort()
    .join(' ');

describe('the words of the web UI', function () {
  this.timeout(60_000);
  const shellFiles = filesIn('ui/src').filter((f) => !f.startsWith(LOCALE) && f !== MAKER);
  const shell = said(shellFiles);
  const shellWords = chinese(filesIn(LOCALE));
  const known = new Set(shellWords.map((w) => w.english));
  const plugins = PLUGINS.map((folder) => {
    const files = filesIn(`${folder}/src/ui`).filter((f) => !f.endsWith('words.ts'));
    return { folder, said: said(files), words: chinese([`${folder}/src/ui/words.ts`]) };
  });
  const all: Entry[] = [...shellWords, ...plugins.flatMap((p) => p.words)];

  it('are all found: the shell says hundreds of sentences, each plugin dozens', () => {
    expect(shell.sentences.size).to.be.greaterThan(250);
    for (const p of plugins) expect(p.said.sentences.size, p.folder).to.be.greaterThan(20);
  });

  it('stand in the code as they are, each in t or plural', () => {
    const every = [shell, ...plugins.map((p) => p.said)];
    expect(every.flatMap((s) => s.hidden)).to.deep.equal([]);
    const bare = every.flatMap((s) => s.bare).filter((w) => !PROPER.test(w.slice(w.indexOf(': ') + 2)));
    expect(bare).to.deep.equal([]);
  });

  it('all have their Chinese: of the shell, of its kit, of the daemon', async () => {
    const missing = [...shell.sentences.keys(), ...(await sentByDaemon())].filter((s) => !known.has(s));
    expect(missing).to.deep.equal([]);
  });

  for (const p of plugins) {
    it(`all have their Chinese: of ${p.folder}, its kinds and its changes`, async () => {
      const own = new Set(p.words.map((w) => w.english));
      const changes = changesIn(filesIn(`${p.folder}/src`));
      const sent = [...(await sentByKind(p.folder)), ...sentByRetention(p.folder), ...changes];
      const missing = [...p.said.sentences.keys(), ...sent].filter((s) => !known.has(s) && !own.has(s));
      expect(missing).to.deep.equal([]);
      const used = new Set([...p.said.sentences.keys(), ...sent]);
      expect([...own].filter((s) => !used.has(s))).to.deep.equal([], 'no longer said');
      expect([...own].filter((s) => known.has(s))).to.deep.equal([], 'the shell has it already');
    });

    it(`have both languages wherever the manifest of ${p.folder} names something`, () => {
      const ui = manifestOf(p.folder)?.ui;
      expect(ui?.words).to.deep.equal({ zh: './dist/ui/words.js' });
      const named = [ui?.['nav'], ui?.['slots'], ui?.['palette']]
        .flatMap((part) => (part ?? []) as { id: string; label: Record<string, string> }[])
        .map((x) => [x.id, Object.keys(x.label).sort().join(' ')]);
      expect(named.filter(([, languages]) => languages !== 'en zh')).to.deep.equal([]);
    });
  }

  it('hold nothing that is no longer said', async () => {
    const used = new Set([...shell.sentences.keys(), ...(await sentByDaemon())]);
    expect([...known].filter((s) => !used.has(s))).to.deep.equal([]);
  });

  it('say each thing one way', () => {
    const by = new Map<string, Entry>();
    const twice = all.filter((w) => {
      const other = by.get(w.english);
      by.set(w.english, w);
      return other !== undefined && (other.chinese !== w.chinese || other.file === w.file || LOCALE.includes(w.file));
    });
    expect(twice).to.deep.equal([]);
    expect(shellWords.length, 'a sentence stands in two lists').to.equal(known.size);
  });

  it('have the same places to fill in both languages', () => {
    const wrong = all.filter((w) => places(w.english) !== places(w.chinese));
    expect(wrong).to.deep.equal([]);
  });

  it('are set as Chinese is: full-width punctuation, a space beside Latin letters and digits', () => {
    const beside = /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}|\p{Script=Han}[,;:!?.]|\.\.\./u;
    expect(all.filter((w) => beside.test(w.chinese))).to.deep.equal([]);
    // what is only joined needs no word of Chinese
    const same = all.filter((w) => !/\p{Script=Han}/u.test(w.chinese.replaceAll(/\{\w+\}/g, '')));
    expect([...new Set(same.map((w) => w.english))]).to.have.members([
      '{on} of {all}',
      '{who} {where}',
      '{time}, by {who}',
    ]);
  });
});
