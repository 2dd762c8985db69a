import { expect } from 'chai';
import fc from 'fast-check';
import { isCofferError } from '@coffer/kernel';
import { changeDocument, parseDocument, valueAt, type Format } from '../src/edit/document.js';
import { markOf, revert } from '../src/edit/splice.js';

const COFFER = { command: '/usr/bin/node', args: ['/opt/shim.cjs', '--agent', 'x'] };
const set = (format: Format, text: string, path: string[], value: unknown): string =>
  changeDocument(format, text, [{ path, value }]);
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (e) {
    if (isCofferError(e)) return e.code;
    throw e;
  }
  return 'none';
};
/** What was put in can be taken out again, by structure and by mark, and nothing else has moved. */
function thereAndBack(format: Format, text: string, path: string[], value: unknown): string {
  const after = set(format, text, path, value);
  expect(valueAt(parseDocument(format, after), path)).to.deep.equal(value);
  expect(revert(after, markOf(text, after)), 'by its mark').to.equal(text);
  return after;
}

describe('changing a setting in JSON', () => {
  const path = ['mcpServers', 'coffer'];

  it('adds a member in the manner of the file', () => {
    const two = '{\n  "a": 1,\n  "mcpServers": {\n    "x": {}\n  },\n  "名": "值"\n}\n';
    const after = thereAndBack('json', two, path, COFFER);
    expect(after).to.equal(
      two.replace(
        '"x": {}\n',
        '"x": {},\n    "coffer": {\n      "command": "/usr/bin/node",\n      "args": [\n        "/opt/shim.cjs",\n        "--agent",\n        "x"\n      ]\n    }\n',
      ),
    );
    expect(set('json', after, path, undefined)).to.equal(two);
    expect(set('json', '{\r\n\t"a": 1\r\n}\r\n', ['b'], { c: 1 })).to.equal(
      '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 1\r\n\t}\r\n}\r\n',
    );
    expect(set('json', '{"a":1}', ['b', 'c'], true)).to.equal('{"a":1,"b":{"c":true}}');
    expect(set('json', '{}', ['b'], 1)).to.equal('{\n  "b": 1\n}');
    expect(set('json', '', ['b'], 1)).to.equal('{\n  "b": 1\n}\n');
  });

  const files = [
    '',
    '{}',
    '{ }\n',
    '\uFEFF{\n  "a": 1\n}',
    '{"mcpServers":{}}',
    '{\n  "mcpServers": {}\n}\n',
    '{\n  "mcpServers": {\n  }\n}\n',
    '{\n  "mcpServers": "oh"\n}\n',
    '{\n  // mine\n}\n',
    '{ // mine\n  "a": 1 // one\n  // the end\n}\n',
    '{\n  "a": [1, 2,],\n  "b": 2, // two\n}\n',
    '{\n  "a": 1 /* , */\n}\n',
    '{"a": 1 // one\n}',
    '{"a":{"b":1},\n"c":2}',
  ];
  for (const text of files)
    it(`and takes it back from ${JSON.stringify(text).slice(0, 50)}`, () => {
      const after = thereAndBack('json', text, path, COFFER);
      for (const remark of ['// mine', '// one', '// the end', '// two', '/* , */'])
        expect(after.includes(remark), remark).to.equal(text.includes(remark));
    });

  it('takes a member out with its comma and leaves the others with their remarks', () => {
    const text = '{\n  // about a\n  "a": 1, // one\n  "b": 2, // two\n  "c": 3 // three\n}\n';
    expect(set('json', text, ['a'], undefined)).to.equal(
      '{\n  // about a // one\n  "b": 2, // two\n  "c": 3 // three\n}\n',
    );
    expect(set('json', text, ['c'], undefined)).to.equal(
      '{\n  // about a\n  "a": 1, // one\n  "b": 2 // two // three\n}\n',
    );
    expect(set('json', '{"a":1}', ['a'], undefined)).to.equal('{}');
    expect(set('json', '{"a":1,"b":2,}', ['b'], undefined)).to.equal('{"a":1,}');
    expect(set('json', text, ['x', 'y'], undefined)).to.equal(text);
  });

  it('changes the one that counts when a name is there twice', () => {
    const text = '{"a":1,"a":2}';
    expect(set('json', text, ['a'], 3)).to.equal('{"a":1,"a":3}');
    expect(codeOf(() => set('json', text, ['a'], undefined))).to.equal('AGENT_FILE_UNEDITABLE');
  });

  it('says where a broken file is broken, and nothing of what is in it', () => {
    for (const text of ['{"token": "s3cret"\n  "b": 1}', '[1]', '"s3cret"', 'nonsense s3cret']) {
      try {
        set('json', text, path, COFFER);
        expect.fail('it was taken');
      } catch (e) {
        expect(isCofferError(e) && e.code).to.equal('AGENT_FILE_INVALID');
        expect(String(e)).not.to.contain('s3cret');
      }
    }
  });

  it('does so in every layout that anybody prints', () => {
    const key = fc.constantFrom('a', 'b', 'mcpServers', 'coffer', 'x y', '键', '__proto__x');
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(1, true, null, 'text // no remark', '{"', '\\'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(
        fc.dictionary(key, value, { maxKeys: 4 }),
        fc.constantFrom(undefined, 0, 2, 4, '\t'),
        fc.array(key, { minLength: 1, maxLength: 3 }),
        fc.constantFrom<unknown>(1, 'x', COFFER),
        (root, indent, at, put) => {
          const text = JSON.stringify(root, null, indent);
          const after = set('json', text, at, put);
          expect(valueAt(parseDocument('json', after), at)).to.deep.equal(put);
          const gone = set('json', after, at, undefined);
          expect(valueAt(parseDocument('json', gone), at)).to.equal(undefined);
        },
      ),
      { numRuns: 400 },
    );
  });
});

