/** The flags of an exploration. Whoever reads them does not load the library that draws. */
import { randomInt } from 'node:crypto';
import type { Flags } from './settings/merge-settings.ts';

export interface ExploreFlags {
  readonly plan: boolean;
  readonly path: string;
  readonly save: string;
}

const MAX_RANDOM_SEED = 1_000_000;

/** `--seed random` is for the curious. */
export function withSeed(flags: Flags): Flags {
  return flags['seed'] === 'random' ? { ...flags, seed: String(randomInt(MAX_RANDOM_SEED)) } : flags;
}
