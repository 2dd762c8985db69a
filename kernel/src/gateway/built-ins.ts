/** Coffer's own tools, listed in every session as `coffer__<name>`. */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { CofferError, className, isCofferError } from '../errors.js';
import { isObj, type Obj } from '../json.js';
import { compile, check } from '../resources/validate.js';
import { fault, reasonOf } from './exchange.js';
import { BUILT_IN, wireName } from './names.js';
import { Payload } from './payload.js';
import type { Exchange, Outcome } from './seam.js';
import type { GatewaySession, ToolDefinition } from './types.js';

interface DefinedTool extends ToolDefinition {
  plugin: string;
  validate: ValidateFunction;
  listed: Obj;
}

export interface BuiltIns {
  define(plugin: string, tool: ToolDefinition): void;
  undefine(plugin: string): void;
  /** As this client lists them; a lean one also has the tool that calls any other by name. */
  list(session: GatewaySession): readonly Obj[];
  /** Is there such a tool for this client? */
  has(name: string, session: GatewaySession): boolean;
  call(name: string, params: Obj, session: GatewaySession, x: Exchange): Promise<Outcome>;
}

/** Name of the tool that a lean session calls all others with. */
export const CALL_TOOL = 'call_tool';
const CALL_TOOL_LISTED: Obj = {
  name: wireName(BUILT_IN, CALL_TOOL),
  title: 'Call a tool by name',
  description:
    'Calls one of the tools that coffer__search_tools finds, by its full name, with its arguments. The result is that of the tool.',
  inputSchema: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', description: 'Full name, for example files__read_text_file' },
      arguments: { type: 'object', description: "Arguments as the tool's inputSchema has them" },
    },
  },
};

export function createBuiltIns(report: (plugin: string, where: string, error: unknown) => void): BuiltIns {
  const tools = new Map<string, DefinedTool>();
  /** A tool that cannot tell whether it may be seen is hidden. */
  const shows = (tool: DefinedTool, session: GatewaySession): boolean => {
    try {
      return tool.visible?.(session) ?? true;
    } catch (e) {
      report(tool.plugin, tool.name, e);
      return false;
    }
  };
  return {
    define(plugin, tool) {
      if (!/^[a-z][a-z0-9_]{0,47}$/.test(tool.name) || tool.name.includes('__'))
        throw new CofferError(
          'PLUGIN_INVALID',
          `A tool of plugin ${plugin} has a name that does not fit: lower case letters, digits and single underscores.`,
        );
      const other = tools.get(tool.name);
      if (other !== undefined || tool.name === CALL_TOOL)
        throw new CofferError(
          'PLUGIN_CONFLICT',
          `Tool ${wireName(BUILT_IN, tool.name)} is already defined${other === undefined ? '' : ` by plugin ${other.plugin}`}.`,
        );
      const { name, title, description, inputSchema, outputSchema, annotations } = tool;
      const shown: Obj = {
        name: wireName(BUILT_IN, name),
        ...(title === undefined ? {} : { title }),
        description,
        inputSchema,
        ...(outputSchema === undefined ? {} : { outputSchema }),
        ...(annotations === undefined ? {} : { annotations }),
      };
      tools.set(name, { ...tool, plugin, validate: compile(inputSchema), listed: shown });
    },
    undefine(plugin) {
      for (const [name, t] of tools) if (t.plugin === plugin) tools.delete(name);
    },
    list(session) {
      const listed = [...tools.values()].filter((t) => shows(t, session)).map((t) => t.listed);
      return session.lean ? [...listed, CALL_TOOL_LISTED] : listed;
    },
    has(name, session) {
      const tool = tools.get(name);
      return tool !== undefined && shows(tool, session);
    },
    async call(name, params, session, x) {
      const tool = tools.get(name);
      if (tool === undefined) return fault('UNKNOWN_TOOL', `Unknown tool: ${wireName(BUILT_IN, name)}`);
      try {
        const args: Obj = isObj(params['arguments']) ? structuredClone(params['arguments']) : {};
        check(tool.validate, args, 'BAD_REQUEST', 'The arguments');
        const value = await tool.call(args, { session, exchange: x, signal: x.signal });
        if (x.signal.aborted) return { kind: 'fault', fault: reasonOf(x.signal) };
        const structured = isObj(value);
        const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
        return {
          kind: 'result',
          result: Payload.of({
            content: [{ type: 'text', text }],
            ...(structured ? { structuredContent: value } : {}),
          }),
        };
      } catch (e) {
        if (!isCofferError(e)) report(tool.plugin, name, e);
        const text = isCofferError(e)
          ? `${e.code}: ${e.message}`
          : `The tool failed (${className(e)}). The daemon log has the trace.`;
        return { kind: 'result', result: Payload.of({ content: [{ type: 'text', text }], isError: true }) };
      }
    },
  };
}
