import { expect, it } from 'vitest';
import { summarizeTrials } from './compare.ts';
import { listSubjects } from './test-subjects.ts';

it('Each kind is counted by itself', () => {
  const problems = new Map([
    ['gzip', []],
    ['client-max-tokens-zero', []],
    ['client-process', ['Something is wrong.']],
  ]);
  const results = listSubjects().flatMap((subject) => {
    const own = problems.get(subject.id);
    return own ? [{ subject, problems: own }] : [];
  });
  expect(summarizeTrials(results)).toBe(
    'variants left alone 1/1 · faulty clients caught 1/1 · odd clients left alone 0/1',
  );
});
