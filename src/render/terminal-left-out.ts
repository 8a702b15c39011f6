/** What was skipped and how to enable it; what stayed inconclusive and why. Grouped by reason. */
import type { CaseReport } from '../report/report.ts';
import { type ExpectationReport, groupBy, type VerdictName } from './fold.ts';
import { inert } from './inert.ts';
import { count, hang, someOf } from './layout.ts';
import type { Page, Section } from './page.ts';
import { settingFor } from './setting-for.ts';

const MOST_CASES = 4;

export function inconclusiveSection(page: Page): Section {
  return section(page, 'inconclusive', 'unsure', 'Inconclusive');
}

export function skippedSection(page: Page): Section {
  return section(page, 'skipped', 'quiet', 'Skipped');
}

interface LeftOut {
  readonly one: CaseReport;
  readonly expectation: ExpectationReport;
}

function section(page: Page, verdict: VerdictName, tone: 'unsure' | 'quiet', title: string): Section {
  const { report, options, paint } = page;
  const left: LeftOut[] = report.cases.flatMap((one) =>
    one.expectations.filter((each) => each.verdict === verdict).map((expectation) => ({ one, expectation })),
  );
  if (left.length === 0) return [];
  const heading = `${title}: ${count(left.length, 'expectation')} in ${count(casesOf(left).length, 'case')}`;
  const groups = [...groupBy(left, ({ expectation }) => reasonOf(expectation))];
  return [
    paint('strong', paint(tone, heading)),
    // What can be enabled stands first.
    ...groups
      .toSorted(([, a], [, b]) => Number(isEnabled(b)) - Number(isEnabled(a)))
      .flatMap(([reason, group]) => {
        const most = options.detail === 'verbose' ? Infinity : MOST_CASES;
        return [...hang('  - ', reason, options.width), ...hang('    ', someOf(casesOf(group), most), options.width)];
      }),
  ];
}

function casesOf(left: readonly LeftOut[]): string[] {
  return [...new Set(left.map(({ one }) => one.id))];
}

function isEnabled(left: readonly LeftOut[]): boolean {
  return left.some(({ expectation }) => (expectation.enabledBy ?? []).length > 0);
}

function reasonOf({ reason = 'no reason was given', enabledBy = [] }: ExpectationReport): string {
  const settings = enabledBy.map((name) => inert(settingFor(name)));
  const remedy = settings.length === 0 ? '' : ` Enable with ${settings.join(' and ')}.`;
  const sentence = inert(reason, 300);
  return `${sentence}${/[.!?…)]$/.test(sentence) ? '' : '.'}${remedy}`;
}
