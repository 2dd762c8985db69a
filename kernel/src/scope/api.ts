import type { Route } from '../http/route.js';
import { flag, list, object, strict, text } from '../http/schemas.js';
import type { Audit } from '../journal/types.js';
import type { Machines } from './machines.js';

const MACHINE = object({ id: text, display_name: text, this_machine: flag });

export function machineRoutes(machines: Machines, audit: Audit): Route[] {
  return [
    {
      method: 'GET',
      path: '/machines',
      summary: 'Machines that are known',
      response: object({ machines: list(MACHINE) }),
      handle: () => ({ machines: machines.list() }),
    },
    {
      method: 'PATCH',
      path: '/machines/:id',
      summary: 'Give a machine another name',
      body: strict({ display_name: { type: 'string', minLength: 1, maxLength: 100 } }),
      response: MACHINE,
      errors: ['MACHINE_NOT_FOUND'],
      handle: ({ params, body, actor }) => {
        const machine = machines.rename(params['id'] as string, body['display_name'] as string);
        audit.write({
          event_type: 'machine_renamed',
          actor,
          details: { id: machine.id, display_name: machine.display_name },
        });
        return machine;
      },
    },
  ];
}
