/** A comparison for coding agents and scripts, by the same rules as a report: `src/render/agent`. */

import { EXIT, type SummaryExit } from '../../exit-codes.ts';
import {
  type Change,
  CHANGES,
  type ComparedRun,
  type Comparison,
  type ComparisonNotice,
  FAIL_ON,
  type FoldedChange,
} from '../../report/comparison/comparison.ts';
import { groupBy } from '../../report/counts.ts';
import { inert } from '../../text/inert.ts';
import { count, listFirst } from '../../text/layout.ts';
import { MAX_SIZE, sizeOf, takeWhileFits } from '../agent/agent-size.ts';
import { formatExitLine } from '../agent/exit-line.ts';
import { quoteLines } from '../agent/target-lines.ts';
import { disarmLines } from '../github/github-commands.ts';
import { formatTitle } from './change-titles.ts';
import {
  fingerprintsOf,
  formatEvidence,
  formatRemark,
  formatResult,
  formatScope,
  MAX_FINGERPRINTS,
} from './comparison-text.ts';
import { listRemarks } from './notice-text.ts';
import { sectionsOf } from './sections.ts';

const MEANINGS: Readonly<Record<SummaryExit, string>> = {
  [EXIT.passed]: 'nothing changed that --fail-on names',
  [EXIT.failed]: 'something changed that --fail-on names',
  [EXIT.notJudged]: 'too little could be compared',
};

/** Characters. */
const MAX_COMMAND = 600;
const MAX_REMARKS = 5;
const MAX_CASES = 6;

export function comparisonAgent(comparison: Comparison): string {
  const { exit } = comparison;
  const entries = sectionsOf(comparison).flatMap((section) => section.entries);
  const counting = entries.filter(({ change }) => doesCount(change, comparison));
  const head = headLines(comparison);
  const last = [...otherLines(entries, comparison), formatExitLine(exit, MEANINGS[exit])];
  const quotes = !comparison.old.withoutBodies && !comparison.new.withoutBodies;
  const room = MAX_SIZE - sizeOf([...head, ...last]) - 200;
  const shown = takeWhileFits(counting, room, (folded, index) => ['', ...changeLines(folded, index + 1, quotes)]);
  const left = counting.length - shown.length;
  const more = left === 0 ? [] : ['', `${count(left, 'more cause')} without details: add --reporter json=FILE`];
  return disarmLines(`${[...head, ...shown.flat(), ...more, '', ...last].join('\n')}\n`);
}

/** Names of models are the target's. */
const OWN_NOTICES: ReadonlySet<ComparisonNotice['kind']> = new Set([
  'wrong-order',
  'same-run',
  'different-contracts',
  'bodies-missing',
  'redefined',
  'other-limits',
  'fixed',
  'waiver-expired',
  'waiver-idle',
]);

function headLines(comparison: Comparison): readonly string[] {
  const notices = comparison.notices.filter(({ kind }) => OWN_NOTICES.has(kind));
  const runLine = (name: string, { source, baseUrl, startedAt }: ComparedRun): string =>
    `${name}: ${inert(source, 300)}, ${inert(baseUrl, 300)}, ${inert(startedAt, 40)}`;
  return [
    inert(formatResult(comparison), 1000),
    runLine('Old', comparison.old),
    runLine('New', comparison.new),
    formatScope(comparison),
    ...listRemarks({ obstacles: comparison.obstacles, notices })
      .slice(0, MAX_REMARKS)
      .map((remark) => `Note: ${inert(remark, 300)}`),
  ];
}

/** Whether it fails the comparison. */
function doesCount({ kind, excused }: Change, { failOn }: Comparison): boolean {
  const severity = FAIL_ON.findIndex((each) => each === kind);
  return excused === undefined && severity !== -1 && severity <= FAIL_ON.indexOf(failOn);
}

/** `Warnings, which do not count: A field has a different type (1); --fail-on warning shows them with details` */
function otherLines(entries: readonly FoldedChange[], comparison: Comparison): readonly string[] {
  const open = (['warning', 'drift'] as const).flatMap((kind) => {
    const own = entries.filter(({ change }) => change.kind === kind && change.excused === undefined);
    const left = own.filter(({ change }) => !doesCount(change, comparison));
    return left.length === 0 ? [] : [`${NAMES[kind]}: ${listRules(left)}; --fail-on ${kind} shows them with details`];
  });
  const waived = entries.filter(({ change }) => change.excused);
  return waived.length === 0 ? open : [...open, `Waived, which do not count: ${listRules(waived)}`];
}

function listRules(entries: readonly FoldedChange[]): string {
  const groups = groupBy(entries, ({ change }) => CHANGES[change.what].rule);
  return [...groups].map(([rule, { length }]) => `${rule} (${length})`).join(', ');
}

const NAMES = { warning: 'Warnings, which do not count', drift: 'Drift, which does not count' } as const;

function changeLines(folded: FoldedChange, number: number, quotes: boolean): readonly string[] {
  const { change, others } = folded;
  const { what, kind, clause, place, old, new: now } = change;
  const where = [place.endpoint, place.mode, place.status === undefined ? undefined : `status ${place.status}`];
  const cases = [change, ...others].flatMap((each) => each.place.case ?? []).map((id) => inert(id));
  const known = where.filter((part) => part !== undefined);
  const remark = formatRemark(change);
  return [
    `[${number}] ${kind}: ${CHANGES[what].rule}${clause === undefined ? '' : ` (${inert(clause)})`}`,
    ...(known.length === 0 ? [] : [`Where: ${known.join(', ')}`]),
    ...(cases.length === 0 ? [] : [`Cases: ${listFirst(cases, MAX_CASES)}`]),
    `Fingerprint: ${listFirst(
      fingerprintsOf(folded).map(({ id }) => inert(id)),
      MAX_FINGERPRINTS,
    )}`,
    ...(remark === undefined ? [] : [`Note: ${inert(remark, 400)}`]),
    ...(change.explain === undefined ? [] : [`Explain: ${inert(change.explain, MAX_COMMAND)}`]),
    ...(quotes
      ? quoteLines([
          inert(formatTitle(folded), 200),
          `Before: ${formatEvidence(change, old)}`,
          `Now: ${formatEvidence(change, now)}`,
        ])
      : []),
  ];
}
