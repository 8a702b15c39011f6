/** The verdict of a run as a whole, and its exit code. */
import type { Clause, Level } from '../contract/clause.ts';
import type { Ending } from '../exchange/traffic.ts';
import type { ExcusedVerdict } from './exemptions/excuse.ts';
import { countsAsFailed } from './exemptions/expected.ts';
import type { Outcome } from './report.ts';

export interface OutcomeInput {
  readonly verdicts: readonly ExcusedVerdict[];
  readonly clauses: readonly Clause[];
  /** Levels that the user changed. */
  readonly levels: Readonly<Record<string, Level>>;
  readonly ending: Ending;
  readonly strict: boolean;
  /** A waiver is of no use any more, and the user wants to be stopped by that. */
  readonly staleWaiver: boolean;
}

/** Endings after which something was left unasked that the user wanted to know. */
const UNFINISHED: Record<Ending['kind'], boolean> = {
  complete: false,
  unreachable: true,
  'key-refused': true,
  'not-this-api': true,
  'no-model': true,
  'stopped-answering': true,
  'rate-limited': true,
  budget: true,
  bailed: true,
  interrupted: true,
  'recording-cut': true,
};

export function outcomeOf(input: OutcomeInput): Outcome {
  const { verdicts, ending, strict } = input;
  const counts = ({ level }: ExcusedVerdict): boolean => level === 'must' || (strict && level === 'should');
  const failed = verdicts.some(countsAsFailed);
  const undecided = verdicts.some((one) => one.verdict === 'inconclusive' && counts(one));
  const judgedAnything = verdicts.some(({ verdict }) => verdict !== 'inconclusive' && verdict !== 'skipped');
  const coverage = coverageOf(input);
  // The gateway is not to blame for it, so the name of the outcome stays.
  const stale = input.staleWaiver ? 1 : undefined;
  if (failed) return { name: 'does-not-conform', exit: ending.kind === 'interrupted' ? 130 : 1, ...coverage };
  if (ending.kind === 'interrupted') return { name: 'not-judged', exit: 130, ...coverage };
  if (undecided || UNFINISHED[ending.kind] || !judgedAnything)
    return { name: 'not-judged', exit: stale ?? 3, ...coverage };
  return { name: nameOfConforming(verdicts, coverage), exit: stale ?? 0, ...coverage };
}

/** Nothing that counts is broken. Only if nothing was excused either is that said without reserve. */
function nameOfConforming(verdicts: readonly ExcusedVerdict[], coverage: Coverage): Outcome['name'] {
  const excuses = new Set(verdicts.filter(({ verdict }) => verdict === 'fail').map(({ excused }) => excused));
  if (excuses.has('standing')) return 'no-new-violations';
  if (excuses.has('waived')) return 'conforms-but-waived';
  return coverage.mustJudged === coverage.mustClauses ? 'conforms' : 'conforms-in-part';
}

type Coverage = Pick<Outcome, 'mustClauses' | 'mustJudged'>;

/** A must that the user lowered was not judged as the contract asks for, so it does not count. */
function coverageOf({ verdicts, clauses, levels }: OutcomeInput): Coverage {
  const must = clauses.filter(({ level, scope }) => level === 'must' && scope === 'run');
  const judged = new Set(
    verdicts.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail').map(({ clause }) => clause),
  );
  return {
    mustClauses: must.length,
    mustJudged: must.filter(({ id }) => judged.has(id) && (levels[id] ?? 'must') === 'must').length,
  };
}
