/** The report of a watch: what its last round decided takes the place of what was known, and the rest stays. */
import { EXIT } from '../exit-codes.ts';
import { withoutUndefined } from '../json.ts';
import { countReported, groupBy, isBroken, worstVerdict } from './counts.ts';
import { runOutcome } from './outcome.ts';
import type { CaseReport, ExpectationReport, Report } from './report.ts';

const isDecided = ({ verdict }: { readonly verdict: string }): boolean =>
  verdict !== 'inconclusive' && verdict !== 'skipped';

/** `number`: of the round, which asked only some cases, or was ended early. */
export function joinRound(before: Report, round: Report, number: number): Report {
  // Every round has exchanges of the same names.
  const rename = (id: string): string => `${id}@${number}`;
  const asked = new Map(round.cases.map((each) => [each.id, renameExchanges(each, rename)]));
  const isComplete = round.ending.kind === 'complete';
  const cases = before.cases.map((each) => joinCase(each, asked.get(each.id), isComplete));
  const verdicts = cases.flatMap(({ id, expectations }) => expectations.map((each) => ({ ...each, case: id })));
  const byClause = groupBy(verdicts, ({ clause }) => clause);
  const clauses = before.clauses.map((clause, place) => {
    const verdict = worstVerdict((byClause.get(clause.id) ?? []).map((each) => each.verdict));
    return { ...clause, ...withoutUndefined({ explanation: round.clauses[place]?.explanation, verdict }) };
  });
  const { strict } = before;
  const isCut = isComplete && verdicts.some(({ reason }) => reason?.kind === 'run-ended');
  // An interrupt ends the watch, and says nothing about the gateway.
  const { ending } = isCut || round.ending.kind === 'interrupted' ? before : round;
  const outcome = runOutcome({ verdicts, clauses, ending, strict, staleWaiver: false });
  const shown = JSON.stringify(cases);
  const own = round.exchanges.map((exchange) => ({ ...exchange, id: rename(exchange.id) }));
  return {
    ...before,
    ...countReported(cases, clauses),
    cases,
    clauses,
    ending,
    // Answers of different times: nothing of it says that the gateway conforms now.
    outcome: outcome.exit === EXIT.passed ? { ...outcome, name: 'not-judged', exit: EXIT.notJudged } : outcome,
    notices: [...before.notices.filter(({ kind }) => kind !== 'rounds'), { kind: 'rounds', count: number }],
    provenance: { ...before.provenance, endedAt: round.provenance.endedAt },
    exchanges: [
      ...before.exchanges.filter(({ id }) => !id.includes('@') || shown.includes(JSON.stringify(id))),
      ...own,
    ],
  };
}

/** `isComplete`: the round was not ended early. */
function joinCase(before: CaseReport, now: CaseReport | undefined, isComplete: boolean): CaseReport {
  if (!now) return before;
  const byClause = new Map(now.expectations.map((each) => [each.clause, each]));
  const expectations = before.expectations.map((each) => {
    const next = byClause.get(each.clause);
    return next && isNews(each, next, now, isComplete) ? next : each;
  });
  if (expectations.every((each, place) => each === before.expectations[place])) return before;
  const { partial: _partial, ...rest } = now;
  return { ...rest, expectations, verdict: worstVerdict(expectations.map(({ verdict }) => verdict)) ?? 'skipped' };
}

function isNews(before: ExpectationReport, now: ExpectationReport, { base, partial }: CaseReport, isComplete: boolean) {
  // A case without a request of its own holds only once everything that it looks at was asked.
  if (isDecided(now)) return isComplete || base !== undefined || isBroken(now);
  // What no longer comes up is not known to be broken any more.
  const isGone = isBroken(before) && (now.verdict === 'skipped' || partial === true);
  return isComplete && (isGone || !isDecided(before));
}

function renameExchanges(testCase: CaseReport, rename: (id: string) => string): CaseReport {
  return JSON.parse(JSON.stringify(testCase), (key, value: unknown) => {
    if (key === 'exchange') return rename(String(value));
    return key === 'exchanges' ? (value as readonly string[]).map(rename) : value;
  }) as CaseReport;
}
