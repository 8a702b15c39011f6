/** Cases that were answered only because wirecheck asked again. Every text is inert. */
import type { CaseReport, Report } from '../report/report.ts';
import type { AttemptReport } from '../report/exchange-report.ts';
import { formatBodyEnd } from './body-end-text.ts';
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';

export interface FlakyCases {
  /** `2 cases answered only on a retry` */
  readonly heading: string;
  /** The id of each case, and what came first: `500, then 200`. */
  readonly cases: readonly { readonly id: string; readonly answers?: string }[];
}

export function flakyCases(report: Report): FlakyCases {
  // An intermittent failure is among the failures.
  const cases = report.cases.filter(
    ({ flaky, expectations }) => flaky && !expectations.some(({ intermittent }) => intermittent),
  );
  return {
    heading: `${count(cases.length, 'case')} answered only on a retry`,
    cases: cases.map((testCase) => {
      const answers = formatAnswers(report, testCase);
      return { id: inert(testCase.id), ...(answers !== undefined && { answers }) };
    }),
  };
}

/** Undefined if the retry is not in the case's own exchange. */
function formatAnswers(report: Report, { exchange }: CaseReport): string | undefined {
  const { attempts = [] } = report.exchanges.find(({ id }) => id === exchange) ?? {};
  return attempts.length < 2 ? undefined : attempts.map(formatAttempt).join(', then ');
}

function formatAttempt({ answer }: AttemptReport): string {
  if (!answer) return 'no answer';
  const end = formatBodyEnd(answer.body.end);
  return `${answer.status}${end === undefined ? '' : ` (${end})`}`;
}

/** On repeating an answer with 5xx, if the target also gave some that passed. */
export function flakyTries(report: Report, exchange: string | undefined): string | undefined {
  const { attempts = [] } = report.exchanges.find(({ id }) => id === exchange) ?? {};
  const passing = (attempts.at(-1)?.answer?.status ?? 0) >= 500 ? countPassingErrors(report) : 0;
  if (passing === 0) return undefined;
  return `${count(passing, 'other request')} got a 5xx first and an answer on a later try, so that it may take several tries to repeat it.`;
}

/** Requests that were answered with 5xx first, and properly on a retry. */
function countPassingErrors({ exchanges }: Report): number {
  const isError = (attempt: AttemptReport | undefined): boolean => (attempt?.answer?.status ?? 0) >= 500;
  return exchanges.filter(({ attempts }) => attempts.some(isError) && !isError(attempts.at(-1))).length;
}
