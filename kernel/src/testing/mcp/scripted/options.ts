import { parseArgs } from 'node:util';

/** Command line of the scripted server; see `scripted.ts`. */
export interface Options {
  readonly name: string;
  readonly page: number;
  readonly http: number | undefined;
  readonly sse: number | undefined;
  readonly get: boolean;
  readonly json: boolean;
  readonly stateless: boolean;
  readonly askRoots: boolean;
  readonly toolsOnly: boolean;
  readonly extraTools: number;
  readonly protocol: string | undefined;
  readonly requireHeader: { name: string; value: string } | undefined;
  readonly recordFile: string | undefined;
}

export function readOptions(argv: string[]): Options {
  const { values: v } = parseArgs({
    args: argv,
    options: {
      name: { type: 'string', default: 'scripted' },
      page: { type: 'string', default: '0' },
      http: { type: 'string' },
      sse: { type: 'string' },
      'no-get': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      stateless: { type: 'boolean', default: false },
      'ask-roots': { type: 'boolean', default: false },
      'tools-only': { type: 'boolean', default: false },
      'extra-tools': { type: 'string', default: '0' },
      protocol: { type: 'string' },
      'require-header': { type: 'string' },
      record: { type: 'string' },
    },
  });
  const [headerName, ...headerValue] = v['require-header']?.split('=') ?? [];
  return {
    name: v.name,
    page: Number(v.page),
    http: v.http === undefined ? undefined : Number(v.http),
    sse: v.sse === undefined ? undefined : Number(v.sse),
    get: !v['no-get'],
    json: v.json,
    stateless: v.stateless,
    askRoots: v['ask-roots'],
    toolsOnly: v['tools-only'],
    extraTools: Number(v['extra-tools']),
    protocol: v.protocol,
    requireHeader: headerName ? { name: headerName.toLowerCase(), value: headerValue.join('=') } : undefined,
    recordFile: v.record,
  };
}
