/** Broken clauses of a run that do not count, in the words of every format of a board. */
import { type Excuse, EXCUSES } from '../../report/excuses/excuse-report.ts';
import { EXCUSE_WORDS, formatExcusedParts } from '../excused.ts';
import type { ReportSummary } from './summary.ts';

type Excused = Pick<ReportSummary, 'excused'>;

/** Undefined if the clause counts, or is not broken. */
export function excuseIn({ excused }: Excused, clause: string): Excuse | undefined {
  return excused.find((each) => each.clause === clause)?.excuse;
}

/** ` (waived)`; empty if the clause counts. */
export function formatExcuseIn(run: Excused, clause: string): string {
  const excuse = excuseIn(run, clause);
  return excuse ? ` (${EXCUSE_WORDS[excuse]})` : '';
}

/** ` (1 waived, 1 in the baseline)`, of all broken clauses of these levels; empty if all of them count. */
export function formatExcusedOf(
  { excused }: Excused,
  broken: Readonly<Partial<Record<'must' | 'should', number>>>,
): string {
  const own = excused.filter(({ level }) => Object.hasOwn(broken, level));
  const [waived = 0, known = 0] = EXCUSES.map((excuse) => own.filter((each) => each.excuse === excuse).length);
  const all = Object.values(broken).reduce((sum, number) => sum + number, 0);
  return formatExcusedParts(all, { waived, known });
}

/** `2 broken, 1 waived`: how many of the clauses count, and how many are excused in which way. */
export function countByExcuse(run: Excused, clauses: readonly string[]): readonly string[] {
  const excuses = clauses.map((clause) => excuseIn(run, clause));
  return [undefined, ...EXCUSES].flatMap((excuse) => {
    const number = excuses.filter((each) => each === excuse).length;
    return number === 0 ? [] : [`${number} ${excuse ? EXCUSE_WORDS[excuse] : 'broken'}`];
  });
}
