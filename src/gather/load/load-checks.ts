/** All checks of load, by the name that `suites/load.yaml` uses. Rules 34 to 36. */

import type { LoadEnd } from '../../exchange/load-traffic.ts';
import type { LoadBudget, LoadCount, LoadKind, LoadStage, StageCount } from '../../report/load-report.ts';
import type { AnyCase } from '../../suite/case.ts';
import type { CheckOf } from '../../verdict/check.ts';
import { HOLDS, inconclusive, noOccasion, observed, skipped } from '../../verdict/check-result.ts';
import { broken } from '../../verdict/finding.ts';
import { seenValues } from '../../verdict/observation.ts';
import type { Reason } from '../../verdict/reason.ts';
import type { CheckResult, Finding } from '../../verdict/verdict.ts';
import type { LoadJudge } from './load-judge.ts';
import { type LoadTallyName, sumOf, type Tallies, type Tally } from './tally.ts';

/** A stage shows failures in at least so many answers, and in more than one of a hundred. */
const OFTEN = 3;
const OFTEN_SHARE = 1 / 100;
/** Answers that show a broken reply: on this machine or with our own upstream, and elsewhere. */
const TWICE = 2;
const ELSEWHERE = 3;
const ELSEWHERE_SHARE = 1 / 1000;

const NOTHING: Reason = { kind: 'nothing-to-judge' };

/** A target that shuts out this client refuses calls of any kind. */
function unlessShutOut(check: LoadCheck): LoadCheck {
  const execute = (run: LoadEvidence): CheckResult => {
    const result = check.execute(run);
    return run.isShutOut && result.kind === 'broken' ? inconclusive({ kind: 'keys-blocked' }) : result;
  };
  return { ...check, execute };
}

const oftenFailed: Enough = ({ broken: failed, judged }) => failed >= OFTEN && failed > judged * OFTEN_SHARE;

const oftenBrokenOff: Enough = ({ broken: cut, judged }, { isLocal, hasUpstream }) =>
  isLocal || hasUpstream ? cut >= TWICE : cut >= ELSEWHERE && cut > judged * ELSEWHERE_SHARE;

const atLeast =
  (least: number): Enough =>
  ({ broken: shown }) =>
    shown >= least;

const nothing = (): CheckResult => inconclusive(NOTHING);

/** Calls that have to be refused may have been rejected or have failed, which proves nothing. */
const noneRefused =
  (kind: LoadKind) =>
  ({ stages, areKeysBlocked }: LoadEvidence): CheckResult => {
    if (kind === 'unknown-key' && areKeysBlocked) return inconclusive({ kind: 'keys-blocked' });
    const wasSent = stages.some(({ kinds }) => kinds.some((each) => each.kind === kind));
    if (!wasSent) return noOccasion('refusal-call');
    return inconclusive({ kind: 'see-clause', because: 'calls-failed', clause: 'load.answered' });
  };

interface Rule {
  /** Answers, all of them or those of one stage, that break the clause. Default: one is enough. */
  readonly enough?: Enough;
  readonly inOneStage?: true;
  /** Why there is nothing to judge. */
  readonly none?: (run: LoadEvidence) => CheckResult;
}

/** Broken by enough answers. */
function counted(summary: string, name: LoadTallyName, rule: Rule = {}): LoadCheck {
  const { enough = atLeast(1), inOneStage = false, none = nothing } = rule;
  return {
    summary,
    tally: name,
    enough,
    execute: (run) => {
      const tally = run.tallies[name];
      const isBroken = inOneStage ? tally.stages.some((stage) => enough(stage, run)) : enough(tally, run);
      if (isBroken) return broken(tally.findings);
      return tally.judged === 0 ? none(run) : HOLDS;
    },
  };
}

/** Broken by any answer, unless there are enough of them to break `clause`. */
function rarely(summary: string, name: LoadTallyName, often: LoadCheck, clause: string): LoadCheck {
  const any = counted(summary, name);
  const execute = (run: LoadEvidence): CheckResult => {
    const result = often.execute(run);
    if (result.kind === 'broken') return skipped({ kind: 'see-clause', because: 'seen-often', clause });
    return result.kind === 'holds' ? any.execute(run) : result;
  };
  return { ...any, execute };
}

