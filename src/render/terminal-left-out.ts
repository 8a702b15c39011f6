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
  const cases = new Set(left.map(({ one }) => one.id)).size;
  const lines = [
    paint('strong', paint(tone, `${title}: ${count(left.length, 'expectation')} in ${count(cases, 'case')}`)),
  ];
  for (const [reason, group] of groupBy(left, ({ expectation }) => reasonOf(expectation))) {
    const ids = [...new Set(group.map(({ one }) => one.id))];
    lines.push(...hang('  - ', reason, options.width));
    lines.push(...hang('    ', someOf(ids, options.detail === 'verbose' ? Infinity : MOST_CASES), options.width));
  }
  return lines;
}

function reasonOf({ reason = 'no reason was given', enabledBy = [] }: ExpectationReport): string {
  const settings = enabledBy.map((name) => inert(settingFor(name)));
  const remedy = settings.length === 0 ? '' : ` Enable with ${settings.join(' and ')}.`;
  const sentence = inert(reason, 300);
  return `${sentence}${/[.!?…)]$/.test(sentence) ? '' : '.'}${remedy}`;
}
