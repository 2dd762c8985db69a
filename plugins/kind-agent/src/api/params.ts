import type { RouteRequest } from '@coffer/kernel';

export const AT = '/agents/:name';
/** What every route of one agent may answer. */
export const OF_AGENT = ['RESOURCE_NOT_FOUND', 'AGENT_UNSUPPORTED', 'AGENT_FACET_NOT_FOUND'];
/** And one that writes a file of it. */
export const WRITES = [
  ...OF_AGENT,
  'AGENT_FILE_INVALID',
  'AGENT_FILE_UNEDITABLE',
  'FILE_CHANGED',
  'FILE_READ_ONLY',
  'FILE_UNREADABLE',
];

/** The router has made sure that it is there. */
export const param = ({ params }: RouteRequest, name: string): string => params[name] ?? '';
export const nameOf = (r: RouteRequest): string => param(r, 'name');
