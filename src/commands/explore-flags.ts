/** The flags of an exploration. Whoever reads them does not load the library that draws. */
import { randomInt } from 'node:crypto';
import { settingOf } from '../settings/setting-names.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import type { Flags } from './settings/merge-settings.ts';

export interface ExploreFlags {
  readonly plan: boolean;
  readonly path: string;
  readonly save: string;
  readonly json: boolean;
}

const MAX_RANDOM_SEED = 1_000_000;

/** `--seed random` is for the curious. A path leads to a draw of one seed. */
export function withSeed(flags: Flags, path: string | undefined): Flags {
  const { seed } = flags;
  if (seed !== 'random') {
    const { type } = settingOf('seed');
    if (typeof seed === 'string' && type.parse(seed.trim()) === undefined) {
      throw new UsageError(`--seed is "${inert(seed, 80)}": it must be ${type.allowed}, or random.`);
    }
    return flags;
  }
  if (path !== undefined) {
    throw new UsageError('--path leads to a draw of one seed, and --seed random has others: copy both from a report.');
  }
  return { ...flags, seed: String(randomInt(MAX_RANDOM_SEED)) };
}
