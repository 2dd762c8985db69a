import { expect } from 'chai';
import fc from 'fast-check';
import { formatFact, nameFrom, parseFact, slugOf, withText } from '../src/fact.js';

describe('the file of a fact', () => {
  it('comes back as it was written, whatever it says', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        (name, text) => {
          fc.pre(name.trim() !== '' && text.trim() !== '' && !/[\r\ufeff]/.test(name + text));
          const file = formatFact({
            name: name.trim(),
            description: undefined,
            actor: 'agent',
            agent: 'codex',
            createdAt: '2026-01-01T00:00:00.000Z',
            updatedAt: undefined,
            text,
          });
          const read = parseFact(file, 'x');
          expect(read).to.include({ name: name.trim(), actor: 'agent', agent: 'codex', text: text.trim() });
        },
      ),
    );
  });

  it('may be written by hand, with no head, a head of another kind, or one that is broken', () => {
    expect(parseFact('Just text.\n', 'file-name')).to.include({ name: 'file-name', text: 'Just text.', line: 1 });
    expect(parseFact('---\nname: [broken\n---\ntext', 'f')).to.include({ name: 'f', line: 1 });
    expect(parseFact('---\ntags: [a]\nname: 7\n---\n\ntext', 'f')).to.include({ name: '7', text: 'text', line: 6 });
    expect(parseFact('---\n---\ntext', 'f')).to.include({ name: 'f' });
    expect(parseFact('', 'f')).to.include({ name: 'f', text: '' });
    expect(parseFact('\ufeff---\nname: n\n---\nt', 'f')).to.include({ name: 'n', text: 't' });
  });

  it('keeps what a person wrote above it when the text is replaced', () => {
    const file = '---\n# mine\nname: n\ntags: [a, b]\nmetadata:\n  agent: codex\n---\n\nold\n';
    const now = withText(file, 'new', { updatedAt: '2026-01-02T00:00:00.000Z', actor: 'ui', agent: undefined });
    expect(now).to.contain('# mine').and.contain('tags: [').and.not.contain('codex').and.not.contain('old');
    expect(parseFact(now, 'f')).to.include({ text: 'new', actor: 'ui', updatedAt: '2026-01-02T00:00:00.000Z' });
    expect(withText('no head', 'new', { updatedAt: '', actor: 'ui', agent: undefined })).to.equal('new\n');
  });

  it('is named so that any disk takes it', () => {
    expect(slugOf('Tests need Redis!')).to.equal('tests-need-redis');
    expect(slugOf('../../etc/passwd')).to.equal('etc-passwd');
    expect(slugOf('数据库 端口')).to.equal('数据库-端口');
    expect(slugOf('…')).to.equal('fact');
    expect([...slugOf('x '.repeat(200))]).to.have.length.at.most(60);
    expect(nameFrom('# Start Redis first\n\nmore')).to.equal('Start Redis first');
  });
});
