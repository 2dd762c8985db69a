import { expect } from 'chai';
import type { Kernel, Plugin } from '../../src/plugin/contract.js';
import { fakeClock } from '../../src/testing/clock.js';
import type { TestKernel } from '../../src/testing/index.js';
import { plugin, workshop } from '../support/kernels.js';
import { NOTE, notes } from '../support/notes.js';

const AT = '/resources/note/a';

describe('a deletion', () => {
  const make = workshop();
  const restorable = (more: (v: Kernel) => void = () => undefined): Plugin =>
    plugin('kind-note', (v) => {
      v.kinds.define({ ...NOTE, deletion: 'restorable' });
      more(v);
    });
  const filled = async (k: TestKernel): Promise<void> => {
    await k.rest('POST', '/credentials', { ref: 'a/key', value: 'v' });
    const config = { text: 'hi', key: 'a/key', secret: 's3cret' };
    await k.rest('POST', '/resources', { kind: 'note', name: 'a', description: 'first', config });
    await k.rest('PUT', `${AT}/scope`, { scope: { '*': ['robot'] } });
    await k.rest('POST', `${AT}/disable`);
  };
  const refusal = async (k: TestKernel): Promise<unknown> => {
    const { status, body } = await k.rest('POST', `${AT}/restore`);
    return status < 400 ? status : body.error.code;
  };

  it('is taken back whole: config, description, switch, scope and birthday; it is logged and told', async () => {
    const clock = fakeClock();
    const k = await make.kernel({ plugins: [restorable()], clock });
    await filled(k);
    const before = (await k.rest('GET', AT)).body;
    await clock.advance(1000);
    await k.rest('DELETE', AT);
    const told: unknown[] = [];
    k.services.live.listen((e) => void (e.type === 'resource' && told.push(e.action)));
    const { status, body } = await k.rest('POST', `${AT}/restore`, {}, { 'X-Coffer-Actor': 'ui' });
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ...before, updated_at: body.updated_at });
    expect(body.updated_at, 'an old reading is not taken for this one').to.not.equal(before.updated_at);
    expect(told).to.deep.equal(['created']);
    const [entry] = (await k.rest('GET', '/audit?kind=note&limit=1')).body.entries;
    expect(entry).to.deep.include({ event_type: 'resource_restored', resource_name: 'a', actor: 'ui' });
    expect(JSON.stringify(entry)).to.not.include('s3cret');
    expect(await refusal(k), 'twice').to.equal('RESOURCE_ALREADY_EXISTS');
  });

  it('is taken back with what plugins dropped, before they hear that it is there', async () => {
    const seen: string[] = [];
    const k = await make.kernel({
      plugins: [
        restorable((v) => {
          v.tap(v.hooks.resource.deleted.for('note'), (r, undo) => {
            seen.push(`drop ${r.name}`);
            undo.putBack(async () => {
              await Promise.resolve();
              seen.push(`put back ${v.resources.get('note', r.name).name}`);
            });
          });
          v.tap(v.hooks.resource.created.for('note'), (r) => void seen.push(`created ${r.enabled}`));
        }),
      ],
    });
    await filled(k);
    await k.rest('DELETE', AT);
    expect(await refusal(k)).to.equal(200);
    expect(seen).to.deep.equal(['created true', 'drop a', 'put back a', 'created false']);
  });

  it('that a plugin cannot undo wholly leaves the resource there, and everyone hears of it', async () => {
    const seen: string[] = [];
    const k = await make.kernel({
      plugins: [
        restorable((v) => {
          v.tap(v.hooks.resource.deleted.for('note'), (_r, undo) =>
            undo.putBack(() => {
              throw new Error('no luck');
            }),
          );
          v.tap(v.hooks.resource.created.for('note'), () => void seen.push('created'));
        }),
      ],
    });
    await filled(k);
    await k.rest('DELETE', AT);
    expect(await refusal(k)).to.equal('INTERNAL_ERROR');
    expect((await k.rest('GET', AT)).status).to.equal(200);
    expect(seen).to.deep.equal(['created', 'created']);
  });

  it('is for good where the kind does not say otherwise, and for what was never there', async () => {
    const k = await make.kernel({ plugins: [notes] });
    await filled(k);
    await k.rest('DELETE', AT);
    expect(await refusal(k)).to.equal('RESOURCE_NOT_FOUND');
    expect((await k.rest('POST', '/resources/note/never/restore')).body.error.code).to.equal('RESOURCE_NOT_FOUND');
    expect((await k.rest('POST', '/resources/none/a/restore')).body.error.code).to.equal('UNKNOWN_KIND');
    const kinds = (await k.rest('GET', '/kinds')).body.kinds as { deletion: string }[];
    expect(kinds.map((x) => x.deletion)).to.deep.equal(['final']);
  });

  it('is for good after five minutes, after a restart of its plugin, and when the name was given anew', async () => {
    const clock = fakeClock();
    const k = await make.kernel({ plugins: [restorable()], clock });
    await filled(k);
    await k.rest('DELETE', AT);
    await clock.advance(5 * 60_000 - 1);
    expect(await refusal(k)).to.equal(200);
    await k.rest('DELETE', AT);
    await clock.advance(5 * 60_000);
    expect(await refusal(k)).to.equal('RESOURCE_NOT_FOUND');

    await filled(k);
    await k.rest('DELETE', AT);
    await k.rest('POST', '/plugins/kind-note/disable');
    expect(await refusal(k)).to.equal('UNKNOWN_KIND');
    await k.rest('POST', '/plugins/kind-note/enable');
    expect(await refusal(k)).to.equal('RESOURCE_NOT_FOUND');

    await filled(k);
    await k.rest('DELETE', AT);
    await k.rest('POST', '/resources', { kind: 'note', name: 'a', config: { text: 'another' } });
    expect(await refusal(k)).to.equal('RESOURCE_ALREADY_EXISTS');
    await k.rest('DELETE', AT);
    expect(await refusal(k)).to.equal(200);
    expect((await k.rest('GET', AT)).body.config).to.have.property('text', 'another');
  });

  it('is taken back under the rules of now, and can be once they hold', async () => {
    let refused = false;
    const k = await make.kernel({
      plugins: [
        restorable((v) =>
          v.tap(v.hooks.resource.validating.for('note'), () => {
            if (refused) throw new Error('not now');
          }),
        ),
      ],
    });
    await filled(k);
    await k.rest('DELETE', AT);
    refused = true;
    expect(await refusal(k)).to.not.equal(200);
    expect((await k.rest('GET', AT)).status, 'nothing was written').to.equal(404);
    refused = false;
    await k.rest('DELETE', '/credentials/a%2Fkey');
    expect(await refusal(k)).to.equal('CREDENTIAL_MISSING');
    await k.rest('POST', '/credentials', { ref: 'a/key', value: 'v' });
    expect(await refusal(k)).to.equal(200);
  });
});
