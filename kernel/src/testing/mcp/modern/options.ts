import { parseArgs } from 'node:util';

/** Command line of the server of the newer era; see `modern.ts`. */
export interface ModernOptions {
  readonly name: string;
  readonly version: string;
  readonly both: boolean;
  readonly http: number | undefined;
  readonly json: boolean;
  readonly page: number;
  readonly ttl: number;
  readonly recordFile: string | undefined;
  readonly listenMs: number | undefined;
  readonly mode: string;
  readonly eraFile: string | undefined;
  readonly tasks: boolean;
}

export function readModernOptions(argv: string[]): ModernOptions {
  const { values: v } = parseArgs({
    args: argv,
    options: {
      name: { type: 'string', default: 'modern' },
      version: { type: 'string', default: '1.0.0' },
      both: { type: 'boolean', default: false },
      http: { type: 'string' },
      json: { type: 'boolean', default: false },
      page: { type: 'string', default: '0' },
      ttl: { type: 'string', default: '0' },
      record: { type: 'string' },
      'listen-ms': { type: 'string' },
      mode: { type: 'string', default: 'sound' },
      'era-file': { type: 'string' },
      tasks: { type: 'boolean', default: false },
    },
  });
  return {
    name: v.name,
    version: v.version,
    both: v.both,
    http: v.http === undefined ? undefined : Number(v.http),
    json: v.json,
    page: Number(v.page),
    ttl: Number(v.ttl),
    recordFile: v.record,
    listenMs: v['listen-ms'] === undefined ? undefined : Number(v['listen-ms']),
    mode: v.mode,
    eraFile: v['era-file'],
    tasks: v.tasks,
  };
}
