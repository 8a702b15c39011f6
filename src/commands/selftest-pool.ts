/** `wirecheck selftest --pool [NAME…]` */
import { EXIT } from '../exit-codes.ts';
import {
  formatLeftOut,
  formatPool,
  formatPoolTrial,
  isPoolPassed,
  type PoolSummary,
  summarizePool,
} from '../selftest/summarize-pool.ts';
import { sortPoolSubjects, tryPool } from '../selftest/try-pool.ts';
import { integer } from '../settings/value-types.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { formatJson } from './format-json.ts';
import { readOneIn } from './gateway.ts';
import { readNumber } from './settings/read-flag.ts';
import { watchTrials } from './watch-trials.ts';

export interface PoolFlags {
  /** Empty: all. */
  readonly names: readonly string[];
  readonly json: boolean;
  readonly oneIn: string;
  readonly seed: string;
  readonly seeds: string;
}

export async function selftestPoolCommand(flags: PoolFlags, io: CommandIo): Promise<number> {
  const first = readNumber('--seed', flags.seed, integer(0, 4_294_967_295));
  const seeds = readNumber('--seeds', flags.seeds, integer(1, 100));
  const { replicas, per } = readOneIn(flags.oneIn);
  const { tried, ...leftOut } = sortPoolSubjects();
  const subjects = tried.map(({ id }) => id);
  const stranger = flags.names.find((name) => !subjects.includes(name));
  if (stranger !== undefined) {
    throw new UsageError(
      `"${stranger}" is not a variant or a must fault that a pool can test.${didYouMean(stranger, subjects)}`,
      { code: 'UNKNOWN_NAME' },
    );
  }
  const names = flags.names.length === 0 ? subjects : flags.names;
  if (flags.names.length === 0 && !flags.json) io.stdout.write(formatLeftOut(leftOut));
  const summaries: (PoolSummary & { readonly seed: number })[] = [];
  for (let seed = first; seed < first + seeds; seed += 1) {
    const trials = await watchTrials(io, names.length, flags.json ? () => '' : formatPoolTrial, (onResult) =>
      tryPool({ names, seed, replicas, per, detect: replicas, onResult }),
    );
    const summary = summarizePool(trials);
    summaries.push({ seed, ...summary });
    if (!flags.json) io.stdout.write(formatPool(seed, summary));
  }
  if (flags.json) io.stdout.write(formatJson(summaries));
  return summaries.every(isPoolPassed) ? EXIT.passed : EXIT.failed;
}
