import { addMessages } from '@coffer/ui';

addMessages('zh', {});
