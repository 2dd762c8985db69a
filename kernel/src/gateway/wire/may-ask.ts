import type { Obj } from '../../json.js';
import type { Ask, RpcError } from '../seam.js';

/** May this client be asked this? What it did not declare is a method it does not have. */
export function mayAsk(capabilities: Obj, ask: Ask): RpcError | undefined {
  const no: RpcError = { code: -32601, message: `Method not found: the client does not support ${ask.method}` };
  switch (ask.method) {
    case 'roots/list':
      return capabilities['roots'] === undefined ? no : undefined;
    case 'sampling/createMessage': {
      const sampling = capabilities['sampling'] as Obj | undefined;
      if (sampling === undefined) return no;
      const tools = ask.params?.['tools'] !== undefined || ask.params?.['toolChoice'] !== undefined;
      return tools && sampling['tools'] === undefined
        ? { code: -32602, message: 'The client does not support tools in sampling' }
        : undefined;
    }
    case 'elicitation/create': {
      const elicitation = capabilities['elicitation'] as Obj | undefined;
      if (elicitation === undefined) return no;
      const mode: unknown = ask.params?.['mode'] ?? 'form';
      // An empty declaration means forms only (2025-11-25).
      const modes = elicitation['form'] !== undefined || elicitation['url'] !== undefined ? elicitation : { form: {} };
      return typeof mode === 'string' && modes[mode] !== undefined
        ? undefined
        : { code: -32602, message: 'The client does not support this mode of elicitation' };
    }
    default:
      return no;
  }
}
