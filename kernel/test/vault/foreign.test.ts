import { expect } from 'chai';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isCofferError } from '../../src/errors.js';
import { editForeign, readForeign } from '../../src/vault/foreign.js';
import { workshop } from '../support/kernels.js';

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (e) {
    if (isCofferError(e)) return e.code;
    throw e;
  }
  return 'none';
};
const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe('a file of another program', () => {
  const make = workshop();
  const add = (text: string): string => `${text}more\n`;

  it('is replaced, keeps its mode and leaves one generation behind', () => {
    const dir = make.folder();
    const file = path.join(dir, 'settings.json');
    writeFileSync(file, 'héllo ✓\n');
    chmodSync(file, 0o640);
    expect(editForeign(file, add)).to.deep.equal({ path: file, before: 'héllo ✓\n', after: 'héllo ✓\nmore\n' });
    expect(readFileSync(file, 'utf8')).to.equal('héllo ✓\nmore\n');
    expect(readFileSync(`${file}.bak`, 'utf8')).to.equal('héllo ✓\n');
    expect([modeOf(file), modeOf(`${file}.bak`)]).to.deep.equal([0o640, 0o640]);
    editForeign(file, add);
    expect(readFileSync(`${file}.bak`, 'utf8')).to.equal('héllo ✓\nmore\n');
    expect(readdirSync(dir)).to.have.members(['settings.json', 'settings.json.bak']);
  });

  it('is not touched by a change that changes nothing, nor made by one that has nothing to say', () => {
    const dir = make.folder();
    const file = path.join(dir, 'a');
    editForeign(file, () => undefined);
    editForeign(file, (text) => text);
    expect(readdirSync(dir)).to.deep.equal([]);
    writeFileSync(file, 'x');
    editForeign(file, (text) => text);
    expect(readdirSync(dir)).to.deep.equal(['a']);
  });

  it('is made with its folders, for its owner alone, and can be deleted', () => {
    const dir = make.folder();
    const file = path.join(dir, 'b', 'c', 'new.toml');
    expect(editForeign(file, add).before).to.equal('');
    expect(modeOf(file)).to.equal(0o600);
    expect(existsSync(`${file}.bak`)).to.equal(false);
    editForeign(file, () => undefined);
    expect(existsSync(file)).to.equal(false);
    expect(readFileSync(`${file}.bak`, 'utf8')).to.equal('more\n');
  });

  it('stays a link when it is one, also one that leads to a file not made yet', () => {
    const dir = make.folder();
    mkdirSync(path.join(dir, 'dotfiles'));
    for (const name of ['old', 'new']) symlinkSync(path.join('dotfiles', name), path.join(dir, name));
    writeFileSync(path.join(dir, 'dotfiles', 'old'), 'text\n');
    for (const name of ['old', 'new']) {
      editForeign(path.join(dir, name), add);
      expect(lstatSync(path.join(dir, name)).isSymbolicLink(), name).to.equal(true);
      expect(readFileSync(path.join(dir, 'dotfiles', name), 'utf8')).to.match(/more\n$/);
    }
    expect(readdirSync(path.join(dir, 'dotfiles'))).to.have.members(['old', 'new']);
  });

  it('is left to whoever wrote it in the middle of our change', () => {
    const file = path.join(make.folder(), 'a');
    writeFileSync(file, 'one');
    const code = codeOf(() =>
      editForeign(file, (text) => {
        writeFileSync(file, 'two, by its program');
        return `${text}!`;
      }),
    );
    expect(code).to.equal('FILE_CHANGED');
    expect(readFileSync(file, 'utf8')).to.equal('two, by its program');
    // The same for one that came, and for one that went.
    const fresh = path.join(make.folder(), 'b');
    const came = (): unknown => editForeign(fresh, () => (writeFileSync(fresh, 'theirs'), 'ours'));
    expect(codeOf(came)).to.equal('FILE_CHANGED');
    expect(readFileSync(fresh, 'utf8')).to.equal('theirs');
  });

  it('is refused by its fingerprint when it is not what was read', () => {
    const file = path.join(make.folder(), 'a');
    writeFileSync(file, 'one');
    const { fingerprint } = readForeign(file);
    writeFileSync(file, 'two');
    expect(codeOf(() => editForeign(file, add, { fingerprint }))).to.equal('FILE_CHANGED');
    expect(codeOf(() => editForeign(file, add, { fingerprint: readForeign(file).fingerprint }))).to.equal('none');
    expect(codeOf(() => editForeign(`${file}2`, add, { fingerprint: '' }))).to.equal('none');
  });

  it('that is locked, no text, a folder or a circle of links gets a clear answer and nothing beside it', () => {
    const dir = make.folder();
    const at = (name: string): string => path.join(dir, name);
    writeFileSync(at('locked'), 'x');
    chmodSync(at('locked'), 0o400);
    writeFileSync(at('bytes'), Buffer.from([0xff, 0xfe, 0x41]));
    mkdirSync(at('folder'));
    symlinkSync('circle', at('circle'));
    const codes = ['locked', 'bytes', 'folder', 'circle', path.join('locked', 'below')].map((name) =>
      codeOf(() => editForeign(at(name), add)),
    );
    expect(codes).to.deep.equal([
      'FILE_READ_ONLY',
      'FILE_UNREADABLE',
      'FILE_UNREADABLE',
      'FILE_UNREADABLE',
      'FILE_UNREADABLE',
    ]);
    expect(readdirSync(dir)).to.have.members(['locked', 'bytes', 'folder', 'circle']);
  });

  it('may leave a backup that does not hold what was taken out of it', () => {
    const file = path.join(make.folder(), 'a');
    writeFileSync(file, 'token=abc\n');
    editForeign(file, () => 'token gone\n', { backup: (text) => text.replace('abc', '***') });
    expect(readFileSync(`${file}.bak`, 'utf8')).to.equal('token=***\n');
  });
});
