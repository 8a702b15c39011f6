import { expect, it } from 'vitest';
import { conforming, exchange } from '../../test/kit/sample-reports.ts';
import { flakyTries } from './request-text.ts';

function answered(id: string, ...statuses: readonly number[]) {
  const attempts = exchange(id).attempts.flatMap((attempt) =>
    statuses.map((status) => ({ ...attempt, ...(attempt.answer && { answer: { ...attempt.answer, status } }) })),
  );
  return exchange(id, { attempts });
}

it('It may take several tries to repeat a 5xx if others passed', () => {
  const failed = answered('a', 500, 500, 500);
  const passing = [answered('b', 500, 200), answered('c', 503, 400), answered('d', 200)];
  expect(flakyTries(conforming({ exchanges: [failed, ...passing] }), 'a')).toBe(
    '2 other requests got a 5xx first and an answer on a later try, so that it may take several tries to repeat it.',
  );
  expect(flakyTries(conforming({ exchanges: [failed] }), 'a')).toBeUndefined();
  expect(flakyTries(conforming({ exchanges: [failed, ...passing] }), 'd')).toBeUndefined();
});
