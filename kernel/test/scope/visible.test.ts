import { expect } from 'chai';
import { notes } from '../support/notes.js';
import { plugin, workshop } from '../support/kernels.js';

describe('who may see a resource', () => {
  const make = workshop();

  it('is set, shown and audited by REST, and decides what a viewpoint lists', async () => {
    const k = await make.kernel({ plugins: [notes] });
    const here = k.services.machines.here;
    for (const name of ['all', 'elsewhere', 'for-a'])
      await k.rest('POST', '/resources', { kind: 'note', name, config: { text: 'x' } });
    await k.rest('PUT', '/resources/note/elsewhere/scope', { scope: { another: '*' } });
    const set = await k.rest('PUT', '/resources/note/for-a/scope', { scope: { [here]: ['a'] } });
    expect(set.body.scope).to.deep.equal({ [here]: ['a'] });
    expect((await k.rest('GET', '/resources/note/for-a/scope')).body).to.deep.equal({
      scope: { [here]: ['a'] },
      axes: ['machine', 'agent'],
    });
    const listed = (agent: string | null): string[] =>
      k.services.resources.list('note', { visibleTo: { machine: here, agent } }).map((r) => r.name);
    expect(listed('a')).to.deep.equal(['all', 'for-a']);
    expect(listed('b')).to.deep.equal(['all']);
    expect(listed(null)).to.deep.equal(['all']);
    expect((await k.rest('GET', '/resources')).body.resources).to.have.length(3);
    await k.rest('POST', '/resources/note/all/disable');
    expect(listed('a')).to.deep.equal(['for-a']);
    const [row] = (await k.rest('GET', '/audit?name=for-a')).body.entries;
    expect(row.details).to.deep.equal({ before: { scope: null }, after: { scope: { [here]: ['a'] } } });
  });

  it('a wrong scope changes nothing', async () => {
    const k = await make.kernel({ plugins: [notes] });
    await k.rest('POST', '/resources', { kind: 'note', name: 'a', config: { text: 'x' } });
    const { status, body } = await k.rest('PUT', '/resources/note/a/scope', { scope: { '*': 'everyone' } });
    expect([status, body.error.code]).to.deep.equal([422, 'SCOPE_INVALID']);
    expect((await k.rest('GET', '/resources/note/a')).body.scope).to.equal(null);
  });

  it('a third axis hides too, and hides all when it fails', async () => {
    let broken = false;
    const axis = plugin('axis', (k) =>
      k.tap(k.hooks.scope.visible, (r) => {
        if (broken) throw new Error('x');
        return r.name === 'hidden' ? { axis: 'moon' } : undefined;
      }),
    );
    const k = await make.kernel({ plugins: [notes, axis] });
    for (const name of ['hidden', 'shown'])
      await k.rest('POST', '/resources', { kind: 'note', name, config: { text: 'x' } });
    const from = { machine: k.services.machines.here, agent: null };
    const axisOf = (name: string): string | undefined =>
      k.services.hidden(k.services.resources.get('note', name), from)?.axis;
    expect([axisOf('hidden'), axisOf('shown')]).to.deep.equal(['moon', undefined]);
    broken = true;
    expect(axisOf('shown')).to.equal('error');
  });

  it('this machine has an id that stays and a name that may change', async () => {
    const home = make.folder();
    const first = await make.kernel({ home });
    const [m] = (await first.rest('GET', '/machines')).body.machines;
    expect(m).to.deep.include({ this_machine: true });
    expect(m.id).to.match(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    const renamed = await first.rest('PATCH', `/machines/${m.id}`, { display_name: 'desk' });
    expect(renamed.body).to.deep.equal({ id: m.id, display_name: 'desk', this_machine: true });
    expect((await first.rest('PATCH', '/machines/ghost', { display_name: 'x' })).body.error.code).to.equal(
      'MACHINE_NOT_FOUND',
    );
    await first.stop({ keep: true });
    const k = await make.kernel({ home });
    expect((await k.rest('GET', '/machines')).body.machines).to.deep.equal([
      { id: m.id, display_name: 'desk', this_machine: true },
    ]);
  });
});
