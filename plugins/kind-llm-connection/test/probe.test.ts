import { expect } from 'chai';
import type { Obj } from '@coffer/kernel';
import { acceptance } from '@coffer/testing';
import { saidBy } from '../src/probe/ask.js';
import { bench, KEY, type Bench } from './support.js';
import type { Reply } from './stand-in.js';

const SPEC = '011-llm-connections';

describe('testing a connection', () => {
  let b: Bench;
  beforeEach(async () => (b = await bench()));
  afterEach(() => b.stop());

  const answering = (reply: Reply): void => void (b.endpoint.answer = () => reply);
  const test = async (name: string, body: Obj = {}): Promise<Obj> => {
    const answer = await b.k.rest('POST', `/llm-connections/${name}/test`, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    expect(JSON.stringify(answer.body)).not.to.include(KEY);
    return answer.body as Obj;
  };

  for (const [protocol, extra, path] of [
    ['anthropic', {}, '/v1/messages'],
    ['openai', { wire_api: 'responses' }, '/responses'],
    ['openai', { wire_api: 'chat' }, '/chat/completions'],
    ['ollama', {}, '/api/chat'],
  ] as const)
    it(`asks a model the way ${protocol}${path} wants it, with the key where there is one`, async () => {
      await b.add('a', { protocol, ...extra });
      expect(await test('a', { model: 'small-1' })).to.include({ ok: true, message: 'The model answers.' });
      const [asked] = b.endpoint.asked;
      expect(asked?.path).to.equal(path);
      expect(asked?.body).to.include({ model: 'small-1' });
      expect(asked?.headers.authorization).to.equal(protocol === 'ollama' ? undefined : `Bearer ${KEY}`);
      expect(asked?.headers['x-api-key']).to.equal(protocol === 'anthropic' ? KEY : undefined);
      expect((await b.k.rest('GET', '/llm-connections/a')).body.last_test).to.include({ ok: true });
    });

  it('without a model asks for the list', async () => {
    await b.add('a', { protocol: 'ollama' });
    expect(await test('a')).to.deep.include({
      ok: true,
      message: 'It answers, and has 2 models.',
      models: ['large-2', 'small-1'],
    });
  });

  it('finds its way at an endpoint of unknown kind, and says what came furthest', async () => {
    await b.add('a', { protocol: 'unknown', wire_api: 'chat' });
    b.endpoint.answer = ({ path }) => (path.startsWith('/v1/messages') ? undefined : { status: 404, body: {} });
    expect(await test('a', { model: 'm' })).to.include({ ok: true });
    b.endpoint.answer = ({ path }) => (path.startsWith('/v1') ? { status: 401, body: {} } : { status: 404, body: {} });
    expect(await test('a', { model: 'm' })).to.include({ ok: false, message: 'It refuses the key (401).' });
  });

  for (const [what, reply, words] of [
    [
      'a wrong key',
      { status: 401, body: { error: { message: 'invalid x-api-key' } } },
      'It refuses the key (401). It says: invalid x-api-key',
    ],
    [
      'too many requests',
      { status: 429, body: { error: 'slow down' } },
      'It asks to wait: too many requests, or no credit left (429). It says: slow down',
    ],
    ['a fault', { status: 503, body: 'no' }, 'It has a fault of its own (503).'],
    [
      'a model that is not there',
      { status: 404, body: { error: { message: 'model: m' } } },
      'It does not know that address or model (404). It says: model: m',
    ],
    [
      'a web page',
      { body: '<!doctype html><title>Sign in</title>' },
      'It answers with a web page instead of JSON: perhaps a login page, or the address lacks /v1.',
    ],
    ['no JSON', { body: 'hello' }, 'It answers, but not with a JSON object: this is no model endpoint.'],
    ['any JSON', { body: { hello: 1 } }, 'It answers, but not as a model does: is the protocol right?'],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://login.example/?a=b' } },
      'It sends on to https://login.example. Use the address that it really has.',
    ],
    [
      'too much',
      { body: 'x'.repeat(5 * 1_048_576) },
      'It answers with more than 4 MiB, which is no answer to that question.',
    ],
  ] as const)
    it(`says in words what is wrong: ${what}`, async () => {
      await b.add('a');
      answering(reply);
      expect((await test('a', { model: 'm' }))['message']).to.equal(words);
      const { body } = await b.k.rest('GET', '/resources/llm_connection/a/status');
      expect(body).to.include({ status: 'failing', reason: words });
    });

  it('says so when it hangs up or nobody listens', async () => {
    await b.add('a');
    answering({ hangUp: true });
    expect((await test('a', { model: 'm' }))['message']).to.match(/hung up before it answered\.$/);
    const { url } = b.endpoint;
    await b.endpoint.close();
    expect((await test('a', { model: 'm' }))['message']).to.equal(`Nothing listens at ${new URL(url).host}.`);
  });

  acceptance(SPEC, 'test or fetch models with an inline unsaved secret', async () => {
    const draft = { protocol: 'openai', base_url: b.endpoint.url, secret_value: KEY };
    const models = await b.k.rest('POST', '/llm-connections/models', draft);
    expect(models.body).to.deep.equal({ models: ['large-2', 'small-1'], message: null });
    const tested = await b.k.rest('POST', '/llm-connections/test', { ...draft, model: 'small-1' });
    expect(tested.body).to.include({ ok: true });
    expect(b.endpoint.asked.map((a) => a.headers.authorization)).to.deep.equal([`Bearer ${KEY}`, `Bearer ${KEY}`]);
    expect((await b.k.rest('GET', '/llm-connections')).body.connections).to.deep.equal([]);
    expect((await b.k.rest('GET', '/credentials')).body.credentials).to.deep.equal([]);
    answering({ status: 500 });
    expect((await b.k.rest('POST', '/llm-connections/models', draft)).body).to.deep.equal({
      models: [],
      message: 'It has a fault of its own (500).',
    });
  });

  it('passes on what an endpoint says without what looks like a key', () => {
    const said = (message: string): string => saidBy({ error: { message } }, KEY);
    expect(said(`wrong ${KEY}!`)).to.equal('wrong …!');
    expect(said('Incorrect API key provided: sk-proj-********abcd. See (***hidden***)')).to.equal(
      'Incorrect API key provided: … See (…)',
    );
    expect(said('token_abcdefghijkl is bad')).to.equal('… is bad');
    expect(said('a\nb\u001b[31m c')).to.equal('a b [31m c');
    expect(said('x'.repeat(1000))).to.have.length(301);
    expect(saidBy({ error: { message: { deep: 1 } } }, KEY)).to.equal('');
  });
});
