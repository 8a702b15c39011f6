/**
 * A gateway's own clauses, judged over its answers to the client by the checks of `wirecheck run`. Left out is what an
 * odd upstream may have caused, and what a clause for relays already covers, so that each fault is reported once.
 */
import { contractOf } from '../../../contract/profile/apply-profile.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import { lastAnswer } from '../../../exchange/reading/answered.ts';
import { isObject, memberOf } from '../../../json.ts';
import type { Check, RunView } from '../../../verdict/check.ts';
import { CHECKS } from '../../../verdict/checks/index.ts';
import { skipped } from '../../../verdict/check-result.ts';
import { jsonOf } from '../../../verdict/reading/answers.ts';
import { viewRun } from '../../../verdict/reading/view-run.ts';
import type { CheckResult } from '../../../verdict/verdict.ts';
import { loadRelayCases } from '../load-relay-suite.ts';
import { type FrontExpectation, injectsFailure } from '../relay-case.ts';
import { type CaseEvidence, type RelayCheck, type RelayRun } from './relay-check.ts';
import { type Asked, comparedCall, sourceOf, type UpstreamCall, usageSent } from './both-ends.ts';
import { looksWhole } from './reply-reading.ts';

const front: RelayCheck = {
  summary: "A clause of the gateway's own contract holds for its answers to the client.",
  execute(_evidence, run, { front: expectation }) {
    if (!expectation) throw new Error('The check front needs a case of the gateway.');
    const compared = COMPARED.find(({ clauses }) => clauses.test(expectation.clause));
    const exchanges = selectAnswers(expectation, run, compared?.differs ?? (() => false));
    if (exchanges.length > 0) return judgeFront(expectation, exchanges, viewOf(run));
    return judgeCovered(expectation, run) ?? skipped({ kind: 'no-occasion', of: 'front-answer' });
  },
};

/** If every answer breaks a clause for relays, it may still keep this one: dropped counts have no wrong type. */
function judgeCovered(expectation: FrontExpectation, run: RelayRun): CheckResult | undefined {
  const all = selectAnswers(expectation, run, () => false);
  const result = all.length === 0 ? undefined : judgeFront(expectation, all, viewOf(run));
  return result?.kind === 'holds' ? result : undefined;
}

function judgeFront(expectation: FrontExpectation, exchanges: readonly Exchange[], run: RunView): CheckResult {
  const { clause, check: name, options } = expectation;
  const check = (CHECKS as Readonly<Record<string, Check>>)[name];
  if (!check) throw new Error(`There is no check ${name}.`);
  return check.execute({ clause, options, exchanges, run });
}

/** Read once for a run: every clause needs the same. */
interface FrontAnswers {
  readonly view: RunView;
  readonly lists: readonly Exchange[];
  /** Replies of upstream calls that behaved properly. */
  readonly replies: readonly Asked[];
  readonly errors: readonly Exchange[];
}

const known = new WeakMap<RelayRun, FrontAnswers>();

function answersOf(run: RelayRun): FrontAnswers {
  const answers = known.get(run) ?? readAnswers(run);
  known.set(run, answers);
  return answers;
}

function viewOf(run: RelayRun): RunView {
  return answersOf(run).view;
}

function readAnswers(run: RelayRun): FrontAnswers {
  const { traffic, settings } = run;
  const { ending, used, notices, startedAt, endedAt } = traffic;
  const bindings = { sample: [], replyTokens: 0, streamTokens: 0, briefTokens: 0, withoutMaxTokens: false };
  const seen = { exchanges: traffic.front, bindings, keys: [], ending, used, notices, startedAt, endedAt };
  const view = viewRun(seen, contractOf(settings), settings);
  return {
    view,
    lists: traffic.front.filter(
      (exchange) => exchange.request.endpoint === 'models' && lastAnswer(exchange)?.status === 200,
    ),
    replies: run.asked.filter((asked) => looksWhole(asked.reading) && hasProperSource(asked, view)),
    errors: withoutJudged(
      traffic.front.filter((exchange) => (lastAnswer(exchange)?.status ?? 0) >= 400),
      run,
    ),
  };
}

