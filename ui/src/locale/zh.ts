import { addMessages } from '../kit/core/i18n.js';

addMessages('zh', {});