/** Two checks for each kind of call: those that have to be refused are few, and would be lost among the valid ones. */
function failed(name: LoadTallyName, calls: string, none?: Rule['none']): readonly [often: LoadCheck, ever: LoadCheck] {
  const rule: Rule = { enough: oftenFailed, inOneStage: true, ...(none && { none }) };
  const often = counted(`In no stage do three ${calls} or more, and more than one of a hundred, fail.`, name, rule);
  const ever = `None of the ${calls} fails with a 5xx other than 503 or a closed connection.`;
  return [often, rarely(ever, name, often, 'load.answered')];
}

const [failedOften, failedEver] = failed('failed', 'valid calls');
const [refusalOften, refusalEver] = failed('refusal-failed', 'calls with a bad value', noneRefused('refusal'));
const [keyOften, keyEver] = failed('unknown-key-failed', 'calls with a bad key', noneRefused('unknown-key'));
const oftenOff = counted('Replies do not break off again and again.', 'broken-off', { enough: oftenBrokenOff });

const ofUpstream: Rule = { none: ({ hasUpstream }) => (hasUpstream ? nothing() : noOccasion('upstream')) };
// Older recordings have no requests.
const ofRequests: Rule = { none: ({ hasUpstream }) => (hasUpstream ? skipped(NOTHING) : noOccasion('upstream')) };
/** A gateway that calls one upstream only has no fallback. */
function ofFallback(check: LoadCheck): LoadCheck {
  const execute = (run: LoadEvidence): CheckResult => (run.hasFallback ? check.execute(run) : noOccasion('fallback'));
  return { ...check, execute };
}

const twice = { enough: atLeast(TWICE) };

const withoutPaced = ({ hasUpstream }: LoadEvidence): CheckResult =>
  noOccasion(hasUpstream ? 'paced-stream' : 'upstream');

const withoutOtherKey = ({ hasOtherKey, hasUpstream }: LoadEvidence): CheckResult => {
  if (hasOtherKey) return noOccasion('other-key');
  return skipped({ kind: 'needs', settings: [hasUpstream ? 'second-key' : 'restricted-key'] });
};

const recovery: LoadCheck = {
  summary: 'One call at a time is answered within --recovery after the load.',
  execute: ({ recovery: { kind }, recoveryFinding }) => {
    if (kind === 'recovered') return HOLDS;
    if (kind === 'not-recovered' && recoveryFinding) return broken([recoveryFinding]);
    return inconclusive(kind === 'rejecting' ? { kind: 'still-rejecting' } : NOTHING);
  },
};

const budgets: LoadCheck = {
  summary: 'No budget is exceeded beyond what chance explains.',
  execute: ({ budgets: all, anyExchange }) => {
    const findings = all.flatMap(({ time, quantile, most, inFlight, result }): readonly Finding[] => {
      if (result.kind !== 'broken') return [];
      const name = `${time}.${quantile}${inFlight === undefined ? '' : `@${inFlight}`}`;
      const actual = { kind: 'over-budget', name, time: result.actual, most } as const;
      const place = { exchange: anyExchange, attempt: 0, more: 0 };
      return [{ mismatch: 'over-budget', expected: { kind: 'budget-kept' }, actualType: 'delay', actual, ...place }];
    });
    if (findings.length > 0) return broken(findings);
    return all.some(({ result }) => result.kind === 'kept') ? HOLDS : skipped(NOTHING);
  },
};

