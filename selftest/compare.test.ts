import { expect, it } from 'vitest';
import type { Report } from '../src/report/report.ts';
import { compareSubject } from './compare.ts';
import type { TestSubject } from './test-subjects.ts';

type Verdict = Report['cases'][number]['verdict'];

/** The part of a report that is compared: one case, which judges `auth.required`. */
function reportWith(verdict: Verdict, exit: number): Report {
  return {
    outcome: { exit },
    clauses: [{ id: 'auth.required', level: 'must' }],
    cases: [{ id: 'auth/none', expectations: [{ clause: 'auth.required', verdict, findings: [] }] }],
  } as unknown as Report;
}

const fault: TestSubject = { id: 'x', kind: 'fault', side: 'gateway', title: 'X', breaks: ['auth.required'] };
const variant: TestSubject = { id: 'y', kind: 'variant', side: 'gateway', title: 'Y' };
const relay: TestSubject = { ...fault, kind: 'faulty relay', side: 'relay' };
it.each([
  ['A fault that is caught', fault, { plain: reportWith('fail', 1), strict: reportWith('fail', 1) }, []],
  ['A variant that is left alone', variant, { plain: reportWith('pass', 0), strict: reportWith('pass', 0) }, []],
  ['A faulty relay that is caught', relay, { plain: reportWith('fail', 1) }, []],
  [
    'A fault that is not found',
    fault,
    { plain: reportWith('pass', 0), strict: reportWith('pass', 0) },
    ['auth.required is broken, but was not found', 'exit 0 without --strict', 'exit 0 with --strict'],
  ],
  [
    'A variant that is found',
    variant,
    { plain: reportWith('fail', 1) },
    ['auth.required was reported as broken, but is not', 'exit 1'],
  ],
  [
    'A relay whose clause is open',
    relay,
    { plain: reportWith('inconclusive', 3) },
    [
      'auth.required is broken, but was not found',
      'auth/none: auth.required is inconclusive (no reason given)',
      'exit 3',
    ],
  ],
  [
    'More that is broken with --strict',
    variant,
    { plain: reportWith('pass', 0), strict: reportWith('fail', 1) },
    ['strict: found auth.required', 'exit 1 with --strict'],
  ],
])('%s has the problems that it should have', (_, subject, judged, problems) => {
  expect(compareSubject(subject, judged).problems).toEqual(problems);
});

it('A recording that gives another report is a problem', () => {
  const plain = reportWith('fail', 1);
  expect(compareSubject(fault, { plain, problems: ['its recording differs'] }).problems).toEqual([
    'its recording differs',
  ]);
});
