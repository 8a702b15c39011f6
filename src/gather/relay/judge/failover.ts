/** Checks of what a gateway makes of two upstreams when the one that it calls first fails. */
import { findHeader } from '../../../exchange/exchange.ts';
import { lastFailure } from '../../../exchange/reading/answered.ts';
import { memberOf } from '../../../json.ts';
import { HOLDS, noOccasion, observed, seeOtherClause, skipped } from '../../../verdict/check-result.ts';
import { brokenWith } from '../../../verdict/finding.ts';
import { readAttempt, seenValues, type UpstreamAttempt } from '../../../verdict/observation.ts';
import { worstResult } from '../../../verdict/reading/each-exchange.ts';
import { joinedAt, otherModel, otherText, tooManyCalls } from '../../../verdict/reading/forwarded.ts';
import type { CheckResult } from '../../../verdict/verdict.ts';
import { type Asked, isJoined, isWhole, joinOf, looksWhole, sourceOf, type UpstreamCall } from './both-ends.ts';
import { holdsIfAlive, tellsFailure } from './failures.ts';
import {
  brokenBy,
  type CaseEvidence,
  eachAsked,
  type JudgeAsked,
  NOT_FORWARDED,
  notReached,
  type RelayCheck,
  type RelayRun,
  WAITING,
} from './relay-check.ts';
import { foreignCalls, judgeUsage } from './replies.ts';

/** Good requests before the bad ones and after them; each bad one has a good one behind it. */
export const GOOD_AROUND = 3;
export const BAD_REQUESTS = 5;

/** `number`: of the question in its case, from 1. */
export function isBadRequest(number: number): boolean {
  const place = number - GOOD_AROUND;
  return place > 0 && place < 2 * BAD_REQUESTS && place % 2 === 1;
}

const NO_FALLBACK = noOccasion('fallback');
const UNCALLED = noOccasion('upstream-calls');

/** A gateway that calls one upstream only has no fallback, and is judged without. */
function eachFallback(summary: string, judge: JudgeAsked): RelayCheck {
  return eachAsked(summary, (...given) => (given[2].hasFallback ? judge(...given) : NO_FALLBACK));
}

function ofFallback(summary: string, judge: (evidence: CaseEvidence, run: RelayRun) => CheckResult): RelayCheck {
  return { summary, execute: (evidence, run) => (run.hasFallback ? judge(evidence, run) : NO_FALLBACK) };
}

function textOf(asked: Pick<Asked, 'reading'>): string {
  return asked.reading.texts.get(0) ?? '';
}

function judgeWhole(asked: Asked, run: RelayRun): CheckResult {
  if (!looksWhole(asked.reading)) return noOccasion('whole-reply');
  if (sourceOf(asked) || tellsFailure(asked)) return HOLDS;
  if (isJoined(asked)) return seeOtherClause('joined', 'relay.fallback-joined');
  if (foreignCalls(asked, run).length > 0) return seeOtherClause('foreign-reply', 'relay.own-reply');
  const text = textOf(asked);
  const isBeginning = asked.calls.some((call) => !isWhole(call) && text !== '' && textOf(call).startsWith(text));
  if (isBeginning) return seeOtherClause('failure-hidden', 'relay.mid-stream-failure');
  const whole = asked.calls.findLast(isWhole);
  if (!whole) return seeOtherClause('failure-hidden', 'relay.failure-known');
  return brokenWith(asked.front, otherText(text, textOf(whole)));
}

const firstUpstream = ({ calls: [first] }: Asked) => first?.exchange.upstream;

/** One client's bad requests may not keep others from the upstream that they had before. */
function judgeOthers({ asked }: CaseEvidence): CheckResult {
  const isBad = ({ front: { number = 1 } }: Asked): boolean => isBadRequest(number);
  const from = asked.findIndex(isBad);
  const [before, after] = [asked.slice(0, from), asked.slice(from).filter((each) => !isBad(each))];
  if (from === -1 || !asked.some((each) => isBad(each) && each.calls.length > 0)) return NOT_FORWARDED;
  const lost = after.find(({ reading }) => reading.kind === 'error' || reading.kind === 'cut');
  if (lost) return brokenBy(lost, 'taken-out', 'as-before');
  const usual = new Set(before.map(firstUpstream));
  const last = after.slice(-GOOD_AROUND - 1);
  const [first] = last;
  // A gateway that spreads its calls goes to either by itself.
  if (!first || usual.size !== 1) return noOccasion('one-first-upstream');
  if (last.some(({ calls }) => calls.some(({ exchange }) => usual.has(exchange.upstream)))) return HOLDS;
  const upstream = firstUpstream(first) ?? 'fallback';
  return brokenWith(first.calls[0]?.exchange ?? first.front, {
    mismatch: 'taken-out',
    expected: 'as-before',
    actualType: 'call',
    actual: { kind: 'only-upstream', upstream },
  });
}

function attemptOf({ exchange, reading: { answer } }: UpstreamCall): UpstreamAttempt {
  return readAttempt(exchange.upstream, answer, lastFailure(exchange));
}