export const LOAD_CHECKS = {
  'often-failed': unlessShutOut(failedOften),
  'ever-failed': unlessShutOut(failedEver),
  'often-broken-off': oftenOff,
  'ever-broken-off': rarely('No reply breaks off.', 'broken-off', oftenOff, 'load.whole'),
  'not-silent': counted('No two calls are left waiting while others are answered.', 'silent', twice),
  'own-reply': counted('No reply has the word of a call that overlapped with it.', 'own-reply', {
    none: () => noOccasion('reply-text'),
  }),
  text: counted('Every text is the one that the upstream sent.', 'text', ofUpstream),
  'fallback-joined': ofFallback(
    counted('No text of one upstream follows that of the other.', 'fallback-joined', {
      none: () => noOccasion('later-attempt'),
    }),
  ),
  'fallback-answered': ofFallback(
    counted('No call fails while one of two upstreams does and the other is well.', 'fallback-answered'),
  ),
  'fallback-calls': ofFallback(
    counted('No call leads to more than --most-upstream-calls upstream calls.', 'fallback-calls'),
  ),
  'finish-reason': counted("Every finish_reason is the upstream's.", 'finish-reason', ofUpstream),
  usage: counted("All token counts are the upstream's.", 'usage', ofUpstream),
  pieces: counted('No two streams are held back for more than a second.', 'pieces', { ...twice, none: withoutPaced }),
  'stream-closes': counted('No two responses stay open for more than a second after [DONE].', 'closes', {
    ...twice,
    none: () => noOccasion('timed-stream'),
  }),
  messages: counted('The text of every message reaches the upstream.', 'messages', ofRequests),
  'token-limit': counted("The upstream gets a token limit no larger than the client's.", 'token-limit', ofRequests),
  model: counted(
    'Each model that the user names reaches the upstream as its own, or as the one that it is mapped to.',
    'model',
    {
      none: ({ hasUpstream }) =>
        hasUpstream ? skipped({ kind: 'needs', settings: ['upstream-model'] }) : noOccasion('upstream'),
    },
  ),
  refused: counted('No value out of range gets a completion.', 'refusal', { none: noneRefused('refusal') }),
  'refusal-often-failed': refusalOften,
  'refusal-ever-failed': refusalEver,
  'unknown-key': counted('Every unknown key gets 401.', 'unknown-key', { none: noneRefused('unknown-key') }),
  'unknown-key-often-failed': keyOften,
  'unknown-key-ever-failed': keyEver,
  'valid-key': unlessShutOut(counted('No two calls with a valid key get 401.', 'valid-key', twice)),
  list: counted('No two lists lack a model that the lists before and after have.', 'list', {
    ...twice,
    none: () => noOccasion('list-call'),
  }),
  'list-of-other-key': counted('No list has a model of the other key.', 'list-of-other-key', { none: withoutOtherKey }),
  recovery: unlessShutOut(recovery),
  budgets,
  rejections: {
    summary: 'Records the statuses of calls that were rejected as overloaded.',
    execute: ({ rejections }) => {
      const statuses = [...rejections].toSorted((a, b) => a - b);
      const items = statuses.map((status) => ({ kind: 'status', status }) as const);
      return observed([{ name: 'rejected-calls', value: items.length === 0 ? 'none' : seenValues(items) }]);
    },
  },
  'closed-connections': {
    summary: 'Records whether calls were closed before an answer, and answered on another try.',
    execute: ({ secondTries }) =>
      observed([{ name: 'closed-before-answer', value: secondTries === 0 ? 'never' : 'sometimes' }]),
  },
} satisfies Record<string, LoadCheck>;

// What the checks of load look at: counts and findings, not answers.

export interface LoadEvidence
  extends
    Pick<LoadEnd, 'hasOtherKey' | 'areKeysBlocked' | 'isShutOut' | 'recovery'>,
    Pick<LoadJudge, 'tallies' | 'rejections' | 'secondTries'> {
  readonly stages: readonly LoadStage[];
  /** The scripted upstream is behind the gateway. */
  readonly hasUpstream: boolean;
  /** Both of two upstreams were called. */
  readonly hasFallback: boolean;
  /** Nothing between the checker and the target can break a connection. */
  readonly isLocal: boolean;
  /** The last control, if it was not answered. */
  readonly recoveryFinding?: Finding;
  readonly budgets: readonly LoadBudget[];
  /** The exchange that findings about the run as a whole name. */
  readonly anyExchange: string;
}

/** Whether answers, such as those of one stage, are enough to break a clause. */
type Enough = (
  answers: Pick<LoadCount, 'judged' | 'broken'>,
  run: Pick<LoadEvidence, 'hasUpstream' | 'isLocal'>,
) => boolean;

export type LoadCheck = CheckOf<[run: LoadEvidence]> & {
  /** The tally that it judges, and the rule by which it does. */
  readonly tally?: keyof Tallies;
  readonly enough?: Enough;
};

// How often each expectation was judged and broken, by stage, and the smallest load that shows it.

export function countAll(
  { tallies, ordinary }: Pick<LoadJudge, 'tallies' | 'ordinary'>,
  cases: readonly AnyCase[],
  run: Pick<LoadEvidence, 'stages' | 'hasUpstream' | 'isLocal'>,
): readonly LoadCount[] {
  const checks: Readonly<Record<string, LoadCheck>> = LOAD_CHECKS;
  const own = cases.flatMap(({ id, expect }) =>
    expect.flatMap(({ clause, check }) => {
      const { tally: name, enough } = checks[check] ?? {};
      if (name === undefined) return [];
      const tally = tallies[name];
      const rule = enough && ((count: StageCount): boolean => enough(count, run));
      return [countOf({ case: id, clause, stages: tally.stages }, run.stages, rule, tally)];
    }),
  );
  const others = ordinary.map(({ verdict: { case: id, clause }, stages }) =>
    countOf({ case: id, clause, stages }, run.stages),
  );
  return [...own, ...others].filter(({ judged }) => judged > 0);
}

