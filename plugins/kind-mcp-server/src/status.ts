import type { Resource, ResourceStatus } from '@coffer/kernel';
import type { Notes } from './catalogue.js';
import { configOf } from './config.js';
import type { Health } from './health.js';
import type { Launcher } from './launch/launcher.js';
import { targetOf, type RememberedEras } from './eras.js';
import { runnerStatus, type RunnerStatus } from './runners.js';

/** The health of servers as it is known: looks, asks nobody, starts nothing. */
export class ServerStatus {
  constructor(
    private readonly health: Health,
    private readonly notes: Notes,
    private readonly launcher: Launcher,
    private readonly eras: Pick<RememberedEras, 'of'>,
  ) {}

  async of(server: Resource): Promise<ResourceStatus> {
    const { status, reason, checkedAt, facts } = this.health.of(server.name);
    const { transport } = configOf(server);
    const runner: RunnerStatus = transport.type === 'stdio' ? await runnerStatus(this.launcher, transport) : {};
    const spoken = this.eras.of(targetOf(transport));
    const noise = this.notes.noise(server.name);
    const findings = this.notes.findings(server.name);
    const missing = runner.missing_runner !== undefined;
    return {
      status: missing ? 'failing' : status,
      ...(missing ? { reason: `missing ${runner.missing_runner}` } : reason !== undefined && { reason }),
      ...runner,
      ...(checkedAt !== undefined && { checked_at: checkedAt }),
      ...(facts?.protocolVersion !== undefined && { protocol_version: facts.protocolVersion }),
      ...(spoken !== undefined && {
        eras: {
          newer: spoken.modern,
          // Not asked: it speaks the newer one.
          ...(spoken.legacy !== undefined && { older: spoken.legacy }),
          judged_at: new Date(spoken.at).toISOString(),
        },
      }),
      ...(facts?.info !== undefined && { server_info: facts.info }),
      ...(noise > 0 && { stdout_noise: noise, note: `stdout noise: ${noise} lines` }),
      ...(findings.length > 0 && { findings }),
    };
  }
}
