/** Judges cases of any subject. Turns check results into verdicts, by the level of the clause. No other module does. */

import type { Contract, Level } from '../contract/contract.ts';
import type { Settings } from '../settings.ts';
import type { AnyCase, Expectation } from '../suite/case.ts';
import { quoteText } from '../text/quote.ts';
import { isOwnCheck } from './check.ts';
import { type AskedFor, fingerprintOf } from './finding.ts';
import { inconclusive } from './check-result.ts';
import type { CheckResult, Finding, NotJudged, Verdict } from './verdict.ts';

/** Exchanges listed per verdict. Each finding names its own as well. */
export const MAX_LISTED = 3;

/** What a check made of a case. */
export interface Executed {
  readonly result: CheckResult;
  /** Ids of the exchanges that it looked at. */
  readonly exchanges: readonly string[];
  readonly counted?: Pick<Verdict, 'answers' | 'intermittent' | 'shared'>;
}

/** How a subject is judged. `Evidence` is one of its cases, with what was gathered for it. */
export interface Judging<Evidence extends { readonly case: AnyCase }, Check> {
  readonly contract: Contract;
  readonly settings: Pick<Settings, 'strict'>;
  /** The keys are the names that suites use. */
  readonly checks: Readonly<Record<string, Check>>;
  /** Why the check is not asked; undefined if it is. */
  whyNot(evidence: Evidence, check: Check, level: Level): NotJudged | undefined;
  execute(evidence: Evidence, check: Check, expectation: Expectation): Executed;
  /** Which request an exchange was, for fingerprints. */
  requestOf(exchange: string, evidence: Evidence): AskedFor | undefined;
}

/** A verdict on every expectation of every case. */
export function judgeCases<Evidence extends { readonly case: AnyCase }, Check>(
  cases: readonly Evidence[],
  judging: Judging<Evidence, Check>,
): readonly Verdict[] {
  return cases.flatMap((evidence) =>
    evidence.case.expect.map((expectation) => judgeExpectation(evidence, expectation, judging)),
  );
}

function judgeExpectation<Evidence extends { readonly case: AnyCase }, Check>(
  evidence: Evidence,
  expectation: Expectation,
  judging: Judging<Evidence, Check>,
): Verdict {
  const { contract, settings, checks } = judging;
  const { id } = evidence.case;
  const clause = contract.clause(expectation.clause);
  if (!clause || clause.level === 'none') throw new Error(`${id} judges ${expectation.clause}, which cannot be judged`);
  const check = checks[expectation.check];
  if (!check) throw new Error(`${id} asks for the check ${expectation.check}, which does not exist`);
  const { level = clause.level } = expectation;
  const about = { case: id, clause: clause.id, kind: clause.kind, level, check: expectation.check };
  const frame = { ...about, flaky: false, findings: [], observations: [], exchanges: [] };
  const not = judging.whyNot(evidence, check, level);
  if (not) return { ...frame, verdict: not.kind, reason: not.reason };
  const { result, exchanges, counted } = executeSafely(expectation.check, () =>
    judging.execute(evidence, check, expectation),
  );
  const meaning = meaningOf(result, level, settings.strict, (finding) =>
    fingerprintOf(clause.id, id, finding, judging.requestOf(finding.exchange, evidence)),
  );
  return { ...frame, exchanges: exchanges.slice(0, MAX_LISTED), ...counted, ...meaning };
}

const RESULTS: readonly CheckResult['kind'][] = ['holds', 'broken', 'inconclusive', 'skipped', 'observed'];

/** A check of the user's own may throw: that is a fault of the check, and the other verdicts stand. One of ours is a bug. */
function executeSafely(check: string, execute: () => Executed): Executed {
  if (!isOwnCheck(check)) return execute();
  try {
    const executed = execute();
    if (RESULTS.includes(executed.result.kind)) return executed;
    throw new TypeError('it returned no result');
  } catch (error) {
    const message = quoteText(error instanceof Error ? error.message : String(error));
    return { result: inconclusive({ kind: 'check-threw', check, message }), exchanges: [] };
  }
}

type Meaning = Pick<Verdict, 'verdict'> & Partial<Pick<Verdict, 'reason' | 'flaky' | 'findings' | 'observations'>>;

function meaningOf(
  result: CheckResult,
  level: Level,
  strict: boolean,
  fingerprint: (finding: Finding) => string,
): Meaning {
  switch (result.kind) {
    case 'holds':
      return { verdict: level === 'observe' ? 'observed' : 'pass', flaky: result.flaky ?? false };
    case 'broken': {
      const findings = result.findings.map((finding) => ({ ...finding, fingerprint: fingerprint(finding) }));
      const broken = { must: 'fail', should: strict ? 'fail' : 'warn', observe: 'observed' } as const;
      return { verdict: broken[level], findings };
    }
    case 'inconclusive':
    case 'skipped':
      return { verdict: result.kind, reason: result.reason };
    case 'observed':
      return { verdict: 'observed', observations: result.observations };
  }
}