/** The call that gave the reply, even if its text was altered, kept all that is judged at the front. */
function hasProperSource(asked: Asked, view: RunView): boolean {
  const call = comparedCall(asked);
  return (
    call !== undefined &&
    !expectationsFor(call).some((each) => judgeFront(each, [call.exchange], view).kind === 'broken')
  );
}

const MODE_OF: Readonly<Record<string, 'plain' | 'stream'>> = {
  replies: 'plain',
  completions: 'plain',
  streams: 'stream',
};

/** The whole suite counts: what is proper does not depend on the cases that were chosen. */
function expectationsFor({ exchange }: UpstreamCall): readonly FrontExpectation[] {
  return loadRelayCases()
    .flatMap(({ expect }) => expect.flatMap(({ front: own }) => own ?? []))
    .filter(({ over }) => over.some((selection) => MODE_OF[selection] === exchange.request.mode));
}

/**
 * `relay.failure-form` judges the errors that failures become. If it finds one that is wrong, the errors of cases that it
 * does not judge are wrong for the same reason.
 */
function withoutJudged(errors: readonly Exchange[], { cases, contract }: RelayRun): readonly Exchange[] {
  const isWrong = (exchange: Exchange): boolean => {
    const answer = lastAnswer(exchange);
    return answer !== undefined && contract.validate('v1/error', jsonOf(answer) ?? null).length > 0;
  };
  const answersTo = (some: readonly CaseEvidence[]): ReadonlySet<Exchange> =>
    new Set(some.flatMap(({ asked }) => asked.map(({ front: own }) => own)));
  const failures = cases.filter(({ case: testCase }) => injectsFailure(testCase));
  const judged = answersTo(
    failures.filter(({ case: { expect } }) => expect.some(({ check }) => check === 'failure-form')),
  );
  const covered = errors.some((exchange) => judged.has(exchange) && isWrong(exchange)) ? answersTo(failures) : judged;
  return errors.filter((exchange) => !covered.has(exchange) || !isWrong(exchange));
}

/** Whether a clause for relays already covers an answer. */
type IsCovered = (asked: Asked) => boolean;

function selectAnswers({ over }: FrontExpectation, run: RelayRun, isCovered: IsCovered): readonly Exchange[] {
  const { lists, replies, errors } = answersOf(run);
  const left = replies.filter((asked) => !isCovered(asked));
  const ofMode = (mode: 'plain' | 'stream'): readonly Exchange[] =>
    left.map(({ front: own }) => own).filter(({ request }) => request.mode === mode);
  return over.flatMap((selection) => {
    if (selection === '*') return [...lists, ...ofMode('plain'), ...ofMode('stream'), ...errors];
    if (selection === 'lists') return lists;
    return ofMode(MODE_OF[selection] ?? 'plain');
  });
}

/** What is compared with the upstream: a reply that differs from it there breaks a clause for relays. */
const COMPARED: readonly { readonly clauses: RegExp; readonly differs: IsCovered }[] = [
  {
    clauses: /^(?:stream\.(?:increments|whole-characters|delta-content)|choice\.message-content)$/,
    differs: (asked) => sourceOf(asked) === undefined,
  },
  {
    clauses: /^(?:stream\.(?:finish-once|finishes|nothing-after-finish)|choice\.finish-reason-.*)$/,
    // Text of another choice brings its end along.
    differs: (asked) => asked.reading.finish !== sourceOf(asked)?.reading.finish,
  },
  { clauses: /^(?:usage\..*|completion\.usage-.*)$/, differs: hasOtherUsage },
];

function hasOtherUsage(asked: Asked): boolean {
  const call = comparedCall(asked);
  const sent = call && usageSent(call);
  const { usage } = asked.reading;
  const shown = isObject(usage) ? usage : undefined;
  return Object.entries(sent ?? {}).some(([name, count]) => memberOf(shown, name) !== count);
}

export const FRONT_CHECKS = {
  front,
} satisfies Record<string, RelayCheck>;
