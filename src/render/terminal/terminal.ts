/** The report for the terminal: failures first, the verdict last. */
import { adviseOnEnding, isBarelyBegun } from '../../exchange/ending.ts';
import type { Report } from '../../report/report.ts';
import type { Format } from '../format.ts';
import { formatTarget } from '../format-target.ts';
import { listRunFlags } from '../run-flags.ts';
import { disarmLines } from '../github/github-commands.ts';
import { inert } from '../../text/inert.ts';
import { hang, wrap } from '../../text/layout.ts';
import { type Page, type Section, painter, type Tone } from './page.ts';
import { baselineSections } from './terminal-baseline.ts';
import { findingSections } from './terminal-findings.ts';
import { inconclusiveSection, skippedSection } from './terminal-left-out.ts';
import { areaTable, costLine, observationSection, timeLines, toleranceLine } from './terminal-summary.ts';
import { verboseSection } from './terminal-verbose.ts';
import { verdictLine } from '../verdict-line.ts';

const TONE_OF: Record<Report['outcome']['name'], Tone> = {
  conforms: 'good',
  'conforms-in-part': 'warn',
  'conforms-but-waived': 'warn',
  'no-new-violations': 'warn',
  'unused-waivers': 'bad',
  'does-not-conform': 'bad',
  'not-judged': 'unsure',
};

export const terminal: Format = {
  summary: 'for people: findings, skipped cases, a table and the verdict',
  render: (report, options) => {
    const page: Page = { report, options, paint: painter(options.colour) };
    const verdict = page.paint(TONE_OF[report.outcome.name], page.paint('strong', verdictLine(report)));
    if (options.detail === 'quiet') return `${verdict}\n`;
    // After wrapping, because only now is it known where lines start.
    return disarmLines(
      [...sections(page), [verdict]]
        .filter((section) => section.length > 0)
        .map((section) => `${section.join('\n')}\n`)
        .join('\n'),
    );
  },
};

function sections(page: Page): readonly Section[] {
  const { report, options } = page;
  const start = [
    heading(page),
    ...(options.detail === 'verbose' ? [verboseSection(page)] : []),
    ...findingSections(page),
    ...baselineSections(page),
  ];
  if (options.detail !== 'verbose' && isBarelyBegun(report.ending)) {
    // The cases about keys were sent all the same.
    const table = ['key-refused', 'chat-unanswered'].includes(report.ending.kind) ? areaTable(page) : [];
    return [...start, notices(page), table, ending(page)];
  }
  return [
    ...start,
    inconclusiveSection(page),
    skippedSection(page),
    observationSection(page),
    notices(page),
    areaTable(page),
    [toleranceLine(page), costLine(page), timeLines(page)].flat(),
    ending(page),
  ];
}

function heading({ report, paint }: Page): Section {
  const { target, tool } = report;
  const facts = [
    `wirecheck ${inert(tool.version)}`,
    inert(formatTarget(report)),
    ...(target.model === undefined ? [] : [`model ${inert(target.model, 60)}`]),
    ...listRunFlags(report),
  ];
  return [paint('quiet', facts.join(' · '))];
}

function notices({ report, options }: Page): Section {
  return report.notices.flatMap((notice) => hang('Note  ', inert(notice, 600), options.width));
}

function ending({ report, options, paint }: Page): Section {
  const sentence = adviseOnEnding(report.ending, report.target.baseUrl);
  return sentence === undefined ? [] : wrap(sentence, options.width).map((line) => paint('strong', line));
}
