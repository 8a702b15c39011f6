/** The exchanges that findings show, each with a command that repeats it. */
import type { Step } from '../../plan/plan.ts';
import type { Finding } from '../../verdict/verdict.ts';
import type { CaseReport, ExpectationReport, Report } from '../report.ts';
import type { ExchangeReport } from '../exchange-report.ts';
import { curlCommand, repeatByCase } from './repeat-command.ts';
import type { RepeatedRun } from './repeat-settings.ts';

/** Exchanges with a finding about a status, a header or a whole body, rather than about a place in the body. */
export function exchangesWithHeadPoint(
  verdicts: readonly { readonly findings: readonly Finding[] }[],
): ReadonlySet<string> {
  const points = verdicts.flatMap(({ findings }) => findings.filter(({ pointer }) => pointer === undefined));
  return new Set(points.map(({ exchange }) => exchange));
}

/** Adds a command to each exchange that a finding shows, and the edits of a request that no case of the report sent. */
export function describeShown(
  exchanges: readonly ExchangeReport[],
  cases: readonly CaseReport[],
  steps: readonly Step[],
  run: RepeatedRun,
): readonly ExchangeReport[] {
  const expectations = cases.flatMap((testCase) => testCase.expectations);
  const shown = new Set(expectations.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)));
  const sent = new Set(cases.flatMap(({ exchange }) => exchange ?? []));
  const withHead = exchangesWithHeadPoint(expectations);
  return exchanges.map((exchange) => {
    const { id } = exchange;
    if (!shown.has(id)) return exchange;
    const edits = sent.has(id) ? undefined : steps.find((step) => step.id === id.replace(/~.*$/, ''))?.edits;
    const repeat = curlCommand(exchange, run, withHead.has(id));
    return { ...exchange, ...(edits && { edits }), ...(repeat !== undefined && { repeat }) };
  });
}

/** The command for a finding: its request, or else its case. A foreign recording has no cases that could be sent again. */
export function repeatOfFinding(
  { target, provenance, subject, cost, exchanges }: Report,
  testCase: CaseReport,
  exchange: string | undefined,
): string | undefined {
  const curl = exchanges.find(({ id }) => id === exchange)?.repeat;
  if (curl !== undefined) return curl;
  const isOwn = subject !== undefined || exchange === undefined || exchange === testCase.exchange;
  if (isOwn || cost.most.requests === 0) return testCase.repeat;
  return repeatByCase({ ...target, ...provenance }, testCase.id);
}

/** Rarer faults are not worth the answers that it takes to see them. */
const MAX_ONE_IN = 100;

/**
 * For a fault that one more request may not show: asks until it shows, and at most as often as a fault half as rare again
 * would need. Undefined if nothing can be sent again.
 */
export function repeatUntilSeen(
  { target, provenance, subject, cost }: Report,
  { id }: CaseReport,
  { answers, level }: ExpectationReport,
): string | undefined {
  if (!answers || subject !== undefined || cost.most.requests === 0) return undefined;
  const detect = Math.min(MAX_ONE_IN, Math.max(2, Math.ceil((1.5 * answers.judged) / answers.broken)));
  const settings = { ...provenance.settings, detect, ...(level === 'should' && { strict: true }) };
  return `${repeatByCase({ ...target, ...provenance, settings }, id)} --bail`;
}
