import { acceptance, startDaemon, type Ran, type RealDaemon } from '@coffer/testing';
import { expect } from 'chai';
import { standIn, type StandIn } from '../../plugins/kind-llm-connection/test/stand-in.js';
import { addTwoModels, type TwoModels } from '../two-models.js';

const KEY = 'sk-line-a1b2c3d4';

describe('LLM connections from the command line', function () {
  this.timeout(60_000);
  let daemon: RealDaemon;
  let models: TwoModels;
  let endpoint: StandIn;
  beforeEach(async () => {
    daemon = await startDaemon();
    models = await addTwoModels(daemon);
    endpoint = await standIn();
  });
  afterEach(async () => {
    await daemon?.stop();
    await endpoint?.close();
    models?.done();
  });
  const coffer = (...args: string[]): Promise<Ran> => daemon.cli(args);
  const add = (...args: string[]): Promise<Ran> => daemon.cli(['llm', 'add', ...args], { input: `${KEY}\n` });
  const json = async (...args: string[]): Promise<any> => JSON.parse((await coffer(...args, '--json')).stdout); // eslint-disable-line @typescript-eslint/no-explicit-any -- answers of every shape

  acceptance('011-llm-connections', 'the command line covers create, list, and switch', async () => {
    expect((await coffer('llm', 'list')).stdout).to.include('coffer llm add NAME --preset anthropic');
    expect((await json('llm', 'presets')).presets).to.have.length.above(5);
    expect((await add('a')).code, 'neither preset nor address').to.equal(2);
    expect((await add('a', '--preset', 'nope')).stderr).to.include('There are: anthropic, openai');
    expect((await add('a', '--preset', 'anthropic', '--base-url', endpoint.url)).code).to.equal(0);
    expect((await add('b', '--protocol', 'openai', '--base-url', endpoint.url, '--wire', 'chat')).code).to.equal(0);
    expect((await add('a', '--preset', 'anthropic')).code).to.equal(5);
    expect((await add('c', '--protocol', 'smtp', '--base-url', endpoint.url)).code).to.equal(6);
    expect((await coffer('llm', 'add', 'local', '--preset', 'ollama', '--base-url', endpoint.url)).code).to.equal(0);

    const list = await coffer('llm', 'list');
    expect(list.stdout)
      .to.match(/a +anthropic +http/)
      .and.match(/b +openai, chat/);
    expect((await json('llm', 'show', 'a')).credential_ref).to.equal('llm/a/key');
    expect((await coffer('llm', 'show', 'nope')).code).to.equal(4);

    expect((await coffer('llm', 'models', 'a')).stdout).to.equal('large-2\nsmall-1\n');
    expect((await coffer('llm', 'test', 'a', '--model', 'small-1')).stdout).to.include('The model answers.');
    endpoint.answer = () => ({ status: 401, body: { error: { message: `bad ${KEY}` } } });
    const failed = await coffer('llm', 'test', 'a');
    expect([failed.code, failed.stderr]).to.satisfy(
      ([c, e]: [number, string]) => c === 7 && e.includes('It refuses the key (401). It says: bad …'),
    );
    const refused = await coffer('llm', 'use', 'claude-code', 'a');
    expect([refused.code, refused.stderr]).to.satisfy(
      ([c, e]: [number, string]) => c === 7 && e.includes('Nothing was switched'),
    );
    endpoint.answer = () => undefined;

    const before = models.settings('claude-code');
    const dry = await coffer('llm', 'use', 'claude-code', 'a', '--model', 'small-1', '--dry-run');
    expect(dry.stdout).to.include('"model": "small-1"');
    expect(models.settings('claude-code')).to.equal(before);
    expect((await coffer('llm', 'use', 'claude-code', 'a', '--model', 'small-1')).code).to.equal(0);
    expect(models.settings('claude-code')).to.include('"mine": true').and.include(endpoint.url);
    expect((await coffer('llm', 'use', 'codex', 'a')).code, 'does not fit').to.equal(6);
    expect((await json('llm', 'activate', 'b')).activated).to.deep.equal(['codex']);
    expect((await coffer('llm', 'agents')).stdout).to.match(/claude-code +a +small-1 +a/);
    expect((await coffer('llm', 'key', '--agent', 'claude-code')).stdout).to.equal(`${KEY}\n`);
    expect((await coffer('llm', 'key')).code).to.equal(2);
    expect((await coffer('llm', 'remove', 'a', '--force')).code, 'in use').to.equal(5);

    expect((await coffer('llm', 'use', 'claude-code', '--built-in')).code).to.equal(0);
    expect(models.settings('claude-code')).to.equal(before);
    expect((await coffer('llm', 'engine')).stdout).to.include('runs on nothing');
    expect((await coffer('llm', 'engine', 'a')).code, 'a model is needed').to.equal(2);
    expect((await coffer('llm', 'engine', 'a', '--model', 'small-1')).stdout).to.include('runs on a, small-1');
    expect((await json('llm', 'engine', '--off')).connection).to.equal(null);
    expect((await daemon.cli(['llm', 'update', 'a', '--key'], { input: 'sk-other\n' })).code).to.equal(0);
    expect((await coffer('llm', 'key', '--connection', 'a')).stdout).to.equal('sk-other\n');
    expect((await coffer('llm', 'update', 'a', '--agents', 'codex, claude_code')).code).to.equal(0);
    expect((await json('llm', 'show', 'a')).fits).to.deep.equal(['claude-code', 'codex']);
    expect((await coffer('llm', 'remove', 'a')).code, 'asks, and nobody is there').to.not.equal(0);
    expect((await coffer('llm', 'remove', 'a', '--force')).code).to.equal(0);
    expect(daemon.files().filter((f) => f.includes(KEY) || f.includes('sk-other'))).to.deep.equal([]);
  });
});
