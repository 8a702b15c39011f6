/** The report of a watch: what its last round decided takes the place of what was known, and the rest stays. */
import { EXIT } from '../exit-codes.ts';
import { withoutUndefined } from '../json.ts';
import { countReported, groupBy, worstVerdict } from './counts.ts';
import { runOutcome } from './outcome.ts';
import type { CaseReport, Report } from './report.ts';

const isDecided = ({ verdict }: { readonly verdict: string }): boolean =>
  verdict !== 'inconclusive' && verdict !== 'skipped';

/** `number`: of the round, which asked only some cases, or was ended early. */
export function joinRound(before: Report, round: Report, number: number): Report {
  // Every round has exchanges of the same names.
  const rename = (id: string): string => `${id}@${number}`;
  const asked = new Map(round.cases.map((each) => [each.id, renameExchanges(each, rename)]));
  const cases = before.cases.map((each) => joinCase(each, asked.get(each.id)));
  const verdicts = cases.flatMap(({ id, expectations }) => expectations.map((each) => ({ ...each, case: id })));
  const byClause = groupBy(verdicts, ({ clause }) => clause);
  const clauses = before.clauses.map((clause, place) => {
    const verdict = worstVerdict((byClause.get(clause.id) ?? []).map((each) => each.verdict));
    return { ...clause, ...withoutUndefined({ explanation: round.clauses[place]?.explanation, verdict }) };
  });
  const { ending, strict } = before;
  const outcome = runOutcome({ verdicts, clauses, ending, strict, staleWaiver: false });
  const shown = new Set(cases.flatMap(exchangesOf));
  const own = round.exchanges.map((exchange) => ({ ...exchange, id: rename(exchange.id) }));
  return {
    ...before,
    ...countReported(cases, clauses),
    cases,
    clauses,
    // Answers of different times: nothing of it says that the gateway conforms now.
    outcome: outcome.exit === EXIT.passed ? { ...outcome, name: 'not-judged', exit: EXIT.notJudged } : outcome,
    notices: [...before.notices.filter(({ kind }) => kind !== 'rounds'), { kind: 'rounds', count: number }],
    provenance: { ...before.provenance, endedAt: round.provenance.endedAt },
    exchanges: [...before.exchanges.filter(({ id }) => !id.includes('@') || shown.has(id)), ...own],
  };
}

function joinCase(before: CaseReport, now: CaseReport | undefined): CaseReport {
  if (!now || !now.expectations.some(isDecided)) return before;
  const decided = new Map(now.expectations.filter(isDecided).map((each) => [each.clause, each]));
  const expectations = before.expectations.map((each) => decided.get(each.clause) ?? each);
  const { partial: _partial, ...rest } = now;
  const verdict = worstVerdict(expectations.map((each) => each.verdict)) ?? 'skipped';
  return { ...rest, expectations, verdict };
}

function exchangesOf({ exchange, expectations }: CaseReport): readonly string[] {
  const named = expectations.flatMap(({ exchanges, findings }) => [
    ...exchanges,
    ...findings.map((finding) => finding.exchange),
  ]);
  return exchange === undefined ? named : [exchange, ...named];
}

function renameExchanges(testCase: CaseReport, rename: (id: string) => string): CaseReport {
  return JSON.parse(JSON.stringify(testCase), (key, value: unknown) => {
    if (key === 'exchange') return rename(String(value));
    return key === 'exchanges' ? (value as readonly string[]).map(rename) : value;
  }) as CaseReport;
}
