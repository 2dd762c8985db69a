import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { Obj } from '@coffer/kernel';
import { acceptance } from '@coffer/testing';
import { bench, KEY, type Bench } from './support.js';

const SPEC = '011-llm-connections';

describe('LLM connections', () => {
  let b: Bench;
  beforeEach(async () => (b = await bench()));
  afterEach(() => b.stop());

  const credentials = async (): Promise<string[]> =>
    ((await b.k.rest('GET', '/credentials')).body.credentials as Obj[]).map((c) => String(c['ref']));
  const refusal = async (method: string, path: string, body?: unknown): Promise<string> => {
    const answer = await b.k.rest(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.at.least(400);
    expect(JSON.stringify(answer.body)).not.to.include(KEY);
    return `${answer.status} ${answer.body.error.code}`;
  };
  const draft = { name: 'a', protocol: 'anthropic', base_url: 'https://api.example.com' };

  acceptance(SPEC, 'create an anthropic provider profile with an inline secret', async () => {
    const made = await b.add('anthropic', { base_url: `${b.endpoint.url}/` });
    expect(made).to.include({
      ref: 'llm_connection:anthropic',
      protocol: 'anthropic',
      base_url: b.endpoint.url,
      credential_ref: 'llm/anthropic/key',
      wire_api: 'responses',
      internal_default: false,
      last_test: null,
    });
    expect(made['fits']).to.deep.equal(['claude-code']);
    expect(await credentials()).to.deep.equal(['llm/anthropic/key']);
    expect(b.k.services.credentials.reveal('llm/anthropic/key')).to.equal(KEY);
  });

  acceptance(SPEC, 'create a profile that reuses an existing credential ref', async () => {
    await b.k.rest('POST', '/credentials', { ref: 'shared/key', value: KEY });
    expect((await b.add('one', { credential_ref: 'shared/key' }))['credential_ref']).to.equal('shared/key');
    expect((await b.add('two', { credential_ref: 'shared/key' }))['credential_ref']).to.equal('shared/key');
    expect(await refusal('DELETE', '/credentials/shared%2Fkey')).to.equal('409 CREDENTIAL_IN_USE');
    expect(await refusal('POST', '/llm-connections', { ...draft, credential_ref: 'no/such' })).to.equal(
      '400 CREDENTIAL_MISSING',
    );
    await b.k.rest('DELETE', '/llm-connections/one');
    await b.k.rest('DELETE', '/llm-connections/two');
    expect(await credentials(), 'what others may use stays').to.deep.equal(['shared/key']);
  });

  acceptance(SPEC, 'reject a profile with an unknown wire format', async () => {
    const body = { ...draft, secret_value: KEY };
    expect(await refusal('POST', '/llm-connections', { ...body, protocol: 'smtp' })).to.equal('422 CONFIG_INVALID');
    expect(await refusal('POST', '/llm-connections', { ...body, wire_api: 'grpc' })).to.equal('422 CONFIG_INVALID');
    expect(await credentials()).to.deep.equal([]);
  });

  acceptance(SPEC, 'reject a profile that supplies neither a secret nor a credential ref', async () => {
    expect(await refusal('POST', '/llm-connections', draft)).to.equal('422 CONFIG_INVALID');
    const both = { ...draft, secret_value: KEY, credential_ref: 'x' };
    expect(await refusal('POST', '/llm-connections', both)).to.equal('422 CONFIG_INVALID');
    expect((await b.k.rest('GET', '/llm-connections')).body.connections).to.deep.equal([]);
  });

  acceptance(SPEC, 'create an ollama connection without a credential', async () => {
    const made = await b.add('local', { protocol: 'ollama' });
    expect(made['credential_ref']).to.equal(null);
    expect(made['fits']).to.deep.equal([]);
    const keyed = { ...draft, protocol: 'ollama', secret_value: KEY };
    expect(await refusal('POST', '/llm-connections', keyed)).to.equal('422 CONFIG_INVALID');
    expect(await refusal('PATCH', '/llm-connections/local', { secret_value: KEY })).to.equal('422 CONFIG_INVALID');
    expect(await refusal('GET', '/llm-connections/local/key')).to.equal('409 LLM_NOT_CONFIGURED');
  });

  it('refuse addresses that carry secrets or are none, and keep no key of a refused one', async () => {
    for (const base_url of [
      'ftp://a.example',
      'not an address',
      'https://me:pw@a.example',
      'https://a.example/v1?key=1',
      'https://a.example/#x',
    ])
      expect(await refusal('POST', '/llm-connections', { ...draft, base_url, secret_value: KEY }), base_url).to.equal(
        '422 CONFIG_INVALID',
      );
    for (const name of ['a b', '../up', '-x', ''])
      expect(await refusal('POST', '/llm-connections', { ...draft, name, secret_value: KEY }), name).to.match(/^422/);
    for (const secret_value of ['two words', '\n', 'ключ'])
      expect(await refusal('POST', '/llm-connections', { ...draft, secret_value })).to.equal('422 CONFIG_INVALID');
    await b.add('there');
    expect(await refusal('POST', '/llm-connections', { ...draft, name: 'there', secret_value: KEY })).to.equal(
      '409 RESOURCE_ALREADY_EXISTS',
    );
    expect(await credentials()).to.deep.equal(['llm/there/key']);
  });

  it('never overwrite a credential that stands where theirs would', async () => {
    await b.k.rest('POST', '/credentials', { ref: 'llm/a/key', value: 'somebody’s' });
    expect((await b.add('a'))['credential_ref']).to.equal('llm/a/key-2');
    expect(b.k.services.credentials.reveal('llm/a/key')).to.equal('somebody’s');
  });

  acceptance(SPEC, 'update a provider profile', async () => {
    await b.add('a');
    await b.k.rest('POST', '/llm-connections/a/test', {});
    const changed = await b.k.rest('PATCH', '/llm-connections/a', {
      description: 'for work',
      base_url: 'https://other.example/',
      secret_value: ' sk-new \n',
    });
    expect(changed.body).to.include({
      description: 'for work',
      base_url: 'https://other.example',
      credential_ref: 'llm/a/key',
      last_test: null,
    });
    expect(b.k.services.credentials.reveal('llm/a/key')).to.equal('sk-new');
    await b.k.rest('POST', '/credentials', { ref: 'shared/key', value: KEY });
    await b.k.rest('PATCH', '/llm-connections/a', { credential_ref: 'shared/key' });
    expect(await credentials(), 'its own key is gone, the shared one stays').to.deep.equal(['shared/key']);
    await b.k.rest('PATCH', '/llm-connections/a', { secret_value: 'sk-again' });
    expect(b.k.services.credentials.reveal('shared/key'), 'a shared one is not rotated').to.equal(KEY);
    expect(b.k.services.credentials.reveal('llm/a/key')).to.equal('sk-again');
    expect(await refusal('PATCH', '/llm-connections/a', { protocol: 'openai' })).to.match(/^422/);
    expect(await refusal('PATCH', '/llm-connections/nope', { description: 'x' })).to.equal('404 RESOURCE_NOT_FOUND');
  });

  acceptance(SPEC, 'list provider profiles', async () => {
    await b.add('one');
    await b.add('two', { protocol: 'openai' });
    const { body } = await b.k.rest('GET', '/llm-connections');
    expect((body.connections as Obj[]).map((c) => [c['name'], c['fits']])).to.deep.equal([
      ['one', ['claude-code']],
      ['two', ['codex']],
    ]);
    expect(JSON.stringify(body)).not.to.include(KEY);
  });

  acceptance(SPEC, 'delete a provider profile cleans up its owned credential', async () => {
    await b.add('one');
    await b.add('two', { credential_ref: 'llm/one/key' });
    await b.k.rest('DELETE', '/llm-connections/one');
    expect(await credentials(), 'another one cites it').to.deep.equal(['llm/one/key']);
    await b.add('one', { secret_value: 'sk-other' });
    await b.k.rest('DELETE', '/llm-connections/one');
    expect(await credentials()).to.deep.equal(['llm/one/key']);
  });

  acceptance(SPEC, 'resolve the active provider key for the apiKeyHelper', async () => {
    await b.add('a');
    expect((await b.k.rest('GET', '/llm-connections/a/key')).body).to.deep.equal({ key: KEY });
    expect(await refusal('GET', '/llm-agents/claude-code/key')).to.equal('409 LLM_NOT_CONFIGURED');
    await b.k.rest('PUT', '/llm-agents/claude-code', { connection: 'a' });
    expect((await b.k.rest('GET', '/llm-agents/claude-code/key')).body).to.deep.equal({ key: KEY });
    await b.k.rest('GET', '/llm-connections/a/key');
    expect(await b.audit('llm_key_read'), 'once an hour').to.have.length(1);
    await b.k.rest('POST', '/resources/llm_connection/a/disable');
    expect(await refusal('GET', '/llm-connections/a/key')).to.equal('409 LLM_NOT_CONFIGURED');
  });

  acceptance(SPEC, 'set a connection as the internal engine default', async () => {
    expect((await b.k.rest('GET', '/llm-engine')).body).to.deep.equal({ connection: null, model: null });
    expect(() => b.llm.internal()).to.throw('No LLM connection is chosen');
    await b.add('a');
    const set = await b.k.rest('PUT', '/llm-engine', { connection: 'a', model: 'small-1' });
    expect(set.body).to.deep.equal({ connection: 'a', model: 'small-1' });
    expect(b.llm.internal()).to.deep.include({ name: 'a', protocol: 'anthropic', key: KEY, model: 'small-1' });
    expect((await b.k.rest('GET', '/llm-connections/a')).body.internal_default).to.equal(true);
    expect(await b.audit('llm_internal_default_set')).to.have.length(1);
    expect(await refusal('DELETE', '/llm-connections/a')).to.equal('409 LLM_IN_USE');
    await b.k.rest('PUT', '/llm-engine', { connection: null });
    expect((await b.k.rest('DELETE', '/llm-connections/a')).status).to.equal(204);
  });

  acceptance(SPEC, 'setting a new internal default clears the previous one', async () => {
    await b.add('a');
    await b.add('b', { protocol: 'openai' });
    await b.k.rest('PUT', '/llm-engine', { connection: 'a', model: 'm' });
    await b.k.rest('PUT', '/llm-engine', { connection: 'b', model: 'm' });
    const { body } = await b.k.rest('GET', '/llm-connections');
    expect((body.connections as Obj[]).map((c) => c['internal_default'])).to.deep.equal([false, true]);
  });

  acceptance(SPEC, 'choose the model the internal engine runs on', async () => {
    await b.add('a');
    expect(await refusal('PUT', '/llm-engine', { connection: 'a' })).to.equal('422 CONFIG_INVALID');
    expect(await refusal('PUT', '/llm-engine', { connection: 'nope', model: 'm' })).to.equal('404 RESOURCE_NOT_FOUND');
    await b.k.rest('PUT', '/llm-engine', { connection: 'a', model: 'small-1' });
    await b.k.rest('PUT', '/llm-engine', { connection: 'a', model: 'large-2' });
    expect(b.llm.internal().model).to.equal('large-2');
    await b.restart();
    expect(b.llm.internal().model, 'kept over a restart').to.equal('large-2');
  });

  it('leave no key anywhere but in the vault’s ciphertext', async () => {
    await b.add('a');
    await b.k.rest('PUT', '/llm-agents/claude-code', { connection: 'a', model: 'small-1' });
    await b.k.rest('POST', '/llm-connections/a/test', { model: 'small-1' });
    await b.k.rest('PUT', '/llm-engine', { connection: 'a', model: 'small-1' });
    b.k.services.db.pragma('wal_checkpoint(TRUNCATE)');
    expect(readFileSync(`${b.k.home}/coffer.db`).includes(KEY)).to.equal(false);
    expect(b.settings('claude-code')).not.to.include(KEY);
    for (const at of ['/audit', '/llm-connections', '/resources/llm_connection/a', '/llm-agents'])
      expect(JSON.stringify((await b.k.rest('GET', at)).body), at).not.to.include(KEY);
  });
});
