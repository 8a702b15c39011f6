/** The verdict of a run as a whole, and its exit code. */
import type { Clause, Level } from '../contract/clause.ts';
import type { Ending } from '../exchange/traffic.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Outcome } from './report.ts';

export interface OutcomeInput {
  readonly verdicts: readonly Verdict[];
  readonly clauses: readonly Clause[];
  /** Levels that the user changed. */
  readonly levels: Readonly<Record<string, Level>>;
  readonly ending: Ending;
  readonly strict: boolean;
}

/** Endings after which something was left unasked that the user wanted to know. */
const UNFINISHED: Record<Ending['kind'], boolean> = {
  complete: false,
  unreachable: true,
  'key-refused': true,
  'not-this-api': true,
  'no-model': true,
  'stopped-answering': true,
  budget: true,
  bailed: true,
  interrupted: true,
};

export function outcomeOf(input: OutcomeInput): Outcome {
  const { verdicts, ending, strict } = input;
  const counts = ({ level }: Verdict): boolean => level === 'must' || (strict && level === 'should');
  const failed = verdicts.some(({ verdict }) => verdict === 'fail');
  const undecided = verdicts.some((one) => one.verdict === 'inconclusive' && counts(one));
  const judgedAnything = verdicts.some(({ verdict }) => verdict === 'pass' || verdict === 'warn' || verdict === 'observed');
  const coverage = coverageOf(input);
  if (failed) return { name: 'does-not-conform', exit: ending.kind === 'interrupted' ? 130 : 1, ...coverage };
  if (ending.kind === 'interrupted') return { name: 'not-judged', exit: 130, ...coverage };
  if (undecided || UNFINISHED[ending.kind] || !judgedAnything) return { name: 'not-judged', exit: 3, ...coverage };
  const whole = coverage.mustJudged === coverage.mustClauses;
  return { name: whole ? 'conforms' : 'conforms-in-part', exit: 0, ...coverage };
}

/** A must that the user lowered was not judged as the contract asks for, so it does not count. */
function coverageOf({ verdicts, clauses, levels }: OutcomeInput): Pick<Outcome, 'mustClauses' | 'mustJudged'> {
  const must = clauses.filter(({ level, scope }) => level === 'must' && scope === 'run');
  const judged = new Set(
    verdicts.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail').map(({ clause }) => clause),
  );
  return {
    mustClauses: must.length,
    mustJudged: must.filter(({ id }) => judged.has(id) && (levels[id] ?? 'must') === 'must').length,
  };
}
