import { parse as parseJsonc, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { isObj, type Obj } from '@coffer/kernel';
import { convertServer, type ImportedServer } from './convert-server.js';

export interface ImportPreview {
  servers: ImportedServer[];
  /** What stopped an entry, or the whole, from being taken; no values in it. */
  problems: string[];
}

/**
 * What a client's MCP configuration becomes here: `mcpServers` (Claude, Cursor, Gemini and others), `servers` (VS Code),
 * `mcp_servers` (Codex, TOML), or the bare map. Pure: writes nothing, reads no file.
 * @param variables what `${VAR}` may be replaced with.
 */
export function parseConfig(input: unknown, variables: Readonly<Record<string, string>>): ImportPreview {
  const read = typeof input === 'string' ? readText(input) : input;
  if (!isObj(read)) {
    return {
      servers: [],
      problems: [typeof read === 'string' ? read : 'Give the configuration as text or as an object'],
    };
  }
  const entries = findServers(read);
  if (entries === undefined)
    return {
      servers: [],
      problems: [
        'No MCP servers found. Expected an object mcpServers, servers or mcp_servers that holds one entry for each server',
      ],
    };
  const servers: ImportedServer[] = [];
  const problems: string[] = [];
  const taken = new Set<string>();
  for (const [name, entry] of Object.entries(entries)) {
    const result = convertServer(name, entry, variables);
    if (typeof result === 'string') problems.push(`${name}: ${result}`);
    else if (taken.has(result.name)) problems.push(`${name}: another entry is already called ${result.name}`);
    else {
      taken.add(result.name);
      servers.push(result);
    }
  }
  return { servers, problems };
}

/** What the parser's codes mean to a person. */
const FAULTS: Readonly<Record<string, string>> = {
  CommaExpected: 'a comma is missing',
  ColonExpected: 'a colon is missing',
  ValueExpected: 'a name or a value is missing',
  PropertyNameExpected: 'a name is missing',
  CloseBraceExpected: 'a } is missing',
  CloseBracketExpected: 'a ] is missing',
  EndOfFileExpected: 'something follows its end',
  UnexpectedEndOfString: 'a quotation mark is missing',
  InvalidSymbol: 'this is no JSON value',
};

/** The parsed text, or what is wrong with it. */
function readText(text: string): unknown {
  const json =
    /^\s*([{[]|\/[/*])/.test(text.replace(/^\uFEFF/, '')) &&
    !/^\s*\[[\w."'-]+\]\s*(#.*)?$/m.test(text.split('\n', 1)[0] ?? '');
  if (json) {
    const errors: ParseError[] = [];
    const bare = text.replace(/^\uFEFF/, '');
    const value: unknown = parseJsonc(bare, errors, { allowTrailingComma: true });
    const first = errors[0];
    if (first === undefined) return value;
    const before = bare.slice(0, first.offset).split('\n');
    const why = FAULTS[printParseErrorCode(first.error)];
    return `The JSON is broken in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}${why === undefined ? '' : `: ${why}`}`;
  }
  try {
    return parseToml(text);
  } catch (e) {
    const { line, column } = e as { line?: number; column?: number }; // smol-toml's error has them
    return `This is neither JSON nor TOML${line === undefined ? '' : `; as TOML it is broken in line ${line}, column ${column}`}`;
  }
}

function findServers(root: Obj): Obj | undefined {
  const candidates: unknown[] = [root.mcpServers, root.mcp_servers, root.servers, root.mcp?.servers, root.mcp];
  const found = candidates.find(isObj);
  if (found !== undefined) return found;
  const bare = Object.values(root);
  return bare.length > 0 && bare.every((v) => isObj(v) && ('command' in v || 'url' in v)) ? root : undefined;
}
