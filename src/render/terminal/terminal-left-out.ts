/** Skipped and inconclusive expectations, grouped by reason. */
import type { CaseReport } from '../../report/report.ts';
import { groupBy } from '../../report/counts.ts';
import type { ExpectationReport } from '../fold.ts';
import { leftOutHeading } from '../headings.ts';
import { count, hang, listFirst, wrap } from '../../text/layout.ts';
import { isEnabledBySetting, isNotApplicable, reasonLine } from '../left-out.ts';
import type { Page, Section } from './page.ts';

const MAX_CASES = 4;

export function inconclusiveSection(page: Page): Section {
  return section(page, 'inconclusive', 'unsure', 'Inconclusive');
}

export function skippedSection(page: Page): Section {
  return section(page, 'skipped', 'quiet', 'Skipped');
}

interface LeftOut {
  readonly testCase: CaseReport;
  readonly expectation: ExpectationReport;
}

function section(page: Page, verdict: 'inconclusive' | 'skipped', tone: 'unsure' | 'quiet', title: string): Section {
  const { report, options, paint } = page;
  const left: LeftOut[] = report.cases.flatMap((testCase) =>
    testCase.expectations.filter((each) => each.verdict === verdict).map((expectation) => ({ testCase, expectation })),
  );
  if (left.length === 0) return [];
  const heading = leftOutHeading(report, verdict, title);
  const shown = options.detail === 'verbose' ? left : left.filter(({ expectation }) => !isNotApplicable(expectation));
  const groups = [...groupBy(shown, ({ expectation }) => reasonLine(expectation))];
  return [
    ...wrap(heading, options.width).map((line) => paint('strong', paint(tone, line))),
    // Expectations that a setting enables come first.
    ...groups
      .toSorted(([, a], [, b]) => Number(isEnabled(b)) - Number(isEnabled(a)))
      .flatMap(([reason, group]) => {
        const most = options.detail === 'verbose' ? Infinity : MAX_CASES;
        const words = `${count(group.length, 'expectation')}: ${reason}`;
        return [...hang('  - ', words, options.width), ...hang('    ', listFirst(casesOf(group), most), options.width)];
      }),
    ...summedUp(left.length - shown.length, shown.length, options.width),
  ];
}

function summedUp(number: number, shown: number, width: number): Section {
  if (number === 0) return [];
  const words = `${count(number, 'expectation')} that did not apply (--verbose shows ${number === 1 ? 'it' : 'them'})`;
  return hang('  - ', `${shown === 0 ? '' : 'and '}${words}`, width);
}

function casesOf(left: readonly LeftOut[]): string[] {
  return [...new Set(left.map(({ testCase }) => testCase.id))];
}

function isEnabled(left: readonly LeftOut[]): boolean {
  return left.some(({ expectation }) => isEnabledBySetting(expectation));
}
