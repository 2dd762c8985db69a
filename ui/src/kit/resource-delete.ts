import { api, messageOf } from './core/api.js';
import { t } from './core/i18n.js';
import { confirm, toast } from './core/notify.js';
import { resources } from './core/stores.js';
import type { Kind } from './core/types.js';
import { resourcePath } from './resource-data.js';

/**
 * Deletes a resource. Where the daemon can take it back it is done at once and the toast offers Undo: the daemon keeps the row and
 * what its plugin dropped, so nothing is written anew from what a page happened to know. Elsewhere the person is asked first.
 * `gone` runs when it is deleted.
 */
export async function deleteResource(kind: Kind | undefined, path: [string, string], gone: () => void): Promise<void> {
  const [, name] = path;
  const at = resourcePath(...path);
  const restorable = kind?.deletion === 'restorable';
  if (
    !restorable &&
    !(await confirm({
      title: t('Delete {name}?', { name }),
      text: t('Its settings and its scope go. Its history and its calls stay in Activity; credentials stay too.'),
      verb: t('Delete'),
      danger: true,
    }))
  )
    return;
  try {
    await api.delete(at);
    await resources.load();
    gone();
    toast(t('{name} was deleted', { name }), restorable ? () => void takeBack(at, name) : undefined);
  } catch (e) {
    toast(messageOf(e));
  }
}

async function takeBack(at: string, name: string): Promise<void> {
  try {
    await api.post(`${at}/restore`);
    await resources.load();
    toast(t('{name} is back', { name }));
  } catch (e) {
    toast(messageOf(e));
  }
}
