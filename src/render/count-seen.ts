/** In how many answers a fault shows, or cases, where only theirs were judged by the clause. */
import type { ExchangeReport } from '../report/exchange-report.ts';
import type { CaseReport, Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { isAboutRequests } from './client-text.ts';

export type SeenUnit = 'answer' | 'request' | 'scenario' | 'case' | 'call of its case' | 'upstream call';

/** A finding of a case. */
interface Showing {
  readonly case: CaseReport;
  readonly finding?: CaseReport['expectations'][number]['findings'][number] | undefined;
}

/** What is counted. `members` are all that show the fault, led by the one that is shown. */
export function unitOf(
  report: Report,
  members: readonly Showing[],
  exchanges: ReadonlyMap<string, ExchangeReport>,
): SeenUnit {
  const [first] = members;
  const { isCaller, hasUpstream } = traitsOf(report);
  // A client is judged by what it made of a scenario, or by a request that it sent.
  if (isCaller) return first && isAboutRequests(first.case) ? 'request' : 'scenario';
  // Every drawn request is judged by every clause that holds for it.
  if (!hasUpstream || report.explore) return 'answer';
  // Other answers of a relay may have the same fault, but no case compared them with the upstream in this.
  if (members.every((member) => member.case.exchange !== undefined)) {
    return countCases(members) === 1 && countAnswers(members) > 1 ? 'call of its case' : 'case';
  }
  return exchanges.get(first?.finding?.exchange ?? '')?.side === 'upstream' ? 'upstream call' : 'answer';
}

export function countSeen(unit: SeenUnit, members: readonly Showing[]): number {
  return unit === 'case' ? countCases(members) : countAnswers(members);
}

function countCases(members: readonly Showing[]): number {
  return new Set(members.map((member) => member.case.id)).size;
}

export function countAnswers(members: readonly Showing[]): number {
  const findings = members.flatMap(({ finding }) => finding ?? []);
  const answers = new Set(findings.map(({ exchange, attempt }) => `${exchange}#${attempt}`));
  return findings.reduce((sum, { moreAnswers = 0 }) => sum + moreAnswers, answers.size);
}
