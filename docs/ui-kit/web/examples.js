/** All examples, in the order of the page. A function here is what docs/ui-kit.md shows, so it is written to be read. */
import { BASICS } from './basics.js';
import { DATA } from './data.js';
import { FORMS } from './forms.js';
import { LAYOUT } from './layout.js';
import { RESOURCES } from './resources.js';

export const EXAMPLES = [...BASICS, ...LAYOUT, ...DATA, ...FORMS, ...RESOURCES];
