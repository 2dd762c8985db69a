import { addMessages } from '@coffer/ui';

/** Fetched when Chinese is chosen, also by pages of the shell that show stores. What the shell says too is not said again. */
addMessages('zh', {
  Memory: '记忆',
  'Memory store': '记忆库',
  'What your agents have learnt, in files you can read, edit and take back.':
    '你的智能体学到的东西，保存在可以阅读、编辑和撤回的文件里。',
  'New fact': '新建事实',
  Stores: '记忆库',
  Everywhere: '全局',
  'Find in facts': '在事实中查找',
  'Nothing was remembered yet': '还没有记住任何内容',
  'Agents keep facts with coffer__remember; you can write one yourself.':
    '智能体用 coffer__remember 记录事实；你也可以自己写一条。',
  'Other words may; parts of words are found too.': '换个词试试；词的一部分也能找到。',
  'Choose a fact': '选择一条事实',
  'It opens here to be read and changed.': '它会在这里打开，可以阅读和修改。',
  Fact: '事实',
  Forget: '忘记',
  'Forget {name}?': '忘记“{name}”？',
  'Its file is removed. A backup still has it.': '它的文件会被删除；备份中仍然保留。',
  Forgotten: '已忘记',
  Remembered: '已记住',
  Moved: '已移动',
  'Move to…': '移动到…',
  'It was changed meanwhile, by an agent or in an editor. What it says now is below; save again to replace it.':
    '它在此期间被智能体或编辑器修改过。现在的内容如下；再次保存将替换它。',
  'First written': '首次写入',
  'Last changed': '最后修改',
  'in an editor': '在编辑器中',
  you: '你',
  '{time}, by {who}': '{time}，{who}',
  'in the file': '文件中',
  here: '这里',
  Rules: '规则',
  'What every session here starts with. Write what an agent must know before it does anything.':
    '这里的每个会话都从它开始。写下智能体在做任何事之前必须知道的内容。',
  'What is to be remembered?': '要记住什么？',
  'One fact, in sentences that stand alone.': '一条事实，用能独立成立的句子。',

  // The settings of a store, as its schema words them
  'What the store is shown as': '记忆库显示的名称',
  Project: '项目',
  'The remote its repository came from, or the path where it has none': '其代码仓库的远程地址；没有远程地址时为路径',
  'Length of a fact': '单条事实的长度',
  'The most characters of one fact; what is longer belongs in a knowledge base':
    '单条事实的最多字符数；更长的内容应放进知识库',

  // Changes in the audit
  'memory added': '记住了事实',
  'memory updated': '更改了事实',
  'memory deleted': '忘记了事实',
  'memory moved': '移动了事实',
  'memory cleared': '清空了记忆',
  'memory rules set': '更改了规则',
  'memory context told': '告知了上下文',
  'handoff set': '写下了交接内容',
});
