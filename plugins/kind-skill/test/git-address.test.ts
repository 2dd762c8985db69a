import { readFileSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Obj } from '@coffer/kernel';
import { expect } from 'chai';
import { isInside, parseGitAddress, withoutSecrets } from '../src/import/git-address.js';
import { bench, type Bench } from './support.js';

describe('the address of a repository', () => {
  const shown = (text: string, local = false): string => {
    try {
      return parseGitAddress(text, local).shown;
    } catch (e) {
      return (e as { code: string }).code;
    }
  };
  const REFUSED = 'SKILL_SOURCE_REFUSED';

  it('is https or ssh, and nothing that git would run or open here', () => {
    expect(shown('https://example.com/a/b.git')).to.equal('https://example.com/a/b.git');
    expect(shown('git@example.com:a/b.git')).to.equal('git@example.com:a/b.git');
    expect(shown('ssh://git@example.com:22/a')).to.equal('ssh://git@example.com:22/a');
    for (const bad of [
      'ext::sh -c touch% /tmp/x',
      'ext::sh',
      'file:///etc',
      '/srv/repo',
      '../repo',
      'http://example.com/a',
      'git://example.com/a',
      'ftp://example.com/a',
      '--upload-pack=touch',
      '-x@host:path',
      'ssh://-oProxyCommand=touch/x',
      'ssh://-x@host/y',
      'host:-x',
      'https://exa mple.com/',
      'https://example.com/a\nb',
      '',
      'nonsense',
    ])
      expect(shown(bad), bad).to.equal(REFUSED);
    expect(shown('file:///srv/repo', true)).to.equal('file:///srv/repo');
    expect(shown('http://127.0.0.1:1/x', true)).to.equal('http://127.0.0.1:1/x');
    expect(shown('ext::sh', true)).to.equal(REFUSED);
  });

  it('is shown without what opens it', () => {
    const address = parseGitAddress('https://me:s3cr3t-token@example.com/a.git?private_token=qwerty', false);
    expect(address.shown).to.equal('https://example.com/a.git');
    const said = withoutSecrets(
      "fatal: cannot open 'https://me:s3cr3t-token@example.com/a.git?private_token=qwerty/': s3cr3t-token",
      address,
    );
    expect(said).to.not.match(/s3cr3t|qwerty/);
  });

  it('does not lead to this machine or its network', () => {
    for (const inside of [
      '127.0.0.1',
      '127.9.9.9',
      '0.0.0.0',
      '10.1.2.3',
      '172.20.0.1',
      '192.168.0.9',
      '169.254.169.254',
      '100.64.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      'ff02::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::7f00:1',
      'nonsense',
    ])
      expect(isInside(inside), inside).to.equal(true);
    for (const outside of ['8.8.8.8', '172.32.0.1', '2606:4700::1', '::ffff:8.8.8.8'])
      expect(isInside(outside), outside).to.equal(false);
  });
});

describe('a git server of strangers', function () {
  this.timeout(60_000);
  let b: Bench;
  let server: Server;
  let asked: string[];
  let answer: (path: string) => [number, Record<string, string>];
  beforeEach(async () => {
    asked = [];
    server = createServer((req, res) => {
      asked.push(`${req.url} ${req.headers.authorization ?? ''}`);
      const [status, headers] = answer(req.url ?? '');
      res.writeHead(status, headers).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await b.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const stage = (user = ''): Promise<{ body: Obj }> =>
    b.k.rest('POST', '/skill-imports', {
      type: 'git',
      url: `http://${user}127.0.0.1:${(server.address() as AddressInfo).port}/x.git`,
    });

  it('inside the network is not asked at all', async () => {
    b = await bench();
    answer = () => [404, {}];
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f000001', '2130706433']) {
      const url = `https://${host}:${(server.address() as AddressInfo).port}/x.git`;
      const { body } = await b.k.rest('POST', '/skill-imports', { type: 'git', url });
      expect(body.error.code, host).to.equal('SKILL_SOURCE_REFUSED');
    }
    expect((await stage()).body['error'].code).to.equal('SKILL_SOURCE_REFUSED');
    expect(asked).to.deep.equal([]);
  });

  it('that asks for a password gets none, and nobody is asked; one from the address stays out of every word', async () => {
    b = await bench({ env: { COFFER_SKILLS_LOCAL_GIT: '1' } });
    answer = () => [401, { 'WWW-Authenticate': 'Basic realm="x"' }];
    expect((await stage()).body['error'].code).to.equal('SKILL_SOURCE_FAILED');
    const { body } = await stage('me:s3cr3t-token@');
    expect(body['error'].code).to.equal('SKILL_SOURCE_FAILED');
    expect(asked.some((a) => a.includes(Buffer.from('me:s3cr3t-token').toString('base64')))).to.equal(true);
    expect(JSON.stringify(body)).to.not.include('s3cr3t');
    const logs = readdirSync(path.join(b.k.home, 'logs')).map((f) =>
      readFileSync(path.join(b.k.home, 'logs', f), 'utf8'),
    );
    expect(logs.join('')).to.not.include('s3cr3t');
  });

  it('that sends elsewhere is not followed', async () => {
    b = await bench({ env: { COFFER_SKILLS_LOCAL_GIT: '1' } });
    answer = (at) => (at.startsWith('/x.git') ? [302, { Location: '/elsewhere/info/refs' }] : [404, {}]);
    expect((await stage()).body['error'].code).to.equal('SKILL_SOURCE_FAILED');
    expect(asked.some((a) => a.includes('elsewhere'))).to.equal(false);
  });
});
