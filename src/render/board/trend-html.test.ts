import { describe, expect, it } from 'vitest';
import { broken, conforming } from '../../../test/kit/sample-reports.ts';
import type { Report } from '../../report/report.ts';
import { boardHtml } from './board-html.ts';
import { makeBoard, summarizeReport } from './board.ts';

function runAt(day: number, report: Report, firstText?: number | 'checker-late'): Report {
  const startedAt = new Date(Date.UTC(2030, 0, day)).toISOString();
  const observed = { clause: 'stream.timing', case: 'a/b', name: 'first-text-time', value: firstText ?? 0 } as const;
  return {
    ...report,
    provenance: { ...report.provenance, startedAt },
    observations: firstText === undefined ? [] : [observed],
  };
}

function trendOf(reports: readonly Report[]): string {
  const board = makeBoard(
    reports.map((report, at) => summarizeReport(report, { report: `./${at}/report.json` })),
    { failOn: 'must' },
  );
  return /<section id="trend".*?<\/section>/s.exec(boardHtml(board))?.[0] ?? '';
}

describe('the trend of a target', () => {
  it('is drawn only where there are several reports', () => {
    expect(trendOf([runAt(1, broken(), 5)])).toBe('');
    expect(trendOf([runAt(1, broken(), 5), runAt(2, broken(), 5)])).not.toBe('');
  });

  it('says in words what it draws', () => {
    const trend = trendOf([runAt(1, broken(), 200), runAt(2, conforming(), 400), runAt(3, conforming(), 300)]);
    expect(trend).toContain('3 runs, 2030-01-01 to 2030-01-03');
    expect(trend).toMatch(/\d must and \d should at first, none at last, at most \d/);
    expect(trend).toContain('200 ms at first, 300 ms at last, at most 400 ms');
    expect(trend).toContain('<title>2030-01-01 00:00 UTC:');
  });

  it('covers the last 50 runs', () => {
    const trend = trendOf(Array.from({ length: 60 }, (_run, at) => runAt(at + 1, conforming(), 100)));
    expect(trend).toContain('50 runs, 2030-01-11 to 2030-03-01');
    expect(trend.match(/<rect\b/g)).toHaveLength(100);
  });

  it('names a first or last run whose time was not measured', () => {
    const trend = trendOf(['checker-late' as const, 200, 400].map((time, at) => runAt(at + 1, conforming(), time)));
    expect(trend).toContain('not measured at first, 400 ms at last, at most 400 ms');
  });

  it.each([
    ['no run has', [undefined, undefined], 'In every run, no stream with text was measured.'],
    ['no run has', ['checker-late', 'checker-late'], 'In every run, wirecheck itself was too late to measure it.'],
    ['only one run has', [200, 'checker-late'], 'In 1 run, wirecheck itself was too late to measure it.'],
    [
      'no run has',
      ['checker-late', undefined, 'checker-late'],
      'In 2 runs, wirecheck itself was too late to measure it. In 1 run, no stream with text was measured.',
    ],
  ] as const)('says why there is no chart of times where %s one: %j', (words, times, why) => {
    const trend = trendOf(times.map((time, at) => runAt(at + 1, conforming(), time))).replaceAll(/\s+/g, ' ');
    expect(trend).toContain(`No chart of the time to the first text: ${words} such a time. ${why}`);
    const both = trendOf([runAt(1, conforming(), 1), runAt(2, conforming(), 2)]);
    expect(both).not.toContain('No chart');
  });

  it('has a hollow bar for a run that was not judged', () => {
    const notJudged = broken({ outcome: { name: 'not-judged', exit: 3, mustClauses: 2, mustJudged: 0 }, clauses: [] });
    const trend = trendOf([runAt(1, conforming()), runAt(2, notJudged)]);
    expect(trend).toContain('class="earlier"');
    expect(trendOf([runAt(1, notJudged), runAt(2, notJudged)])).not.toContain('first text');
  });
});

it('A target that was not judged has no number of broken clauses, in the table of targets', () => {
  const outcome = { ...conforming().outcome, name: 'not-judged', exit: 3 } as const;
  const named = (name: string, report: Report): Report => ({ ...report, target: { ...report.target, name } });
  const reports = [named('a', conforming()), named('b', conforming({ outcome }))];
  const summaries = reports.map((report) => summarizeReport(report, { report: 'report.json' }));
  const page = boardHtml(makeBoard(summaries, { failOn: 'must' }));
  const numbers = [...page.matchAll(/<td class="number">(.*?)<\/td>/gs)].map(([, cell]) => cell);
  expect(numbers.filter((cell) => cell === '0')).toHaveLength(2);
  expect(numbers.filter((cell) => cell?.includes('not judged'))).toHaveLength(2);
  expect(page).toMatch(/not judged: <strong>1<\/strong>/);
});
