/** One cause of a JUnit file, as a test of its own: a CI then counts the same failures as every other format. */
import type { Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { listFirst } from '../../text/layout.ts';
import { excuseOf, formatExcuse } from '../excused.ts';
import { findingSentence, formatFinding, listFacts, type Place } from '../finding-text.ts';
import { formatFurther } from '../seen-text.ts';
import type { PageEntry } from '../html/entries.ts';
import { junitSeconds } from './junit-times.ts';
import type { Element } from './junit-xml.ts';

/** The suite of all causes. */
export const CAUSES = 'causes';

const MAX_CASES = 20;
const MAX_MESSAGE_LENGTH = 2000;

type CauseOutcome = 'passed' | 'failure' | 'skipped';

/** A warning fails nothing; skipped is the only other outcome that a CI shows with a reason. */
function causeOutcome({ verdict, excused }: PageEntry): CauseOutcome {
  if (excused) return 'skipped';
  return verdict === 'fail' ? 'failure' : 'passed';
}

export function formatCauseTest(report: Report, entry: PageEntry): Element {
  const outcome = causeOutcome(entry);
  const { cases, expectation } = entry;
  const lines = [
    ...factLines(report, entry, formatFurther(entry)),
    `Cases        ${inert(listFirst(cases, MAX_CASES), 2_000)}`,
  ];
  const message = inert(findingSentence(report, entry), MAX_MESSAGE_LENGTH);
  const shown = { name: 'system-out', attributes: {}, lines };
  const children: Record<CauseOutcome, readonly Element[]> = {
    failure: [{ name: 'failure', attributes: { type: inert(expectation.clause), message }, lines }],
    skipped: [{ name: 'skipped', attributes: { message: excuseWords(report, entry) } }, shown],
    passed: [shown],
  };
  return {
    name: 'testcase',
    attributes: { name: inert(entry.anchor), classname: `wirecheck.${CAUSES}`, time: junitSeconds(0) },
    children: children[outcome],
  };
}

/** `further`: in which other answers the fault shows. */
export function factLines(report: Report, place: Place, further = ''): readonly string[] {
  return listFacts(formatFinding(report, place)).map(
    ({ name, label, text }) => `${label.padEnd(13)}${text}${name === 'actual' && further ? `, ${further}` : ''}`,
  );
}

/** Why a finding does not count. */
export function excuseWords(report: Report, place: Place): string {
  return inert(formatExcuse(report, place) ?? excuseOf(place) ?? '', MAX_MESSAGE_LENGTH);
}
