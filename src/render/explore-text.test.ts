import { expect, it } from 'vitest';
import { FULL_REPORT } from '../../test/kit/reports.ts';
import type { Report } from '../report/report.ts';
import { formatSilent } from './explore-text.ts';

const withFinding = (change: object): Report => {
  const { explore } = FULL_REPORT;
  return { ...FULL_REPORT, explore: { ...explore, findings: [{ ...explore.findings[0], ...change }] } } as Report;
};

it('A request without an answer is shown with its draw, its difference and a command', () => {
  const [shown, ...more] = formatSilent(withFinding({ silence: 'closed', exchange: 'not shown' }));
  expect(more).toEqual([]);
  expect(shown?.text).toMatch(
    /^connection closed without an answer: seen in 1 draw, shrunk with 3 requests \(--seed \d+ --path 1:0\)\. \/temperature: 1\.3 fails, 1 passes$/,
  );
  expect(shown?.repeat).toContain('--path 1:0');
});

it('A request with an answer is none of these', () => {
  expect(formatSilent(withFinding({ silence: undefined }))).toEqual([]);
});
