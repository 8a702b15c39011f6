// The self-test: faults and variants tried a second.
import { listSubjects } from '../../dist/selftest/run-selftest.js';
import { CLI, runNode } from './processes.mjs';
import { repeat, summaries } from './statistics.mjs';

/** Enough to be typical: all of them would take minutes. */
const EVERY = 16;
const ROUNDS = 3;

export async function measureSelftest() {
  const all = listSubjects();
  const names = all.filter((_, place) => place % EVERY === 0).map(({ id }) => id);
  const rounds = await repeat(ROUNDS, async () => {
    const { wall } = await runNode([CLI, 'selftest', ...names]);
    return { wall, perSecond: (names.length / wall) * 1_000 };
  });
  return { tried: names.length, of: all.length, ...summaries(rounds) };
}
