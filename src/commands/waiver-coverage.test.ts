import { describe, expect, it } from 'vitest';
import { reportOf } from '../../test/kit/fold-reports.ts';
import type { WaiverEntry } from '../report/excuses/waivers.ts';
import { formatCoverage } from './waive.ts';

// The first two are one cause, and the third is another.
const report = reportOf({ id: 'a/one' }, { id: 'a/two' }, { id: 'b/three', error: { type: 'api_error' } });

const coverageOf = (names: Pick<WaiverEntry, 'case' | 'clause' | 'fingerprint'>) =>
  formatCoverage({ ...names, reason: 'known' }, report, 'report.json');

describe('the coverage of a new waiver', () => {
  it.each<[Parameters<typeof coverageOf>[0], string]>([
    [{ clause: 'errors.no-server-error' }, 'It covers 2 causes in 3 cases of report.json.'],
    [
      { case: 'a/*' },
      'It covers 1 cause in 2 cases of report.json. errors.no-server-error still counts in 1 case: `wirecheck waive errors.no-server-error` covers all of it.',
    ],
    [
      { fingerprint: 'a/one' },
      'It covers a part of 1 cause, in 1 case of report.json. errors.no-server-error still counts in 2 cases: `wirecheck waive errors.no-server-error` covers all of it.',
    ],
    [
      { case: '*/t*' },
      'It covers 2 causes, 1 of them in part, in 2 cases of report.json. errors.no-server-error still counts in 1 case: `wirecheck waive errors.no-server-error` covers all of it.',
    ],
    [{ case: 'c/*' }, 'It covers no cause of report.json.'],
  ])('counts causes and cases: %j', (names, text) => {
    expect(coverageOf(names)).toBe(text);
  });
});
