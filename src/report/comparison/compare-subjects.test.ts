import { expect, it } from 'vitest';
import { CONTRACT_SUBJECTS } from '../../contract/contract.ts';
import { UsageError } from '../../usage-error.ts';
import { FULL_REPORT } from '../../../test/kit/reports.ts';
import { compareRuns } from './compare.ts';
import { ObservedRun } from './observed-run.ts';
import type { CaseReport } from '../report.ts';

const { subject: _, ...gateway } = FULL_REPORT;
const clients = new ObservedRun(FULL_REPORT, 'client.json');

it('A report about a client is not compared with one about a gateway', () => {
  expect(() => compareRuns(new ObservedRun(gateway, 'gateway.json'), clients)).toThrow(
    new UsageError(
      'gateway.json is about a gateway, and client.json is about a client: compare two reports of the same kind.',
      { code: 'CONFLICT' },
    ),
  );
});

it.each(CONTRACT_SUBJECTS)('Two reports about a %s are compared', (subject) => {
  const run = new ObservedRun({ ...FULL_REPORT, subject }, 'r.json');
  expect(compareRuns(run, run).old.source).toBe('r.json');
});

it('Cases that one of two runs judged and the other does not have are named', () => {
  const [sample] = gateway.cases;
  const runOf = (source: string, verdicts: Readonly<Record<string, CaseReport['verdict']>>) => {
    // What is flaky is not compared, so that it is no obstacle.
    const caseOf = (id: string, verdict: CaseReport['verdict']) => ({
      ...sample!,
      id,
      verdict,
      expectations: [],
      flaky: id === 'a/flaky',
    });
    const cases = Object.entries(verdicts).map(([id, verdict]) => caseOf(id, verdict));
    return new ObservedRun({ ...gateway, cases }, source);
  };
  const older = runOf('old.json', { 'a/flaky': 'pass', 'a/b': 'skipped', 'a/c': 'pass', 'a/f': 'inconclusive' });
  const newer = runOf('new.json', { 'a/c': 'pass', 'a/d': 'pass', 'a/e': 'observed', 'a/g': 'skipped' });
  const { notices, compared, obstacles } = compareRuns(older, newer);
  expect(notices.filter(({ kind }) => kind === 'only-here')).toEqual([
    { kind: 'only-here', source: 'old.json', cases: ['a/flaky'] },
    { kind: 'only-here', source: 'new.json', cases: ['a/d', 'a/e'] },
  ]);
  // What neither judged is no loss.
  expect(compared).toMatchObject({ cases: 1, casesOnlyIn: { old: 1, new: 2 } });
  expect(obstacles).toEqual([]);
  expect(compareRuns(older, older).notices.map(({ kind }) => kind)).not.toContain('only-here');
});

it('Cases with another request in each run are not compared', () => {
  const runOf = (value: number) => {
    const edits = [{ kind: 'set', pointer: '/temperature', value } as const];
    return new ObservedRun({ ...gateway, cases: gateway.cases.map((each) => ({ ...each, edits })) }, 'r.json');
  };
  const { compared, obstacles, exit } = compareRuns(runOf(1.01), runOf(2.01));
  expect(compared).toMatchObject({ cases: 0, casesChanged: gateway.cases.length, casesOnlyIn: { old: 0, new: 0 } });
  expect([exit, obstacles.length]).toEqual([3, 1]);
  expect(compareRuns(runOf(2.01), runOf(2.01)).compared.casesChanged).toBe(0);
});
