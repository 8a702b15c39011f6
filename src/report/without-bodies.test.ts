import { describe, expect, it } from 'vitest';
import { broken, conforming, exchange, expectation, finding, oneCase } from '../../test/kit/sample-reports.ts';
import type { Report } from './report.ts';
import { withoutBodies } from './without-bodies.ts';

const SAID = 'what was said';

describe('a report without bodies', () => {
  it('holds nothing of what requests, answers and streams said', () => {
    const [plain, streamed] = conforming().exchanges;
    const said = JSON.parse(JSON.stringify([plain, streamed]).replaceAll('{}', SAID)) as Report['exchanges'];
    const report = broken({
      exchanges: said,
      cases: [oneCase('chat/a', [expectation('a', { verdict: 'fail', findings: [finding({ actual: SAID })] })])],
    });
    expect(JSON.stringify(report)).toContain(SAID);
    expect(JSON.stringify(withoutBodies(report))).not.toContain(SAID);
  });

  it('keeps lengths, times, statuses and verdicts', () => {
    const report = broken({ exchanges: [exchange('a')] });
    const kept = withoutBodies(report);
    expect(kept.exchanges[0]?.attempts[0]?.answer).toMatchObject({
      status: 200,
      endAt: 4.4,
      body: { bytes: 2, shown: 0 },
    });
    expect(kept.counts).toEqual(report.counts);
    expect(kept.cases.map(({ verdict }) => verdict)).toEqual(report.cases.map(({ verdict }) => verdict));
  });

  it('keeps what a finding says of a status, which is no body', () => {
    const { pointer: _pointer, ...without } = finding({ mismatch: 'status', actual: '500', actualType: 'status' });
    const report = broken({ cases: [oneCase('chat/a', [expectation('a', { verdict: 'fail', findings: [without] })])] });
    expect(withoutBodies(report).cases[0]?.expectations[0]?.findings[0]?.actual).toBe('500');
  });

  it('keeps the reason of a description that was not given, and not what one says', () => {
    const reason = 'needs what was not given';
    const judged = (verdict: 'skipped' | 'inconclusive') =>
      conforming({ cases: [oneCase('versioning/a', [expectation('a', { check: 'openapi', verdict, reason })])] });
    const kept = (report: Report) => withoutBodies(report).cases[0]?.expectations[0]?.reason;
    expect(kept(judged('skipped'))).toBe(reason);
    expect(kept(judged('inconclusive'))).not.toBe(reason);
  });
});
