/** What a plugin's CLI module gets: enough to write commands without depending on any library of its own. */
import { Option } from 'clipanion';
import type { CommandClass } from 'clipanion';
import { confirm, interactive, readStdin, secret } from './ask.js';
import { CofferCommand, rows } from './command.js';
import { Failure, usage } from './failure.js';
import { jsonObject, pairs, parseRef, readSource, resourcePath, since, whole } from './input.js';
import { progress } from './progress.js';
import { bold, bytes, clean, cleanLines, count, dim, duration, green, health, red, when, yellow } from './text.js';

export const toolkit = {
  Command: CofferCommand,
  Option,
  Failure,
  usage,
  rows,
  progress,
  ask: { confirm, interactive, readStdin, secret },
  input: { jsonObject, pairs, parseRef, readSource, resourcePath, since, whole },
  text: { bold, bytes, clean, cleanLines, count, dim, duration, green, health, red, when, yellow },
} as const;

/** See `toolkit.ts`. A CLI module exports as its default a function that takes this and returns its command classes. */
export type Toolkit = typeof toolkit;

/** A class of commands; its `paths` begin with one of the groups that the manifest names. */
export type Commands = readonly CommandClass[];
export type CliModule = { default: (toolkit: Toolkit) => Commands };