const REAL = `# Codex, by hand
model = "gpt-5-codex" # the good one
approval_policy = "on-request"

notify = [
  "python3", # why not
  "~/bin/notify.py",
]

[projects."/home/me/src/größe.app"]
trust_level = "trusted"

# my servers
[mcp_servers.github]
command = "npx"
args = ["-y", "@modelcontextprotocol/server-github"]
enabled = true

[mcp_servers.github.env]
GITHUB_TOKEN = "ghp_x" # secret

[mcp_servers."docs search"]
url = 'https://docs.example.com/mcp'

[tui]
theme = """
dark # no remark
[not.a.table]
"""
`;

describe('changing a setting in TOML', () => {
  it('adds a table at the end and takes it back', () => {
    const after = thereAndBack('toml', REAL, ['mcp_servers', 'coffer'], { ...COFFER, env: { COFFER_HOME: '/x' } });
    expect(after).to.equal(
      `${REAL}\n[mcp_servers.coffer]\ncommand = "/usr/bin/node"\nargs = ["/opt/shim.cjs", "--agent", "x"]\n\n[mcp_servers.coffer.env]\nCOFFER_HOME = "/x"\n`,
    );
    expect(set('toml', after, ['mcp_servers', 'coffer'], undefined)).to.equal(REAL);
  });

  it('changes, adds and removes single settings where they belong', () => {
    const plain = (path: string[], value: unknown): string => set('toml', REAL, path, value);
    expect(plain(['model'], 'o9')).to.equal(REAL.replace('"gpt-5-codex"', '"o9"'));
    expect(plain(['mcp_servers', 'github', 'enabled'], false)).to.equal(
      REAL.replace('enabled = true', 'enabled = false'),
    );
    expect(plain(['mcp_servers', 'docs search', 'enabled'], false)).to.equal(
      REAL.replace("/mcp'\n", "/mcp'\nenabled = false\n"),
    );
    expect(plain(['model_provider'], 'coffer')).to.equal(
      REAL.replace('  "~/bin/notify.py",\n]\n', '  "~/bin/notify.py",\n]\nmodel_provider = "coffer"\n'),
    );
    expect(plain(['features', 'memories'], false)).to.equal(`${REAL}\n[features]\nmemories = false\n`);
    expect(plain(['mcp_servers', 'github'], undefined)).to.equal(
      REAL.replace(/\[mcp_servers\.github\][\s\S]*# secret\n\n/, ''),
    );
    expect(plain(['notify'], undefined)).to.equal(REAL.replace(/notify = [\s\S]*?\n\]\n/, ''));
  });

  const forms: [string, string][] = [
    ['inline', 'mcp_servers = { x = { command = "a", enabled = true }, "y z" = {} }\n'],
    ['inline below a table', '[mcp_servers]\nx = { command = "a", enabled = true }\n"y z" = {} # keep\n'],
    ['dotted', 'mcp_servers.x.command = "a"\nmcp_servers.x.enabled = true\nmcp_servers."y z".url = "b"\n'],
    ['dotted below a table', '[mcp_servers]\nx.command = "a"\nx.enabled = true\n"y z".url = "b"\n'],
    ['tables', '[mcp_servers.x]\ncommand = "a"\nenabled = true\n[mcp_servers.\'y z\']\nurl = "b"'],
    [
      'line ends of Windows',
      '[mcp_servers.x]\r\ncommand = "a"\r\nenabled = true\r\n\r\n[mcp_servers."y z"]\r\nurl = "b"\r\n',
    ],
  ];
  for (const [what, text] of forms)
    it(`whatever form servers are written in: ${what}`, () => {
      const off = set('toml', text, ['mcp_servers', 'x', 'enabled'], false);
      expect(off).to.equal(text.replace('enabled = true', 'enabled = false'));
      const gone = set('toml', text, ['mcp_servers', 'x'], undefined);
      expect(parseDocument('toml', gone)).to.have.nested.property('mcp_servers.y z');
      expect(gone).not.to.contain('command');
      const added = thereAndBack('toml', text, ['mcp_servers', 'coffer'], COFFER);
      expect(parseDocument('toml', added)).to.have.nested.property('mcp_servers.x.enabled', true);
      if (text.includes('\r\n')) expect(added.replaceAll('\r\n', '')).not.to.contain('\n');
      const url = set('toml', text, ['mcp_servers', 'y z', 'note'], 'n');
      expect(valueAt(parseDocument('toml', url), ['mcp_servers', 'y z', 'note'])).to.equal('n');
      const replaced = set('toml', added, ['mcp_servers', 'coffer'], { url: 'https://x' });
      expect(valueAt(parseDocument('toml', replaced), ['mcp_servers', 'coffer'])).to.deep.equal({ url: 'https://x' });
    });

  it('begins an empty file, and one that has only tables or remarks', () => {
    expect(set('toml', '', ['model'], 'm')).to.equal('model = "m"\n');
    expect(set('toml', '# mine', ['a', 'b'], 1)).to.equal('# mine\n\n[a]\nb = 1\n');
    expect(set('toml', '[a]\nb = 1\n', ['model'], 'm')).to.equal('model = "m"\n\n[a]\nb = 1\n');
  });

  it('refuses what it cannot do safely, and a broken file without quoting it', () => {
    expect(codeOf(() => set('toml', '[[a]]\nb = 1\n[[a]]\nb = 2\n', ['a', 'b'], undefined))).to.equal('none');
    expect(codeOf(() => set('toml', '[[a]]\nb = 1\n', ['a'], { c: 1 }))).to.equal('AGENT_FILE_UNEDITABLE');
    expect(codeOf(() => set('toml', 'a = 1\n', ['a', 'b'], 1))).to.equal('AGENT_FILE_UNEDITABLE');
    for (const text of ['token = "s3cret', 'token == s3cret', '[a\ntoken = "s3cret"'])
      try {
        set('toml', text, ['a'], 1);
        expect.fail('it was taken');
      } catch (e) {
        expect(isCofferError(e) && e.code).to.equal('AGENT_FILE_INVALID');
        expect(String(e)).not.to.contain('s3cret');
      }
  });
});

