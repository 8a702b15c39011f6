/** Tries the subjects of a self-test with a progress line, and prints each problem at once. */
import type { CommandIo } from './command-io.ts';
import { progressLine } from './progress.ts';

export async function watchTrials<Trial>(
  { stdout, stderr }: CommandIo,
  total: number,
  /** Empty if all is well. */
  format: (trial: Trial) => string,
  tryAll: (onResult: (trial: Trial) => void) => Promise<readonly Trial[]>,
): Promise<readonly Trial[]> {
  let done = 0;
  const line = progressLine(stderr, 'subjects');
  try {
    return await tryAll((trial) => {
      done += 1;
      line.update({ done, total });
      const text = format(trial);
      if (text === '') return;
      line.clear();
      stdout.write(text);
    });
  } finally {
    line.end();
  }
}
