import { addMessages } from '../kit/core/i18n.js';
import { daemon } from './zh/daemon.js';
import { kit } from './zh/kit.js';
import { pages } from './zh/pages.js';
import { resource } from './zh/resource.js';
import { shell } from './zh/shell.js';

/** A chunk of its own, fetched when Chinese is chosen. test/ui/words.test.ts holds it to what the sources say. */
addMessages('zh', { ...shell, ...kit, ...resource, ...pages, ...daemon });