describe('a change taken back by its mark', () => {
  it('is exact although the text has changed around it', () => {
    const before = '{\n  "a": 1\n}\n';
    const after = set('json', before, ['b'], { c: 1 });
    const later = set('json', after, ['a'], 2).replace('}\n}', '},\n  "z": 1\n}');
    expect(revert(later, markOf(before, after))).to.equal('{\n  "a": 2,\n  "z": 1\n}\n');
  });
  it('is not tried when it was rewritten, or is there twice', () => {
    expect(revert('x', { inserted: 'y', removed: '' })).to.equal(undefined);
    expect(revert('yy', { inserted: 'y', removed: '' })).to.equal(undefined);
  });
});

describe('a list in JSON', () => {
  const path = ['hooks', 'SessionStart'];
  const hook = { hooks: [{ type: 'command', command: 'c' }] };
  it('gets an element at its end in the manner of the file, and loses it again', () => {
    const one =
      '{\n    "hooks": {\n        "SessionStart": [\n            { "matcher": "startup", "hooks": [] } // mine\n        ]\n    }\n}\n';
    const after = changeDocument('json', one, [{ path: [...path, 1], value: hook }]);
    expect(after).to.contain(
      '{ "matcher": "startup", "hooks": [] }, // mine\n            {\n                "hooks": [',
    );
    expect(changeDocument('json', after, [{ path: [...path, 1], value: undefined }])).to.equal(one);
    expect(revert(after, markOf(one, after))).to.equal(one);
    expect(changeDocument('json', after, [{ path: [...path, 0], value: undefined }])).not.to.contain('startup');
  });
  it('is made where there is none', () => {
    const after = changeDocument('json', '{"a":1}', [{ path: [...path, 0], value: hook }]);
    expect(JSON.parse(after)).to.deep.equal({ a: 1, hooks: { SessionStart: [hook] } });
    expect(changeDocument('json', '{"l":[]}', [{ path: ['l', 0], value: 1 }])).to.equal('{"l":[1]}');
    expect(changeDocument('json', '{"l":[1]}', [{ path: ['l', 1], value: 2 }])).to.equal('{"l":[1,2]}');
  });
});
