import { addMessages } from '@coffer/ui';

addMessages('zh', {
  '{server} · switched off': '{server} · 已关闭',
  Read: '读取',
  Get: '获取',
  'Calls by hour': '每小时调用次数',
});
