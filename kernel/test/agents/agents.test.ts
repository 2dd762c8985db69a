import { expect } from 'chai';
import { CofferError, definePlugin, type AgentDirectory, type AgentProvider } from '../../src/index.js';
import { createTestKernel, fakeClock } from '../../src/testing/index.js';

const agent = (key: string, more: Partial<AgentProvider> = {}): AgentProvider => ({
  key,
  displayName: key,
  configSchema: {
    type: 'object',
    additionalProperties: false,
    properties: { size: { type: 'integer', default: 3 }, name: { type: 'string', minLength: 2 } },
  },
  availability: () => ({ available: true }),
  createAdapter: () => {
    throw new Error('not here');
  },
  ...more,
});

describe('agents of plugins', () => {
  it('are seen by every plugin, their configs checked with defaults filled in, and go with their plugin', async () => {
    let seen: AgentDirectory | undefined;
    const strict = agent('strict', {
      checkConfig: (config) => {
        if (config['name'] === 'no') throw new CofferError('AGENT_CONFIG_REJECTED', 'Not that one.');
      },
    });
    const k = await createTestKernel({
      plugins: [
        definePlugin({ name: 'looker', apiVersion: 1, register: (kernel) => void (seen = kernel.agents) }),
        definePlugin({
          name: 'bringer',
          apiVersion: 1,
          register: (kernel) => kernel.tap(kernel.hooks.agents.register, (r) => (r.add(agent('plain')), r.add(strict))),
        }),
      ],
    });
    try {
      expect(seen?.list().map((a) => a.key)).to.deep.equal(['plain', 'strict']);
      const given = { name: 'two' };
      expect(await seen?.accept(agent('x'), given)).to.deep.equal({ name: 'two', size: 3 });
      expect(given, 'what was given stays').to.deep.equal({ name: 'two' });
      const why = async (config: object): Promise<string> =>
        (await seen?.accept(strict, config).then(
          () => 'accepted',
          (e: unknown) => `${(e as CofferError).code} ${(e as CofferError).message}`,
        )) ?? '';
      expect(await why({ name: 'x', size: 'big' })).to.match(
        /AGENT_CONFIG_REJECTED .*size.*name|AGENT_CONFIG_REJECTED .*name.*size/,
      );
      expect(await why({ name: 'no' })).to.equal('AGENT_CONFIG_REJECTED Not that one.');
      expect(await why({ other: 1 }))
        .to.contain('other')
        .and.not.contain('1');
      await k.rest('POST', '/plugins/bringer/disable');
      expect(seen?.list()).to.deep.equal([]);
      expect(seen?.get('plain')).to.equal(undefined);
    } finally {
      await k.stop();
    }
  });
});

describe('an age of a plugin’s own', () => {
  it('is pruned by what the plugin does instead of deleting rows, and counted', async () => {
    const clock = fakeClock();
    const asked: string[] = [];
    const k = await createTestKernel({
      clock,
      plugins: [
        definePlugin({
          name: 'aged',
          apiVersion: 1,
          register: (kernel) =>
            kernel.tap(kernel.hooks.retention.tables, (tables) =>
              tables.add({
                table: 'no_table_at_all',
                timestampColumn: 'at',
                displayName: 'Aged',
                description: 'Things that age.',
                defaultDays: 2,
                prune: (before) => asked.push(before) * 10,
              }),
            ),
        }),
      ],
    });
    try {
      asked.length = 0;
      const { body } = await k.rest('POST', '/retention/prune', { table_name: 'no_table_at_all' });
      expect(body.tables).to.deep.equal({ no_table_at_all: 10 });
      expect(asked).to.deep.equal([new Date(clock.now() - 2 * 86_400_000).toISOString()]);
      await k.rest('PATCH', '/retention/policies/no_table_at_all', { retention_days: null });
      await k.rest('POST', '/retention/prune', {});
      expect(asked, 'kept for ever').to.have.length(1);
    } finally {
      await k.stop();
    }
  });
});
