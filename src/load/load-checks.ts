/** All checks of load, by the name that `suites/load.yaml` uses. Rules 34 to 36. */

import type { LoadBudget, LoadKind, LoadRecovery, LoadStage } from '../report/load-report.ts';
import type { CheckOf } from '../verdict/check.ts';
import { broken, HOLDS, inconclusive, observed, skipped } from '../verdict/finding.ts';
import { seenValues } from '../verdict/observation.ts';
import type { Reason } from '../verdict/reason.ts';
import type { CheckResult, Finding } from '../verdict/verdict.ts';
import type { Tallies, Tally, LoadTallyName } from './tally.ts';

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

/** Broken from so many answers on. `none`: why there is nothing to judge. */
function brokenFrom(
  summary: string,
  name: LoadTallyName,
  least: number,
  none: (run: LoadEvidence) => CheckResult,
): LoadCheck {
  return {
    summary,
    tally: name,
    enough: atLeast(least),
    execute: (run) => {
      const tally = run.tallies[name];
      if (tally.broken >= least) return broken(tally.findings);
      return tally.judged === 0 ? none(run) : HOLDS;
    },
  };
}

const nothing = (): CheckResult => inconclusive(NOTHING);

/** Calls that have to be refused may have been rejected or have failed, which proves nothing. */
const noneRefused =
  (kind: LoadKind) =>
  ({ stages, areKeysBlocked }: LoadEvidence): CheckResult => {
    if (kind === 'unknown-key' && areKeysBlocked) return inconclusive({ kind: 'keys-blocked' });
    const wasSent = stages.some(({ kinds }) => kinds.some((each) => each.kind === kind));
    if (!wasSent) return skipped({ kind: 'no-occasion', of: 'refusal-call' });
    return inconclusive({ kind: 'see-clause', because: 'calls-failed', clause: 'load.answered' });
  };

const ofUpstream = ({ hasUpstream }: LoadEvidence): CheckResult =>
  hasUpstream ? nothing() : skipped({ kind: 'no-occasion', of: 'upstream' });

interface Pair {
  readonly name: LoadTallyName;
  readonly summaries: readonly [often: string, ever: string];
  readonly enough: Enough;
  /** One stage has to show enough; otherwise all of them together. */
  readonly inOneStage: boolean;
  readonly clause: string;
  /** Why there is nothing to judge. */
  readonly none: (run: LoadEvidence) => CheckResult;
}

/** The clause that counts, and the one for what is too rare for it. */
function pair({
  name,
  summaries,
  enough,
  inOneStage,
  clause,
  none,
}: Pair): readonly [often: LoadCheck, ever: LoadCheck] {
  const isOften = (tally: Tally, run: LoadEvidence): boolean =>
    inOneStage ? tally.stages.some((stage) => enough(stage, run)) : enough(tally, run);
  const execute =
    (counts: boolean) =>
    (run: LoadEvidence): CheckResult => {
      const tally = run.tallies[name];
      if (tally.judged === 0) return none(run);
      if (tally.broken === 0) return HOLDS;
      const often = isOften(tally, run);
      if (often === counts) return broken(tally.findings);
      return counts ? HOLDS : skipped({ kind: 'see-clause', because: 'seen-often', clause });
    };
  const [often, ever] = summaries;
  return [
    { summary: often, tally: name, enough, execute: execute(true) },
    { summary: ever, tally: name, enough: atLeast(1), execute: execute(false) },
  ];
}

/** Each kind by itself: calls that have to be refused are few, and would be lost among the valid ones. */
function failedPair(
  name: LoadTallyName,
  calls: string,
  none: Pair['none'],
): readonly [often: LoadCheck, ever: LoadCheck] {
  return pair({
    name,
    summaries: [
      `In no stage do three ${calls} or more, and more than one of a hundred, fail.`,
      `None of the ${calls} fails with a 5xx other than 503 or a closed connection.`,
    ],
    enough: oftenFailed,
    inOneStage: true,
    clause: 'load.answered',
    none,
  });
}

const [failedOften, failedEver] = failedPair('failed', 'valid calls', nothing);
const [refusalOften, refusalEver] = failedPair('refusal-failed', 'calls with a bad value', noneRefused('refusal'));
const [keyOften, keyEver] = failedPair('unknown-key-failed', 'calls with a bad key', noneRefused('unknown-key'));

