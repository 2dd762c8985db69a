/** The real programs of the agents, for tests: installed once, beside the product's own lock, since they weigh 400 MB each. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './daemon.js';

const FOLDER = path.join(ROOT, 'testing/agents/real');

/** Puts `codex` and `claude` into a folder that may go onto a PATH. Takes half a minute the first time. */
export function realAgents(bin: string): void {
  const modules = path.join(FOLDER, 'node_modules');
  if (!existsSync(path.join(modules, '.package-lock.json')))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'ignore' });
  symlinkSync(path.join(modules, '@openai/codex/bin/codex.js'), path.join(bin, 'codex'));
  chmodSync(path.join(modules, '@openai/codex/bin/codex.js'), 0o755);
  symlinkSync(claude(path.join(modules, '@anthropic-ai')), path.join(bin, 'claude'));
}

/** The program for this system is a package of its own, beside the SDK. */
function claude(scope: string): string {
  const name = `claude-agent-sdk-${process.platform}-${process.arch}`;
  for (const folder of readdirSync(scope).filter((n) => n === name || n === `${name}-musl`)) {
    const file = path.join(scope, folder, 'claude');
    if (!existsSync(file)) continue;
    chmodSync(file, 0o755);
    return file;
  }
  throw new Error(`there is no claude for ${process.platform} ${process.arch} in ${scope}`);
}
