import { acceptance } from '@coffer/testing';
import { expect } from 'chai';
import { isFault, parseFrontmatter, type Frontmatter } from '../src/frontmatter.js';

const head = (...lines: string[]): string => `---\n${lines.join('\n')}\n---\nbody\n`;
const good = (text: string): Frontmatter => {
  const f = parseFrontmatter(text);
  if (isFault(f)) throw new Error(`${f.line}: ${f.reason}`);
  return f;
};
const fault = (text: string): string => {
  const f = parseFrontmatter(text);
  return isFault(f) ? `${f.line}: ${f.reason}` : `valid: ${f.name}`;
};

describe('the head of a SKILL.md', () => {
  acceptance('006-skills', 'recognize optional fields', () => {
    const whole = good(
      head(
        'name: a_b-1',
        'description: " Does it. "',
        'license: 2.0',
        'allowed-tools: Read, Grep  Bash',
        'colour: [red, 1]',
      ),
    );
    expect(whole).to.deep.equal({
      name: 'a_b-1',
      description: 'Does it.',
      license: '2',
      allowed_tools: ['Read', 'Grep', 'Bash'],
    });
    expect(
      good(head('name: a', 'description: d', 'allowed-tools:', '  - Read', '  - " Grep"')).allowed_tools,
    ).to.deep.equal(['Read', 'Grep']);
    const odd = good(head('name: a', 'description: d', 'allowed-tools: { a: 1 }', 'license: [MIT]'));
    expect(odd).to.deep.include({ allowed_tools: [], license: null });
  });

  acceptance('006-skills', 'reject over-long description', () => {
    expect(fault(head('name: a', `description: ${'x'.repeat(1025)}`))).to.equal(
      '3: has a description of 1025 characters; 1024 are allowed',
    );
    expect(good(head('name: a', `description: ${'字'.repeat(1023)}😀`)).name).to.equal('a');
  });

  it('may begin with a byte order mark and end its lines as Windows does', () => {
    expect(good(`\uFEFF${head('name: a', 'description: d')}`.replaceAll('\n', '\r\n')).description).to.equal('d');
    expect(good(head('name: a', 'description: d').replaceAll('\n', '\r')).description).to.equal('d');
  });

  it('is refused with its line', () => {
    expect(fault('# A title\n')).to.match(/^1: does not begin with ---/);
    expect(fault('')).to.match(/^1: does not begin/);
    expect(fault('---\nname: a\n')).to.match(/^1: has no second ---/);
    expect(fault(head('name: a', 'description: "open'))).to.match(/^\d: is not valid YAML/);
    expect(fault(head('name: a', 'name: b', 'description: d'))).to.match(
      /^3: is not valid YAML: Map keys must be unique/,
    );
    expect(fault(head('- a', '- b'))).to.match(/^2: has a head that is no list of fields/);
    expect(fault(head('description: d'))).to.equal('1: has no name');
    expect(fault(head('name: a'))).to.equal('1: has no description');
    expect(fault(head('license: x', 'name: 12', 'description: d'))).to.match(/^3: has a name that is no text/);
    expect(fault(head('name: Has Space', 'description: d'))).to.match(/^2: has a name that does not fit/);
    expect(fault(head('name: ../up', 'description: d'))).to.match(/^2: has a name that does not fit/);
    expect(fault(head(`name: ${'a'.repeat(65)}`, 'description: d'))).to.match(/^2: has a name that does not fit/);
    expect(fault(head('name: a', 'description: "  "'))).to.equal('3: has an empty description');
    expect(fault(head('name: a', 'description: [a]'))).to.match(/^3: has a description that is no text/);
  });

  it('may not blow up by aliases', () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (let i = 0; i < 8; i++) {
      const before = String.fromCharCode(97 + i);
      const name = String.fromCharCode(98 + i);
      lines.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`);
    }
    expect(fault(head(...lines, 'name: a', 'description: d'))).to.match(/aliases/);
  });
});
