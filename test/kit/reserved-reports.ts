/** Reports with a reservation: a clause that was not tested, a case that passed only when it was sent again. */
import type { Report } from '../../src/report/report.ts';
import { broken, clause, conforming, exchange, expectation, oneCase } from './sample-reports.ts';

/** Two cases need a key, so a clause was not tested. */
export function partlyTested(): Report {
  const report = broken();
  return {
    ...report,
    clauses: [...report.clauses, clause('auth.restricted', { verdict: 'skipped', scope: 'extra-key' })],
  };
}

/** One case passes only because its request was sent again. */
export function flaky(): Report {
  const asked = exchange('chat/a');
  const attempts = asked.attempts.flatMap((attempt) => {
    if (!attempt.answer) throw new Error('no answer');
    return [{ ...attempt, answer: { ...attempt.answer, status: 503 } }, attempt];
  });
  const testCase = oneCase('chat/a', [expectation('a.b', { flaky: true })], { flaky: true, exchange: 'chat/a' });
  return conforming({ cases: [testCase], exchanges: [{ ...asked, attempts }] });
}
