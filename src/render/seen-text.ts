/** In how many answers a fault shows, and in which other forms. */
import type { Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { count } from '../text/layout.ts';
import type { CountedAnswers } from '../verdict/verdict.ts';
import type { SeenUnit } from './count-seen.ts';
import type { Entry, ExpectationReport } from './fold.ts';
import { formatTypedActual } from './mismatch-text.ts';

/** `1 cause in 3 cases`. `noun`: what the subject of the report calls its cases. */
export function countFindings(entries: readonly Entry[], noun = 'case'): string {
  const cases = new Set(entries.flatMap((entry) => entry.cases));
  return `${count(entries.length, 'cause')} in ${count(cases.size, noun)}`;
}

/** `and in 20 more answers`, of the form that is shown; empty if there is only one. */
export function formatFurther({ answers, alike, unit, places, intermittent, share, statuses }: Entry): string {
  if (intermittent) return `intermittent: ${formatCounted(intermittent)}`;
  if (share) return `in ${formatCounted(share)}`;
  const several = statuses.length > 1 ? `, with status ${statuses.join(', ')}` : '';
  if (alike > 1) return `and in ${countOf(alike - 1, unit, 'more ')}${several}`;
  return answers <= 1 && places > 1 ? `and in ${count(places - 1, 'more place')}` : '';
}

/** `2 cases`, `3 more calls of its case` */
export function countOf(number: number, unit: SeenUnit, more: 'more ' | '' = ''): string {
  const many = unit === 'call of its case' ? 'calls of its case' : `${unit}s`;
  return count(number, `${more}${unit}`, `${more}${many}`);
}

/** `2 cases, 45 answers`, `3 scenarios` */
export function formatSeenIn(report: Report, { cases, seen, unit }: Pick<Entry, 'cases' | 'seen' | 'unit'>): string {
  const { caseWord } = traitsOf(report);
  const inCases = count(cases.length, caseWord);
  if (unit === caseWord) return inCases;
  return `${inCases}, ${unit === 'call of its case' ? count(seen, 'call') : countOf(seen, unit)}`;
}

/** `, intermittent: 9 of 40 answers`, `, in 9 of 40 answers`; empty if no answer kept the clause. */
export function formatSeenShare({ intermittent, share }: Pick<Entry, 'intermittent' | 'share'>): string {
  if (intermittent) return `, intermittent: ${formatCounted(intermittent)}`;
  return share ? `, in ${formatCounted(share)}` : '';
}

/** `90 of 257 answers with status 400, 52 of 154 with 401` */
export function formatCounted({ broken, judged, statuses = [] }: CountedAnswers): string {
  const [first, ...others] = statuses;
  if (!first) return `${broken} of ${count(judged, 'answer')}`;
  const rest = others.map((row) => `${row.broken} of ${row.judged} with ${row.status}`);
  return [`${first.broken} of ${count(first.judged, 'answer')} with status ${first.status}`, ...rest].join(', ');
}

/** Whether answers to this kind of request, with this status, also kept the clause: then one more may do so. */
export function isOfMixedKind(
  report: Report,
  { expectation, finding }: Pick<Entry, 'expectation' | 'finding'>,
): boolean {
  const shown = finding && report.exchanges.find(({ id }) => id === finding.exchange);
  if (!shown) return false;
  const { endpoint, mode, attempts } = shown;
  const status = attempts[finding.attempt]?.answer?.status;
  const { mixed = [] } = expectation;
  return mixed.some((kind) => kind.endpoint === endpoint && kind.mode === mode && kind.status === status);
}

/** Of a fold of findings. */
type Folded = Pick<Entry, 'expectation' | 'finding'> & Partial<Pick<Entry, 'forms' | 'unit'>>;

/** `200 with a list of 2 models in 45 answers; 502 in 89 more cases that could not be judged` */
export function formatForms(report: Report, entry: Folded): string | undefined {
  const { forms, unit = 'answer' } = entry;
  if (forms === undefined) return undefined;
  const texts = forms.flatMap(({ finding, seen }) =>
    finding ? [`${formatTypedActual(finding)} in ${countOf(seen, unit)}`] : [],
  );
  return [...texts, ...alikeButUnjudged(report, entry)].join('; ') || undefined;
}

/** The same status where it proves nothing, such as if the control was not answered either: the counts leave it out. */
function alikeButUnjudged(report: Report, { expectation, finding }: Folded): readonly string[] {
  const status = finding && 'status' in finding.actual ? finding.actual.status : undefined;
  if (status === undefined) return [];
  const isAlike = ({ clause, verdict, reason }: ExpectationReport): boolean =>
    clause === expectation.clause && verdict === 'inconclusive' && statusIn(reason) === status;
  const { length } = report.cases.filter(({ expectations }) => expectations.some(isAlike));
  if (length === 0) return [];
  return [`${status} in ${count(length, `more ${traitsOf(report).caseWord}`)} that could not be judged`];
}

function statusIn(reason: ExpectationReport['reason']): number | undefined {
  return reason && 'answer' in reason ? reason.answer?.status : undefined;
}
