/** What a session should start with: the rules of the project and of everything, and where the branch was left. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Handoffs } from './handoff.js';
import type { Project } from './project.js';
import { GLOBAL, RULES, type Stores } from './stores.js';

/** Of all of it, in characters: it is read at the start of every session. */
const MOST = 10_000;

export class SessionContext {
  constructor(
    private readonly stores: Stores,
    private readonly handoffs: Handoffs,
  ) {}

  /** Markdown; empty when there is nothing to say. */
  of(project: Project | undefined): string {
    const parts = [
      ...(project === undefined ? [] : section(`Rules of this project (${project.label})`, this.rules(project.store))),
      ...section('Rules everywhere', this.rules(GLOBAL)),
    ];
    const resumed = this.handoffs.resume(project);
    if (resumed.found)
      parts.push(...section(`Where ${resumed.branch} was left`, `${resumed.body}\n\n_${resumed.note}_`));
    const whole = parts.join('\n\n');
    return whole.length > MOST
      ? `${whole.slice(0, MOST).trimEnd()}\n\n(cut: the rest is in ${this.stores.get(GLOBAL).folder})`
      : whole;
  }

  /** The text of a store's rules.md, which a person writes. */
  rules(store: string): string {
    try {
      return readFileSync(path.join(this.stores.get(store).folder, RULES), 'utf8').trim();
    } catch {
      return '';
    }
  }
}

function section(title: string, body: string): string[] {
  return body === '' ? [] : [`## ${title}\n\n${body}`];
}
