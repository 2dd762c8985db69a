import type { Route, RouteRequest } from '@coffer/kernel';
import type { ConfigFiles } from '../config-files.js';
import { AT, nameOf, OF_AGENT, param, WRITES } from './params.js';
import * as schemas from './schemas.js';

export interface FileParts {
  files: ConfigFiles;
}

const FILE = `${AT}/config-files/:key`;
/** A path below the folder travels encoded as one segment. */
const CHILD = `${FILE}/files/:file`;
const FOUND = [...OF_AGENT, 'AGENT_FILE_NOT_FOUND', 'FILE_UNREADABLE'];
const WRITTEN = [...WRITES, 'AGENT_FILE_NOT_FOUND'];

export function fileRoutes({ files }: FileParts): Route[] {
  const key = (r: RouteRequest): string => param(r, 'key');
  const child = (r: RouteRequest): string => param(r, 'file');
  const wish = ({ body }: RouteRequest): { content: string; fingerprint?: string } => ({
    content: String(body['content']),
    ...(typeof body['fingerprint'] === 'string' && { fingerprint: body['fingerprint'] }),
  });
  return [
    {
      method: 'GET',
      path: `${AT}/config-files`,
      summary: "The agent's own files that may be read and written from here",
      response: schemas.object({ items: schemas.list(schemas.FILE_ITEM) }),
      errors: OF_AGENT,
      handle: (r) => ({ items: files.list(nameOf(r)) }),
    },
    {
      method: 'GET',
      path: FILE,
      summary: 'One of its files; one that is not there reads as empty',
      response: schemas.CONTENT,
      errors: FOUND,
      handle: (r) => files.read(nameOf(r), key(r)),
    },
    {
      method: 'PUT',
      path: FILE,
      summary: 'Replace one of its files; with a fingerprint only if it is still what was read',
      body: schemas.WRITE,
      response: schemas.CONTENT,
      errors: WRITTEN,
      handle: (r) => files.write(nameOf(r), key(r), wish(r), r.actor),
    },
    {
      method: 'GET',
      path: CHILD,
      summary: 'A file of one of its folders',
      response: schemas.CONTENT,
      errors: [...FOUND, 'AGENT_FILE_INVALID'],
      handle: (r) => files.read(nameOf(r), key(r), child(r)),
    },
    {
      method: 'PUT',
      path: CHILD,
      summary: 'Make or replace a file of one of its folders',
      body: schemas.WRITE,
      response: schemas.CONTENT,
      errors: WRITTEN,
      handle: (r) => files.write(nameOf(r), key(r), { ...wish(r), child: child(r) }, r.actor),
    },
    {
      method: 'DELETE',
      path: CHILD,
      summary: 'Delete a file of one of its folders; a backup stays beside it',
      errors: WRITTEN,
      handle: (r) => files.remove(nameOf(r), key(r), child(r), r.actor),
    },
  ];
}
