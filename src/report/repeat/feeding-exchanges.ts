/** Exchanges that no case of the report sent: a run of selected cases also sends what these are judged by. */
import type { Step } from '../../plan/plan.ts';
import type { CaseReport, ExchangeReport } from '../report.ts';
import { repeatCommand } from './repeat-command.ts';
import type { RepeatedRun } from './repeat-settings.ts';

/** Those of them that a finding shows, with the case that judged them. */
export function judgesOfFeeding(cases: readonly CaseReport[]): ReadonlyMap<string, string> {
  const sent = new Set(cases.flatMap(({ exchange }) => exchange ?? []));
  const shown = cases
    .filter(({ repeat }) => repeat === undefined)
    .flatMap(({ id, expectations }) =>
      expectations.flatMap(({ findings }) => findings.map(({ exchange }) => [exchange, id] as const)),
    );
  return new Map(shown.filter(([exchange]) => !sent.has(exchange)));
}

/** Adds what a case would say of its own request. */
export function describeFeeding(
  exchanges: readonly ExchangeReport[],
  cases: readonly CaseReport[],
  steps: readonly Step[],
  run: RepeatedRun,
): readonly ExchangeReport[] {
  const judges = judgesOfFeeding(cases);
  return exchanges.map((exchange) => {
    const judge = judges.get(exchange.id);
    if (judge === undefined) return exchange;
    const edits = steps.find(({ id }) => id === exchange.id.replace(/~.*$/, ''))?.edits;
    return { ...exchange, ...(edits && { edits }), repeat: repeatCommand(exchange, run, judge) };
  });
}