const [brokenOffOften, brokenOffEver] = pair({
  name: 'broken-off',
  summaries: ['Replies do not break off again and again.', 'No reply breaks off.'],
  enough: oftenBrokenOff,
  inOneStage: false,
  clause: 'load.whole',
  none: nothing,
});

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
      return [
        {
          mismatch: 'over-budget',
          exchange: anyExchange,
          attempt: 0,
          expected: { kind: 'budget-kept' },
          actualType: 'delay',
          actual: { kind: 'over-budget', name, time: result.actual, most },
          more: 0,
        },
      ];
    });
    if (findings.length > 0) return broken(findings);
    return all.some(({ result }) => result.kind === 'kept') ? HOLDS : skipped(NOTHING);
  },
};

export const LOAD_CHECKS = {
  'often-failed': unlessShutOut(failedOften),
  'ever-failed': unlessShutOut(failedEver),
  'often-broken-off': brokenOffOften,
  'ever-broken-off': brokenOffEver,
  'not-silent': brokenFrom('No two calls are left waiting while others are answered.', 'silent', TWICE, nothing),
  'own-reply': brokenFrom('No reply has the word of a call that overlapped with it.', 'own-reply', 1, () =>
    skipped({ kind: 'no-occasion', of: 'reply-text' }),
  ),
  text: brokenFrom('Every text is the one that the upstream sent.', 'text', 1, ofUpstream),
  'finish-reason': brokenFrom("Every finish_reason is the upstream's.", 'finish-reason', 1, ofUpstream),
  usage: brokenFrom("All token counts are the upstream's.", 'usage', 1, ofUpstream),
  pieces: brokenFrom('No two streams are held back for more than a second.', 'pieces', TWICE, ({ hasUpstream }) =>
    skipped(hasUpstream ? { kind: 'no-occasion', of: 'paced-stream' } : { kind: 'no-occasion', of: 'upstream' }),
  ),
  refused: brokenFrom('No value out of range gets a completion.', 'refusal', 1, noneRefused('refusal')),
  'refusal-often-failed': refusalOften,
  'refusal-ever-failed': refusalEver,
  'unknown-key': brokenFrom('Every unknown key gets 401.', 'unknown-key', 1, noneRefused('unknown-key')),
  'unknown-key-often-failed': keyOften,
  'unknown-key-ever-failed': keyEver,
  'valid-key': unlessShutOut(brokenFrom('No two calls with a valid key get 401.', 'valid-key', TWICE, nothing)),
  list: brokenFrom('No two lists lack a model that the lists before and after have.', 'list', TWICE, () =>
    skipped({ kind: 'no-occasion', of: 'list-call' }),
  ),
  'list-of-other-key': brokenFrom(
    'No list has a model of the other key.',
    'list-of-other-key',
    1,
    ({ hasOtherKey, hasUpstream }) =>
      skipped(
        hasOtherKey
          ? { kind: 'no-occasion', of: 'other-key' }
          : { kind: 'needs', settings: [hasUpstream ? 'second-key' : 'restricted-key'] },
      ),
  ),
  recovery: unlessShutOut(recovery),
  budgets,
  rejections: {
    summary: 'Records the statuses of calls that were rejected as overloaded.',
    execute: ({ rejections }) => {
      const statuses = [...rejections.keys()].toSorted((a, b) => a - b);
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

export interface LoadEvidence {
  readonly tallies: Tallies;
  readonly stages: readonly LoadStage[];
  /** The scripted upstream is behind the gateway. */
  readonly hasUpstream: boolean;
  /** Nothing between the checker and the target can break a connection. */
  readonly isLocal: boolean;
  readonly hasOtherKey: boolean;
  readonly areKeysBlocked: boolean;
  /** Valid calls were refused since the unknown keys were, which says nothing about them (rule 35). */
  readonly isShutOut: boolean;
  readonly recovery: LoadRecovery;
  /** The last control, if it was not answered. */
  readonly recoveryFinding?: Finding;
  readonly budgets: readonly LoadBudget[];
  /** By status. */
  readonly rejections: ReadonlyMap<number, number>;
  /** Calls that were closed before an answer, and answered on another try. */
  readonly secondTries: number;
  /** The exchange that findings about the run as a whole name. */
  readonly anyExchange: string;
}

/** What decides how many answers break a clause. With an upstream of ours, `isLocal` does not matter. */
export type Surroundings = Pick<LoadEvidence, 'hasUpstream'> & Partial<Pick<LoadEvidence, 'isLocal'>>;

/** Whether answers, such as those of one stage, are enough to break a clause. */
export type Enough = (
  answers: { readonly judged: number; readonly broken: number },
  surroundings: Surroundings,
) => boolean;

export type LoadCheck = CheckOf<[run: LoadEvidence]> & {
  /** The tally that it judges, and the rule by which it does. */
  readonly tally?: keyof Tallies;
  readonly enough?: Enough;
};