/** Whole seconds from the end of an outage until its upstream was called first again. */
function returnTime({ asked }: CaseEvidence, run: RelayRun): number | undefined {
  const [first, last] = [asked[0], asked.at(-1)];
  if (!first || !last) return undefined;
  const again = run.asked.find((each) => each.sentAt >= last.endedAt && firstUpstream(each) === firstUpstream(first));
  return again && Math.round((again.sentAt - last.endedAt) / 1000);
}

export const FAILOVER_CHECKS = {
  'fallback-answered': eachFallback(
    'A call whose first upstream fails in a way that a second try can mend is answered.',
    (asked, evidence, { settings }) => {
      const { kind } = asked.reading;
      const isSilence = evidence.case.calls === 'stall';
      if (isSilence && settings.relay.upstreamTimeout === undefined)
        return skipped({ kind: 'needs', settings: ['upstream-timeout'] });
      if (looksWhole(asked.reading) || kind === 'empty') return holdsIfAlive(evidence);
      if (kind === 'waiting') return isSilence ? WAITING : seeOtherClause('no-answer', 'relay.failure-answered');
      if (evidence.unrecovered !== undefined) return holdsIfAlive(evidence);
      if (evidence.isAwayFromFirst) return noOccasion('first-upstream');
      return notReached(asked, evidence, 'other-reply') ?? brokenBy(asked, 'unanswered', 'other-reply');
    },
  ),
  'fallback-whole': eachFallback("A reply is one upstream's, whole.", (asked, _evidence, run) =>
    judgeWhole(asked, run),
  ),
  'fallback-joined': eachFallback(
    "Text that was sent is neither repeated nor joined to another upstream's reply.",
    (asked) => {
      if (asked.calls.length < 2 || textOf(asked) === '') return noOccasion('later-attempt');
      if (!isJoined(asked)) return HOLDS;
      const { head = '' } = joinOf(asked) ?? {};
      return brokenWith(asked.front, joinedAt(textOf(asked), head.length));
    },
  ),
  'fallback-calls': eachFallback(
    'No more than --most-upstream-calls upstream calls are made for one call.',
    ({ calls, front }, _evidence, { settings }) => {
      if (calls.length === 0) return UNCALLED;
      const wrong = tooManyCalls(calls.length, settings.relay.mostUpstreamCalls);
      return wrong ? brokenWith(front, wrong) : HOLDS;
    },
  ),
  'fallback-others': ofFallback("One client's bad request does not take an upstream out for others.", judgeOthers),
  'fallback-usage': eachFallback('Token counts are those of the upstream that answered.', (asked) => {
    const call = sourceOf(asked);
    return call ? judgeUsage(asked, call, asked.front.request.mode === 'plain') : noOccasion('whole-reply');
  }),
  'fallback-model': ofFallback('The second upstream is asked for the model of --fallback-model.', (_evidence, run) => {
    const { fallbackModel: name } = run.settings.relay;
    if (name === undefined) return skipped({ kind: 'needs', settings: ['fallback-model'] });
    const calls = run.asked.flatMap((asked) => asked.calls.filter(({ exchange }) => exchange.upstream === 'fallback'));
    return worstResult(
      calls.map((call) => {
        const wrong = otherModel(memberOf(call.body, 'model'), { name, other: undefined });
        return wrong ? brokenWith(call.exchange, wrong) : HOLDS;
      }),
      calls.map(({ exchange }) => exchange),
    );
  }),
  'fallback-attempts': ofFallback('The upstream calls of a call, and what each got.', ({ case: { id }, asked }) => {
    const called = asked.filter(({ calls }) => calls.length > 0);
    if (called.length === 0) return UNCALLED;
    const facts = called.map(({ calls }) => ({ kind: 'attempts', attempts: calls.map(attemptOf) }) as const);
    return observed([{ name: 'attempts', of: id.replace('relay/', ''), value: seenValues(facts) }]);
  }),
  'fallback-wait': eachFallback('Whether a gateway waits as long as Retry-After says.', ({ calls }) => {
    const [first, ...more] = calls;
    const again = more.find(({ exchange }) => exchange.upstream === first?.exchange.upstream);
    const asked = findHeader(first?.reading.answer?.headers ?? [], 'retry-after');
    if (!first || asked === undefined || !again) return noOccasion('retry');
    const seconds = Math.round((again.arrivedAt - first.arrivedAt) / 1000);
    return observed([{ name: 'wait-before-retry', value: { kind: 'waited', seconds, asked: Number(asked) } }]);
  }),
  'fallback-elsewhere': eachFallback('Whether a refused request is tried at the other upstream.', ({ calls }) => {
    if (calls.length === 0) return UNCALLED;
    return observed([
      { name: 'refusal-elsewhere', value: new Set(calls.map(({ exchange }) => exchange.upstream)).size > 1 },
    ]);
  }),
  'fallback-pace': ofFallback(
    'Calls to an upstream that is down, and how soon it is called again.',
    (evidence, run) => {
      const { asked } = evidence;
      const [first] = asked;
      if (!first) return UNCALLED;
      const down = firstUpstream(first);
      const still = asked.filter(({ calls }) => calls.some(({ exchange }) => exchange.upstream === down)).length;
      const after = returnTime(evidence, run);
      return observed([
        { name: 'calls-to-the-one-down', value: { kind: 'part', count: still, of: asked.length } },
        { name: 'seconds-until-called-again', value: after ?? 'never' },
      ]);
    },
  ),
} satisfies Record<string, RelayCheck>;
