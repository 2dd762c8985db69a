import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import type { Obj } from '@coffer/kernel';
import { expect } from 'chai';
import { lineDiff } from '../src/clients/line-diff.js';
import { CLIENTS } from '../src/clients/known.js';
import { bench, TOKEN, type Bench } from './support.js';

const machine = (platform: NodeJS.Platform): Parameters<(typeof CLIENTS)[number]['file']>[0] => ({
  platform,
  home: '/home/me',
  appData: platform === 'win32' ? '/home/me/AppData/Roaming' : undefined,
});

/** As people have them: with remarks, commas at the end, tabs, and nothing at all. */
const FILES: Record<string, string | undefined> = {
  'claude-desktop': '{\n  "mcpServers": {},\n  "globalShortcut": "Alt+Space"\n}',
  cursor: `{"mcpServers":{"gh":{"command":"gh","env":{"GITHUB_TOKEN":"${TOKEN}"}}}}`,
  vscode:
    '{\n\t// mine\n\t"servers": {\n\t\t"a": { "type": "stdio", "command": "a" }, // one\n\t},\n\t"inputs": [],\n}\n',
  windsurf: undefined,
  'gemini-cli': '{\r\n    "theme": "Größe",\r\n    "selectedAuthType": "oauth"\r\n}\r\n',
  zed: '// Zed settings\n//\n{\n  "theme": "One Dark", // dark\n  /* "vim_mode": true, */\n}\n',
};

describe('clients that Coffer connects itself to', () => {
  let b: Bench;
  const fileOf = (id: string): string[] => {
    const client = CLIENTS.find((c) => c.id === id);
    return [client?.file({ platform: process.platform, home: '', appData: undefined }) ?? ''];
  };
  beforeEach(async () => {
    b = await bench();
    for (const [id, text] of Object.entries(FILES)) if (text !== undefined) b.write(text, ...fileOf(id));
  });
  afterEach(() => b.stop());
  const change = (id: string, verb: string, body: Obj = {}): Promise<Obj> =>
    b.ok('POST', `/clients/${id}/${verb}`, body);

  it('are known by where they keep their servers, on each system', () => {
    const at = (id: string, platform: NodeJS.Platform): string | undefined =>
      CLIENTS.find((c) => c.id === id)?.file(machine(platform));
    expect(at('claude-desktop', 'darwin')).to.equal(
      '/home/me/Library/Application Support/Claude/claude_desktop_config.json',
    );
    expect(at('claude-desktop', 'win32')).to.equal('/home/me/AppData/Roaming/Claude/claude_desktop_config.json');
    expect(at('vscode', 'linux')).to.equal('/home/me/.config/Code/User/mcp.json');
    expect(at('zed', 'darwin')).to.equal('/home/me/.config/zed/settings.json');
    expect(at('windsurf', 'linux')).to.equal('/home/me/.codeium/windsurf/mcp_config.json');
  });

  for (const id of Object.keys(FILES))
    it(`${id}: shown before, put in, put in again, and taken out byte for byte`, async () => {
      const before = b.files();
      const dry = await change(id, 'connect', { dry_run: true });
      expect(dry).to.include({ written: false });
      expect(dry['diff']).to.contain(`"--agent"`).and.to.contain(id);
      expect(b.files()).to.deep.equal(before);
      const done = await change(id, 'connect');
      expect(done).to.include({ written: true, diff: dry['diff'] });
      expect(await change(id, 'connect')).to.include({ written: false, diff: '' });
      const listed = (await b.ok('GET', '/clients'))['clients'] as Obj[];
      expect(listed.filter((c) => c['connected']).map((c) => c['id'])).to.deep.equal([id]);
      const left = await change(id, 'disconnect', { dry_run: true });
      expect(left['diff']).to.match(/^- /m);
      await change(id, 'disconnect');
      expect(await change(id, 'disconnect')).to.include({ written: false });
      const after = Object.fromEntries(Object.entries(b.files()).filter(([name]) => !name.endsWith('.bak')));
      expect(after).to.deep.equal(before);
      expect((await b.audit('client_connected')).map((e) => e['details']['client'])).to.deep.equal([id]);
    });

  it('write the entry in their own form', async () => {
    await change('vscode', 'connect');
    expect(b.read(...fileOf('vscode'))).to.contain('"coffer": {\n\t\t\t"type": "stdio",\n\t\t\t"command": ');
    await change('zed', 'connect');
    const zed = b.read(...fileOf('zed'));
    expect(zed)
      .to.contain('"context_servers": {\n    "coffer": {\n      "source": "custom"')
      .and.to.contain('/* "vim_mode": true, */');
  });

  it('show no line of theirs that may hold a secret', async () => {
    expect(JSON.stringify(await change('cursor', 'connect', { dry_run: true }))).not.to.contain(TOKEN);
    expect(lineDiff('{\n  "a": 1\n}', '{\n  "b": 1\n}')).to.equal('- a\n+ b');
    expect(lineDiff('{\n  {}\n}', '{\n  { "b": 1 }\n}')).to.equal('-   {}\n+   { "b": 1 }');
    expect(lineDiff('', 'a\n')).to.equal('+ a');
  });

  it('that are broken, locked or unknown are left alone, and that is said', async () => {
    b.write('{ broken', ...fileOf('zed'));
    mkdirSync(b.at('.codeium', 'windsurf'), { recursive: true });
    chmodSync(b.at(...fileOf('cursor')), 0o444);
    const before = b.files();
    expect((await b.fails('POST', '/clients/zed/connect', {})).code).to.equal('AGENT_FILE_INVALID');
    expect((await b.fails('POST', '/clients/cursor/connect', {})).code).to.equal('FILE_READ_ONLY');
    const unknown = await b.fails('POST', '/clients/emacs/connect', {});
    expect([unknown.status, unknown.code]).to.deep.equal([404, 'CLIENT_NOT_FOUND']);
    expect(unknown.message).to.contain('claude-desktop, cursor');
    expect((await b.fails('POST', '/clients/claude-code/connect', {})).message).to.contain(
      'coffer agent add claude_code',
    );
    expect(b.files()).to.deep.equal(before);
    const [zed] = ((await b.ok('GET', '/clients'))['clients'] as Obj[]).filter((c) => c['id'] === 'zed');
    expect(zed?.['problem']).to.contain('no JSON');
    expect(existsSync(b.at(...fileOf('windsurf')))).to.equal(false);
  });
});
