import { isObj, type Obj } from '@coffer/kernel';

/** Something about a server that its owner should know; nothing that stops it from being used. */
export interface Finding {
  kind: 'long_name' | 'repaired_schema' | 'hidden_tool' | 'duplicate_name' | 'endless_list';
  capability_key?: string;
  message: string;
}

/** The longest tool name the usual clients take, and what one of them puts before a name of ours. */
const NAME_LIMIT = 64;
const CLIENT_PREFIX = 'mcp__coffer__';

/**
 * The tools a client can be shown. A schema without a type gets one, since it can only be an object; a tool that no client could
 * take is left out, or it would take the whole list with it. Sound tools pass untouched.
 */
export function soundTools(server: string, tools: readonly Obj[]): { items: Obj[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const names = new Set<string>();
  const items: Obj[] = [];
  for (const tool of tools) {
    const name: unknown = tool.name;
    if (typeof name !== 'string' || name === '') {
      findings.push({ kind: 'hidden_tool', message: 'A tool without a name is left out' });
      continue;
    }
    if (names.has(name)) {
      findings.push({
        kind: 'duplicate_name',
        capability_key: name,
        message: `${name} is listed twice; only the first is shown`,
      });
      continue;
    }
    names.add(name);
    const sound = repaired(tool, name, findings);
    if (sound === undefined) continue;
    items.push(sound);
    const length = CLIENT_PREFIX.length + server.length + 2 + name.length;
    if (length > NAME_LIMIT) findings.push(tooLong(server, name, length));
  }
  return { items, findings };
}

/** The tools that can be called over their connection; `unusable` says why one cannot. */
export function usableTools(
  tools: readonly Obj[],
  unusable: (tool: string) => string | undefined,
): { items: readonly Obj[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const items = tools.filter((tool) => {
    const name: unknown = tool.name;
    const reason = typeof name === 'string' ? unusable(name) : undefined;
    if (reason === undefined) return true;
    findings.push({
      kind: 'hidden_tool',
      capability_key: String(name),
      message: `${String(name)} is left out: ${reason}`,
    });
    return false;
  });
  return { items: findings.length > 0 ? items : tools, findings };
}

function repaired(tool: Obj, name: string, findings: Finding[]): Obj | undefined {
  const input: unknown = tool.inputSchema;
  if (input !== undefined && input !== null && !isObj(input)) {
    findings.push({
      kind: 'hidden_tool',
      capability_key: name,
      message: `${name} is left out: its inputSchema is no JSON Schema`,
    });
    return undefined;
  }
  const type: unknown = isObj(input) ? input.type : undefined;
  if (type !== undefined && type !== 'object') {
    findings.push({
      kind: 'hidden_tool',
      capability_key: name,
      message: `${name} is left out: its inputSchema does not describe an object`,
    });
    return undefined;
  }
  let sound = tool;
  if (type === undefined) {
    findings.push({
      kind: 'repaired_schema',
      capability_key: name,
      message: `${name}: its inputSchema has no type; it is shown with type object`,
    });
    sound = { ...sound, inputSchema: { ...input, type: 'object' } };
  }
  if (tool.outputSchema !== undefined && (!isObj(tool.outputSchema) || tool.outputSchema.type !== 'object')) {
    findings.push({
      kind: 'repaired_schema',
      capability_key: name,
      message: `${name}: its outputSchema does not describe an object and is not shown`,
    });
    const { outputSchema: _, ...rest } = sound;
    sound = rest;
  }
  return sound;
}

function tooLong(server: string, name: string, length: number): Finding {
  const room = NAME_LIMIT - CLIENT_PREFIX.length - 2 - name.length;
  const advice =
    room > 0 ? `a server name of at most ${room} characters would do` : 'no server name is short enough for it';
  return {
    kind: 'long_name',
    capability_key: name,
    message: `${server}__${name} has ${length} characters with the prefix of common clients, over their limit of ${NAME_LIMIT}; ${advice}`,
  };
}
