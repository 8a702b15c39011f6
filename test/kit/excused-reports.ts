/** Reports with failures that are waived, that stand since a baseline, and that are new, for the tests of the formats. */
import type { Report } from '../../src/report/report.ts';
import type { WaiverReport } from '../../src/report/excuses/excuse-report.ts';
import { clause, conforming, counts, expectation, finding, oneCase } from './sample-reports.ts';

export const WAIVER: WaiverReport = {
  clause: 'errors.code',
  reason: 'Codes are numbers until 2.4.',
  owner: 'gateway team',
  link: 'https://tracker.example/42',
  until: '2030-12-31',
  line: 3,
  state: 'in-use',
  findings: 1,
};
export const waivers = (...entries: WaiverReport[]) => ({
  file: 'w.yaml',
  today: '2030-06-15',
  failOnUnused: false,
  entries,
});
export const baseline: NonNullable<Report['baseline']> = {
  file: 'old.json',
  baseUrl: 'https://gateway.example/v1',
  startedAt: '2030-03-01T10:00:00.000Z',
  sameContract: true,
  fixed: [],
  notJudged: [],
};

type Finding = Parameters<typeof finding>[0];
export const failing = (id: string, of: string, excused: 'waived' | 'known' | undefined, more: Finding) =>
  oneCase(id, [expectation(of, { verdict: 'fail', findings: [finding(more)], ...(excused && { excused }) })]);

/** A broken should clause. */
export const warning = (id: string, of: string, excused?: 'waived' | 'known') => {
  const excuses = { waived: { waiver: 1 }, known: { since: 'known' } } as const;
  const findings = [finding(excused && excuses[excused])];
  return oneCase(id, [expectation(of, { level: 'should', verdict: 'warn', findings, ...(excused && { excused }) })]);
};

export function report(cases: Report['cases'], name: Report['outcome']['name'], more: Partial<Report> = {}): Report {
  const failed = [...new Set(cases.flatMap(({ expectations }) => expectations.map((each) => each.clause)))];
  return conforming({
    cases,
    clauses: failed.map((id) => clause(id, { verdict: 'fail' })),
    counts: { ...conforming().counts, cases: counts({ fail: cases.length }) },
    outcome: { name, exit: name === 'does-not-conform' ? 1 : 0, mustClauses: 74, mustJudged: 74 },
    ...more,
  });
}

export const WAIVED = failing('auth/a', 'errors.code', 'waived', { waiver: 1 });
export const KNOWN = failing('auth/b', 'errors.object', 'known', { since: 'known' });
export const NEW = failing('auth/c', 'errors.message', undefined, { since: 'new' });

const fixed = [{ case: 'auth/x', clause: 'errors.type', fingerprint: 'e'.repeat(16) }];
const notJudged = [{ case: 'auth/y', clause: 'errors.json', fingerprint: 'd'.repeat(16) }];

/** One failure of each kind, one finding of the baseline that is fixed, one that this run did not judge. */
export function excused(more: Partial<Report> = {}): Report {
  return report([NEW, KNOWN, WAIVED], 'does-not-conform', {
    waivers: waivers(WAIVER),
    baseline: { ...baseline, fixed, notJudged },
    ...more,
  });
}
