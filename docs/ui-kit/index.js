import { definePlugin } from '@coffer/kernel';

// It adds a page and nothing else.
export default definePlugin({ name: 'ui-kit', apiVersion: 1, register() {} });
