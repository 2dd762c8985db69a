/** `mcp tool|resource|prompt list|enable|disable`. */
import type { Commands, Toolkit } from '@coffer/cli';
import type { CapabilityType, Obj } from '@coffer/kernel';
import { KIND } from '../config.js';

const START_MS = 150_000;
const TYPES: readonly CapabilityType[] = ['tool', 'resource', 'prompt'];

export function capabilityCommands({ Command, Option, rows, input, progress, text }: Toolkit): Commands {
  const at = (name: string): string => `${input.resourcePath(KIND, name)}/capabilities`;

  function list(type: CapabilityType): Commands[number] {
    const many = `${type}s`;
    return class extends Command {
      static override paths = [['mcp', type, 'list']];
      static override usage = Command.Usage({
        description: `List the ${many} of a server, the disabled ones included`,
      });
      name = Option.String({ name: 'NAME' });
      async execute(): Promise<void> {
        const api = await this.daemon();
        const data = await progress(`Listing ${this.name}`, () =>
          api.request('GET', at(this.name), { timeoutMs: START_MS }),
        );
        await this.print({ [many]: data[many], fetched_at: data.fetched_at, from_cache: data.from_cache }, () =>
          rows(
            [type.toUpperCase(), 'ENABLED', 'DESCRIPTION'],
            (data[many] as Obj[]).map((c) => [
              text.clean(type === 'resource' ? c.original_uri : c.original_name),
              c.enabled ? 'yes' : 'no',
              text.clean(c.description ?? c.name),
            ]),
            `${this.name} has no ${many}.`,
          ),
        );
      }
    };
  }

  function toggle(type: CapabilityType, verb: 'enable' | 'disable'): Commands[number] {
    return class extends Command {
      static override paths = [['mcp', type, verb]];
      static override usage = Command.Usage({
        description: `${verb === 'enable' ? 'Enable' : 'Disable'} a ${type} of a server for every client`,
      });
      name = Option.String({ name: 'NAME' });
      key = Option.String({ name: 'KEY' });
      async execute(): Promise<void> {
        const api = await this.daemon();
        await progress(`Looking at ${this.name}`, () =>
          api.post(`${at(this.name)}/${type}/${verb}`, { capability_key: this.key }, START_MS),
        );
        await this.print(
          { server: this.name, type, key: this.key, enabled: verb === 'enable' },
          `${text.clean(this.key)} of ${this.name} is ${verb}d.`,
        );
      }
    };
  }

  return TYPES.flatMap((type) => [list(type), toggle(type, 'enable'), toggle(type, 'disable')]);
}
