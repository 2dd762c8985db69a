import { api, messageOf, resourcePath, stores, t, toast, type Resource } from '../kit/index.js';

function show({ ref }: Resource, on: boolean): void {
  const { resources } = stores;
  resources.value = resources.value?.map((r) => (r.ref === ref ? { ...r, enabled: on } : r));
  resources.changed();
}

/**
 * Switches a resource of any kind, from where there is no switch to see: at once on screen, told by a toast that can take it back.
 * After a refusal the server's own state is shown again and the toast says why.
 */
export async function throwSwitch(r: Resource, on: boolean): Promise<void> {
  show(r, on);
  try {
    await api.post(`${resourcePath(r.kind, r.name)}/${on ? 'enable' : 'disable'}`);
    toast(
      on ? t('{name} is on', { name: r.name }) : t('{name} is off', { name: r.name }),
      () => void throwSwitch(r, !on),
    );
  } catch (e) {
    // Without an answer the store cannot be read either: then what was before is the best that is known.
    show(r, !on);
    toast(
      on
        ? t('{name} stays off: {why}', { name: r.name, why: messageOf(e) })
        : t('{name} stays on: {why}', { name: r.name, why: messageOf(e) }),
    );
    await stores.resources.load();
  }
}
