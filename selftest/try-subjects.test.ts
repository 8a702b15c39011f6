import { expect, it } from 'vitest';
import { trySubjects } from './trial.ts';

it('a doubtful result is tried again alone, with patience, and results keep the order of the subjects', async () => {
  const log: string[] = [];
  let running = 0;
  const results = await trySubjects(['a', 'slow', 'quiet', 'b'], {
    parallel: 2,
    async tryOut(subject, patience) {
      running += 1;
      await Promise.resolve();
      log.push(`${subject} ${patience} ${patience > 1 ? running : 'any'}`);
      running -= 1;
      return { subject, isGood: subject !== 'slow' || patience > 1 };
    },
    accepts: ({ isGood }) => isGood,
    needsQuiet: (subject) => subject === 'quiet',
  });
  expect(results.map(({ subject, isGood }) => [subject, isGood])).toEqual([
    ['a', true],
    ['slow', true],
    ['quiet', true],
    ['b', true],
  ]);
  expect(log.toSorted()).toEqual(['a 1 any', 'b 1 any', 'quiet 5 1', 'slow 1 any', 'slow 5 1']);
});
