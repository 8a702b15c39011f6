/** Cases that could not be judged, by reason: inconclusive ones, and with `--verbose` also skipped ones. */
import { inert } from '../../text/inert.ts';
import { count, hang, listFirst } from '../../text/layout.ts';
import { countLeftOut } from '../headings.ts';
import { leftOutByReason } from '../left-out.ts';
import type { Page, Section } from './page.ts';

const MAX_CASES = 4;

export function inconclusiveSection(page: Page): Section {
  return section(page, 'inconclusive', 'Inconclusive', '?');
}

export function skippedSection(page: Page): Section {
  return section(page, 'skipped', 'Skipped, at least in part', '-');
}

function section(page: Page, verdict: 'inconclusive' | 'skipped', title: string, mark: string): Section {
  const { report, options, paint } = page;
  const reasons = leftOutByReason(report, verdict);
  if (reasons.length === 0) return [];
  const heading = `${title}: ${countLeftOut(report, verdict)}`;
  const most = options.detail === 'verbose' ? Infinity : MAX_CASES;
  return [
    paint('strong', paint(verdict === 'skipped' ? 'quiet' : 'unsure', heading)),
    ...reasons.flatMap(({ reason, cases }) => [
      ...hang(`  ${mark} `, `${reason} (${count(cases.length, 'case')})`, options.width),
      ...hang(
        '    ',
        listFirst(
          cases.map((id) => inert(id)),
          most,
        ),
        options.width,
      ),
    ]),
  ];
}
