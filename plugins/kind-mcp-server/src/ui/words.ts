import { addMessages } from '@coffer/ui';

/** Fetched when Chinese is chosen, also by pages of the shell that show servers. What the shell says too is not said again. */
addMessages('zh', {
  'MCP server': 'MCP 服务器',
  'MCP servers': 'MCP 服务器',
  'What your agents can call. One endpoint lends all of them, each under its own name.':
    '你的智能体可以调用的内容。一个入口借出全部服务器，每个都有自己的名称。',
  'Add server': '添加服务器',
  'Add by form': '用表单添加',
  'Find a server': '查找服务器',
  'No server yet': '还没有服务器',
  'Paste the configuration of any client here, or press Add server.': '在此粘贴任何客户端的配置，或点按“添加服务器”。',
  Over: '连接方式',
  'Calls, 24 h': '24 小时调用',

  // Adding
  'Look before adding': '添加前先核对',
  Back: '返回',
  'Add {n} servers': '添加 {n} 台服务器',
  'Your text is kept; nothing was sent to any server.': '你的文本已保留；没有向任何服务器发送内容。',
  'Configuration of any client': '任何客户端的配置',
  'mcpServers, servers or mcp_servers, as JSON or TOML. Secrets become credentials before anything is added.':
    'mcpServers、servers 或 mcp_servers，JSON 或 TOML 均可。添加之前，密文会先存为凭据。',
  'Its tools will be called name__tool.': '它的工具将以“名称__工具”命名。',
  'Give it a name.': '请为它命名。',
  'There is a server of this name already; choose another.': '已有同名服务器，请换一个名称。',
  'There is no server in it.': '其中没有服务器。',
  '{on} of {all} added; one that does not answer takes a while': '已添加 {on}/{all}；没有响应的需要等待一会儿',
  'Nothing is left to add.': '没有要添加的了。',
  'Leave out {name}': '不添加 {name}',
  'As it will run': '将这样运行',
  secret: '密文',
  'kept as {name}': '存为 {name}',
  'Value of {name}': '{name} 的内容',
  'Make it a secret': '设为密文',
  '{name} needs its secret value.': '请填写 {name} 的密文内容。',
  '{n} servers were added': '已添加 {n} 台服务器',
  'A credential {name} is there already. Nothing was added; rename or delete it first.':
    '凭据 {name} 已存在。没有添加任何内容；请先将它改名或删除。',

  // One server
  'HTTP server': 'HTTP 服务器',
  'Local program': '本地程序',
  'Check now': '立即检查',
  '{on} of {all}': '{on}/{all}',
  Overview: '概览',
  Prompts: '提示词',
  '{name} answered in {n} ms': '{name} 在 {n} 毫秒内作答',
  'It did not answer.': '它没有作答。',
  Where: '位置',
  'It calls itself': '它自称',
  Protocol: '协议',
  Speaks: '支持的版本',
  '2026-07-28, where each request stands alone': '2026-07-28，每个请求各自独立',
  'versions up to 2025-11-25, in sessions': '2025-11-25 及更早版本，使用会话',
  'looked at {time}': '{time} 检测',
  Asked: '最近询问',
  Added: '添加时间',
  'Nothing was written': '没有输出',
  'What a local program writes to its error output appears here.': '本地程序写入错误输出的内容会显示在这里。',
  Arguments: '参数',
  'It offers no resources': '它不提供资源',
  'It offers no prompts': '它不提供提示词',
  'It offers no tools': '它不提供工具',
  'This is what the server said when it was last asked.': '这是上次询问时服务器的回答。',
  Tool: '工具',
  Try: '试用',
  'Try {name}': '试用 {name}',
  'Find in {n} tools': '在 {n} 个工具中查找',
  '{name} is off for every client': '{name} 已对所有客户端关闭',

  // Trying
  'Try it': '试一试',
  'It is switched off, so the call will be refused as it would be for a client.':
    '它已关闭，因此调用会像客户端调用时一样被拒绝。',
  Stop: '停止',
  Call: '调用',
  'The call is in Activity with its time and outcome. What you sent and got is not kept.':
    '“动态”会记录这次调用的时间和结果，但不保留你发送和收到的内容。',
  'Stopped.': '已停止。',

  // Searching
  'Tool search': '工具搜索',
  'Ask as an agent would; see what it would find.': '像智能体那样提问，看看它会找到什么。',
  'What should be done?': '要做什么？',
  'seen as': '查看身份',
  'a client without a name': '没有名称的客户端',
  Search: '搜索',
  'Nothing asked yet': '还没有提问',
  'Words of any order; names of tools and their descriptions are searched.': '词语顺序不限；会搜索工具的名称和说明。',
  Found: '找到的工具',
  '{n} of {all} tools that it may see': '它能看到的 {all} 个工具中的 {n} 个',
  'Tools that are switched off or out of scope were not searched.': '已关闭或不在可见范围内的工具不会被搜索。',

  // The settings of a server, as its schema words them
  Transport: '传输方式',
  'How the server is reached.': '如何连接到服务器。',
  'Local program (stdio)': '本地程序 (stdio)',
  'The program to start: a name on the PATH, or a path.': '要启动的程序：PATH 中的名称，或一个路径。',
  'One entry for each argument. No shell is involved.': '每个参数一项。不经过 shell。',
  Environment: '环境变量',
  'Variables of the program, besides a short list that every program gets. No secrets here.':
    '程序的环境变量；每个程序还会得到少量通用变量。请勿在此填写密文。',
  'Secret environment': '密文环境变量',
  'Variables filled from credentials: the variable and the name of the credential.':
    '由凭据填入的环境变量：变量名和凭据名称。',
  'Working directory': '工作目录',
  'Where the program starts; the home directory when empty.': '程序启动的位置；留空则为主目录。',
  'Remote server (HTTP)': '远程服务器 (HTTP)',
  'Its http or https address. Streamable HTTP is tried first, then the older HTTP+SSE.':
    '它的 http 或 https 地址。先尝试 Streamable HTTP，再尝试较旧的 HTTP+SSE。',
  Headers: '请求头',
  'Headers sent with each request. No secrets here.': '随每个请求发送的请求头。请勿在此填写密文。',
  'Secret headers': '密文请求头',
  'Headers filled from credentials: the header and the name of the credential that holds its whole value.':
    '由凭据填入的请求头：请求头名，以及保存其完整内容的凭据名称。',
  'Enable new capabilities': '启用新能力',
  'Tools, prompts and resources seen for the first time are on. Switch off to approve each one.':
    '首次出现的工具、提示词和资源默认开启。关闭此项则需逐个批准。',
  'Start limit (seconds)': '启动时限（秒）',
  'How long the server may take to start and shake hands.': '服务器启动并完成握手的最长时间。',
  'Call limit (seconds)': '调用时限（秒）',
  'How long a call may be silent; progress starts it anew, a question to you stops it.':
    '调用可以多久没有动静；有进度时重新计时，向你提问时停止计时。',
  'Idle limit (seconds)': '空闲时限（秒）',
  'An unused server is stopped after this and started again when needed.':
    '超过此时间未使用的服务器会停止，需要时再启动。',
  'Message limit (MiB)': '消息上限 (MiB)',
  'The largest single message taken from the server.': '从服务器接收的单条消息的最大大小。',

  // Changes in the audit
  'mcp runner installed': '安装了启动器',
  'capability first seen': '首次发现能力',
  'capability changed': '能力已更改',
  'capability enabled': '开启了能力',
  'capability disabled': '关闭了能力',
  '{server} · switched off': '{server} · 已关闭',
  Read: '阅读',
  Get: '获取',
  'Calls by hour': '每小时调用次数',
});
