import { expect } from 'chai';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newKey } from '../../src/credentials/fernet.js';
import type { CofferError } from '../../src/errors.js';
import { createTestKernel, fakeKeychain } from '../../src/testing/index.js';
import { workshop } from '../support/kernels.js';

describe('the master key', () => {
  const make = workshop();
  const keyOf = (home: string): string => path.join(home, 'master.key');
  /** A vault with two credentials, and no daemon. */
  const vault = async (): Promise<string> => {
    const home = make.folder();
    const k = await make.kernel({ home });
    for (const ref of ['a', 'b/c']) await k.rest('POST', '/credentials', { ref, value: `value of ${ref}` });
    await k.stop({ keep: true });
    return home;
  };
  const refusal = async (home: string): Promise<CofferError> => {
    try {
      await (await createTestKernel({ home })).stop({ keep: true });
    } catch (e) {
      return e as CofferError;
    }
    throw new Error('the daemon started');
  };

  it('is made with the first credential and not before, for its owner only', async () => {
    const k = await make.kernel();
    expect(existsSync(keyOf(k.home))).to.equal(false);
    await k.rest('POST', '/credentials', { ref: 'a', value: 'v' });
    expect(statSync(keyOf(k.home)).mode & 0o777).to.equal(0o600);
    const key = readFileSync(keyOf(k.home), 'utf8');
    await k.rest('POST', '/credentials', { ref: 'b', value: 'v' });
    expect(readFileSync(keyOf(k.home), 'utf8')).to.equal(key);
  });

  it('gone while there is ciphertext: the daemon does not start, names the path, and makes no new one', async () => {
    const home = await vault();
    renameSync(keyOf(home), path.join(home, 'aside'));
    const e = await refusal(home);
    expect(e.code).to.equal('MASTER_KEY_MISSING');
    expect(e.message).to.include(keyOf(home)).and.include('--include-master-key');
    expect(existsSync(keyOf(home))).to.equal(false);
    renameSync(path.join(home, 'aside'), keyOf(home));
    const k = await make.kernel({ home });
    expect((await k.rest('GET', '/credentials/a')).body.value).to.equal('value of a');
  });

  it('empty or no key: the daemon does not start and says what the file is', async () => {
    const home = await vault();
    for (const text of ['', '\n', 'not a key']) {
      writeFileSync(keyOf(home), text);
      const e = await refusal(home);
      expect(e.code).to.equal('MASTER_KEY_WRONG');
      expect(e.message).to.include(keyOf(home)).and.include('does not hold a master key');
      expect(readFileSync(keyOf(home), 'utf8')).to.equal(text);
    }
  });

  it('another one: the daemon runs, says which credentials it does not open, and stores no new ones under it', async () => {
    const home = await vault();
    writeFileSync(keyOf(home), newKey());
    const k = await make.kernel({ home });
    expect(
      (await k.rest('GET', '/credentials')).body.credentials.map((c: { locked: boolean }) => c.locked),
    ).to.deep.equal([true, true]);
    const read = await k.rest('GET', '/credentials/a');
    expect([read.status, read.body.error.code]).to.deep.equal([503, 'CREDENTIAL_LOCKED']);
    expect(read.body.error.message).to.include(keyOf(home));
    const set = await k.rest('POST', '/credentials', { ref: 'new', value: 'v' });
    expect(set.body.error.code).to.equal('MASTER_KEY_WRONG');
    expect((await k.rest('GET', '/credentials/new/exists')).body.present).to.equal(false);
    expect(readFileSync(path.join(home, 'logs/daemon.log'), 'utf8'))
      .to.include('the master key does not open some credentials')
      .and.include('"b/c"');
  });

  it('readable by others: repaired at start', async () => {
    const home = await vault();
    chmodSync(keyOf(home), 0o644);
    const k = await make.kernel({ home });
    expect(statSync(keyOf(home)).mode & 0o777).to.equal(0o600);
    expect((await k.rest('GET', '/credentials/a')).status).to.equal(200);
  });

  it('moves to the keychain and back; the data stays as it is', async () => {
    const home = await vault();
    const keychain = fakeKeychain();
    const key = readFileSync(keyOf(home), 'utf8').trim();
    const k = await make.kernel({ home, keychain });
    const before = k.services.db.prepare('SELECT * FROM credentials').all();
    expect((await k.rest('GET', '/settings/credentials')).body).to.deep.equal({ master_key_storage: 'file' });
    expect((await k.rest('PUT', '/settings/credentials', { master_key_storage: 'keychain' })).body).to.deep.equal({
      master_key_storage: 'keychain',
    });
    expect(keychain.stored).to.equal(key);
    expect(existsSync(keyOf(home))).to.equal(false);
    await k.stop({ keep: true });
    const again = await make.kernel({ home, keychain });
    expect((await again.rest('GET', '/credentials/a')).body.value).to.equal('value of a');
    await again.rest('PUT', '/settings/credentials', { master_key_storage: 'file' });
    expect([keychain.stored, readFileSync(keyOf(home), 'utf8').trim()]).to.deep.equal([null, key]);
    expect(again.services.db.prepare('SELECT * FROM credentials').all()).to.deep.equal(before);
    const rows = (await again.rest('GET', '/audit?event_type=master_key_relocated')).body.entries;
    expect(rows.map((r: { details: unknown }) => r.details)).to.deep.equal([
      { from: 'keychain', to: 'file' },
      { from: 'file', to: 'keychain' },
    ]);
  });

  it('a keychain that refuses: the key stays where it was', async () => {
    const home = await vault();
    const k = await make.kernel({ home });
    const { status, body } = await k.rest('PUT', '/settings/credentials', { master_key_storage: 'keychain' });
    expect([status, body.error.code]).to.deep.equal([503, 'KEYCHAIN_UNAVAILABLE']);
    expect((await k.rest('GET', '/settings/credentials')).body.master_key_storage).to.equal('file');
    expect((await k.rest('GET', '/credentials/a')).status).to.equal(200);
  });

  it('a locked keychain: the daemon does not start and says so; a file put back is enough', async () => {
    const home = await vault();
    const keychain = fakeKeychain();
    const k = await make.kernel({ home, keychain });
    await k.rest('PUT', '/settings/credentials', { master_key_storage: 'keychain' });
    await k.stop({ keep: true });
    const e = await refusal(home);
    expect(e.code).to.equal('KEYCHAIN_UNAVAILABLE');
    expect(e.message).to.include(keyOf(home));
    writeFileSync(keyOf(home), keychain.stored ?? '');
    const back = await make.kernel({ home });
    expect((await back.rest('GET', '/credentials/a')).status).to.equal(200);
    rmSync(keyOf(home));
  });
});