function countOf(
  count: Pick<LoadCount, 'case' | 'clause' | 'stages'>,
  stages: readonly LoadStage[],
  rule?: StageRule,
  { onlyWith = [], mayNeedSlowReader }: Partial<Pick<Tally, 'onlyWith' | 'mayNeedSlowReader'>> = {},
): LoadCount {
  const threshold = findThreshold(count.stages, stages, rule, mayNeedSlowReader);
  const shown = count.stages.filter(({ broken: found }) => found > 0);
  return {
    ...count,
    ...(shown.length > 0 && shown.every((each) => hasFailing(stages, each)) && { whileFailing: true }),
    judged: sumOf(count.stages, 'judged'),
    broken: sumOf(count.stages, 'broken'),
    ...(threshold && { firstAt: threshold.seen.inFlight, threshold }),
    ...(onlyWith.length > 0 && { onlyWith }),
  };
}

/** Whether a stage shows enough by itself to break the clause. */
type StageRule = (count: StageCount) => boolean;

function hasFailing(stages: readonly LoadStage[], { stage }: StageCount): boolean {
  return stages[stage]?.phase === 'failover';
}

function hasSlowReaders(stage: LoadStage | undefined): boolean {
  return stage?.kinds.some(({ kind }) => kind === 'slow-reader') ?? false;
}

/**
 * The fewest in flight that show it, and the most below that that do not. Stages that only together break it all count.
 * `rule`: absent if one is enough; `mayNeedSlowReader`: absent if it is not known what broken answers have in common.
 */
export function findThreshold(
  counts: readonly StageCount[],
  stages: readonly LoadStage[],
  rule: StageRule = () => true,
  mayNeedSlowReader?: boolean,
): LoadCount['threshold'] {
  // What shows only while an upstream fails says nothing of smaller loads without that.
  const hasShown = counts.some((count) => count.broken > 0 && !hasFailing(stages, count));
  const usual = counts
    .filter((count) => hasFailing(stages, count) !== hasShown)
    .map((count) => ({ ...count, inFlight: stages[count.stage]?.inFlight ?? 1 }))
    .toSorted((a, b) => a.inFlight - b.inFlight);
  const showing = usual.filter(({ broken }) => broken > 0);
  const seen = showing.find((count) => rule(count)) ?? showing[0];
  if (!seen) return undefined;
  // Slow readers start at 16 in flight: fewer in flight say nothing about a fault that may need them.
  const needsSame = mayNeedSlowReader ?? hasSlowReaders(stages[seen.stage]);
  const below = usual.filter(({ inFlight }) => inFlight < seen.inFlight).toReversed();
  const unseen = below.find(
    ({ judged, broken, stage }) => judged > 0 && broken === 0 && (!needsSame || hasSlowReaders(stages[stage])),
  );
  const fewer = below.filter(({ broken }) => broken > 0);
  return {
    seen: { inFlight: seen.inFlight, judged: seen.judged, broken: seen.broken },
    ...(unseen && { unseen: { inFlight: unseen.inFlight, judged: unseen.judged } }),
    ...(fewer.length > 0 && { fewer: fewer.map(({ inFlight, judged, broken }) => ({ inFlight, judged, broken })) }),
  };
}

// The next load to try between the last clean stage and the first broken one.

/** A fault in fewer answers would often not show in a short stage. */
const COMMON = 1 / 20;

/**
 * In the middle of the widest gap of a common fault; undefined once every one is found exactly. Without a smaller number
 * that could have shown it, there is no gap.
 */
export function nextGap(counts: readonly LoadCount[]): number | undefined {
  const gaps = counts.flatMap(({ threshold }) => {
    if (!threshold) return [];
    const { seen, unseen, fewer = [] } = threshold;
    const below = [...(unseen ? [unseen] : []), ...fewer].map(({ inFlight }) => inFlight);
    const from = Math.max(...below);
    const isCommon = seen.broken > seen.judged * COMMON;
    return isCommon && below.length > 0 && seen.inFlight - from > 1 ? [{ from, to: seen.inFlight }] : [];
  });
  const [widest] = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  return widest && Math.floor((widest.from + widest.to) / 2);
}
