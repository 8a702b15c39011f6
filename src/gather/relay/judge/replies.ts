/** Checks of what the client got against what the upstream sent. */
import { isObject, memberOf } from '../../../json.ts';
import { isValidKey } from '../../../suite/case.ts';
import { HOLDS, inconclusive, noOccasion, seeOtherClause } from '../../../verdict/check-result.ts';
import { brokenWith } from '../../../verdict/finding.ts';
import {
  excerptAt,
  firstDifference,
  heldBack,
  MAX_DELAY,
  otherFinish,
  otherText,
  otherUsage,
  textAt,
} from '../../../verdict/reading/forwarded.ts';
import { worstResult } from '../../../verdict/reading/each-exchange.ts';
import type { CheckResult } from '../../../verdict/verdict.ts';
import { injectsFailure, isFailover, type RelayCase } from '../read-relay-suite.ts';
import { findParts, findWords } from '../words.ts';
import { type Asked, comparedCall, isWhole, looksWhole, sourceOf, type UpstreamCall, usageSent } from './both-ends.ts';
import { tellsFailure } from './failures.ts';
import {
  brokenBy,
  type CaseEvidence,
  eachAsked,
  hangs,
  notReached,
  type RelayCheck,
  relayCheck,
  type RelayRun,
  WAITING,
} from './relay-check.ts';

const NOT_UNDERSTOOD = seeOtherClause('not-understood', 'relay.understood');
const IS_FOREIGN = seeOtherClause('foreign-reply', 'relay.own-reply');

/** The text of the reply, or as much of it as the gateway read before it left. */
function textSent({ calls }: Asked): string {
  return (calls.findLast(isWhole) ?? calls.at(-1))?.reading.texts.get(0) ?? '';
}

/** A success that lacks text. A client takes it for the reply, as it does a stream in which it finds no event. */
function losesText(asked: Asked): boolean {
  const { front, calls, reading } = asked;
  const { kind, texts, answer } = reading;
  if (kind === 'garbled') return front.request.mode === 'stream' && answer?.status === 200 && textSent(asked) !== '';
  if (kind !== 'empty' && kind !== 'closed') return false;
  // What a gateway did not stay for was not written.
  const hasMissedSome = !calls.some(isWhole) && calls.at(-1)?.wasLeft === true;
  return hasMissedSome || textSent(asked) !== (texts.get(0) ?? '');
}

function judgeLoss(asked: Asked): CheckResult {
  const [{ kind, texts }, sent] = [asked.reading, textSent(asked)];
  const isWithoutPlace = kind === 'garbled' || sent === (texts.get(0) ?? '');
  return isWithoutPlace ? brokenBy(asked, 'text-lost', 'upstream-reply') : judgeText(asked, sent);
}

function judgeText({ front, reading }: Asked, sent: string): CheckResult {
  return brokenWith(front, otherText(reading.texts.get(0) ?? '', sent));
}

/** Calls of other questions whose words are in this reply, whole or, if the text is not the upstream's, in part. */
export function foreignCalls(asked: Asked, { byMark }: RelayRun): readonly UpstreamCall[] {
  const { reading, calls } = asked;
  const own = calls.flatMap(({ marks }) => [...marks]);
  const texts = [...reading.texts.values()];
  const words = texts.flatMap(findWords).filter((word) => !own.includes(word));
  const whole = words.flatMap((word) => byMark.get(word) ?? []);
  if (whole.length > 0 || sourceOf(asked)) return whole;
  const parts = new Set(texts.flatMap(findParts));
  for (const mark of own) for (const part of findParts(mark)) parts.delete(part);
  const isShown = (mark: string): boolean => !own.includes(mark) && findParts(mark).some((part) => parts.has(part));
  return [...byMark].flatMap(([mark, call]) => (isShown(mark) ? [call] : []));
}

function judgeReplyText(asked: Asked, run: RelayRun): CheckResult {
  const { reading, calls } = asked;
  if (losesText(asked)) return judgeLoss(asked);
  if (!looksWhole(reading) || tellsFailure(asked)) return NOT_UNDERSTOOD;
  if (foreignCalls(asked, run).length > 0) return IS_FOREIGN;
  const source = sourceOf(asked);
  if (source) return judgeOtherChoices(asked, source);
  const last = calls.findLast(isWhole);
  if (!last) return brokenBy(asked, 'invented', 'upstream-reply');
  return judgeText(asked, last.reading.texts.get(0) ?? '');
}

/** A gateway may drop choices that nobody asked for, but not change them. */
function judgeOtherChoices({ front, reading }: Asked, { reading: { texts } }: UpstreamCall): CheckResult {
  const altered = [...reading.texts].find(([index, own]) => index > 0 && own !== '' && texts.get(index) !== own);
  if (!altered) return HOLDS;
  const [index, own] = altered;
  const expected = { kind: 'upstream-text', ...excerptAt(texts.get(index) ?? '', 0) } as const;
  return brokenWith(front, { mismatch: 'choice-altered', expected, actualType: 'text', actual: textAt(own, 0) });
}

function judgeOwnReply(asked: Asked, run: RelayRun): CheckResult {
  if (!looksWhole(asked.reading)) return NOT_UNDERSTOOD;
  const [foreign] = foreignCalls(asked, run);
  if (!foreign) return HOLDS;
  const actual = { kind: 'foreign-reply', question: foreign.exchange.cause ?? '' } as const;
  return brokenWith(asked.front, { mismatch: 'foreign-reply', expected: 'own-reply', actualType: 'reply', actual });
}

// Checks of every reply of the run: also of those that no case compares with the upstream, such as replies to controls. A
// gateway may mix replies up where nobody looks for it.

/** Other checks judge what becomes of a failure, of a silence, and of a key that is not valid. */
function isTextElsewhere(testCase: RelayCase): boolean {
  return injectsFailure(testCase) || isFailover(testCase) || testCase.calls === 'silence' || !isValidKey(testCase.key);
}

function judgeReplies(run: RelayRun, replies: readonly Asked[], judge: typeof judgeOwnReply): CheckResult {
  if (replies.length === 0) return noOccasion('front-answer');
  return worstResult(
    replies.map((asked) => judge(withSameRequest(asked, run), run)),
    replies.map(({ front }) => front),
  );
}

/** A cache may give the reply to the very same request, which relay.cache and relay.other-key look at. */
function withSameRequest(asked: Asked, run: RelayRun): Asked {
  const { body } = asked.front.request;
  const same = run.asked.filter(
    (other) => other === asked || (body !== undefined && other.front.request.body === body),
  );
  return same.length === 1 ? asked : { ...asked, calls: same.flatMap(({ calls }) => calls) };
}

// Checks of what comes beside the text of a reply, against what the upstream sent.

/** Judges what comes beside the text of replies that are understood, and their own. */
function eachOwnReply(summary: string, judge: (asked: Asked, evidence: CaseEvidence) => CheckResult): RelayCheck {
  return eachAsked(summary, (asked, evidence, run) => {
    if (!looksWhole(asked.reading)) return NOT_UNDERSTOOD;
    return foreignCalls(asked, run).length > 0 ? IS_FOREIGN : judge(asked, evidence);
  });
}

/** `isAsked`: the client wants token counts. */
export function judgeUsage({ front, reading }: Asked, call: UpstreamCall, isAsked: boolean): CheckResult {
  const sent = usageSent(call);
  const shown = isObject(reading.usage) ? reading.usage : undefined;
  if (sent && !shown && !isAsked) return noOccasion('usage-asked');
  const wrong = otherUsage(shown, sent);
  return wrong ? brokenWith(front, wrong) : HOLDS;
}

/** A plain reply always has token counts; a stream only if the client asks for them. */
function wantsUsage({ case: { mode, request } }: CaseEvidence): boolean {
  return mode === 'plain' || memberOf(request['stream_options'], 'include_usage') === true;
}

// Whether pieces of a stream leave the gateway as they arrive.

/** Milliseconds by which our own event loop may be late for the times to count. */
const MAX_LATENESS = 250;

/** `longest`: milliseconds from the upstream's write to the client's read. Undefined if there is nothing to compare. */
function measureDelay(asked: Asked) {
  const call = sourceOf(asked);
  const { front, reading, sentAt } = asked;
  if (!call || call.exchange.request.mode !== 'stream' || reading.arrivals.length === 0) return undefined;
  const delays = call.reading.arrivals.flatMap((written) => {
    const arrival = reading.arrivals.find(({ length }) => length >= written.length);
    return arrival ? [sentAt + arrival.at - (call.arrivedAt + written.at)] : [];
  });
  return { front, longest: Math.max(0, ...delays), lateness: reading.answer?.lateness ?? 0 };
}

/** Broken only if every stream came late: a single one may be a hiccup of the machine. */
const pieces: RelayCheck = {
  summary: 'Each piece of a stream is forwarded within a second.',
  needsAnother: (asked) => asked.some((each) => (measureDelay(each)?.longest ?? 0) > MAX_DELAY),
  execute({ asked }) {
    const isPlain = ({ exchange }: UpstreamCall): boolean => exchange.request.mode === 'plain';
    if (asked.some(({ calls }) => calls.length > 0 && calls.every(isPlain))) return noOccasion('plain-upstream-call');
    const measured = asked.flatMap((question) => measureDelay(question) ?? []);
    const last = measured.at(-1);
    if (!last) return NOT_UNDERSTOOD;
    if (measured.some(({ longest }) => longest <= MAX_DELAY)) return HOLDS;
    if (last.lateness > MAX_LATENESS) return inconclusive({ kind: 'checker-late', lateness: last.lateness });
    return brokenWith(last.front, heldBack(last.longest));
  },
};

export const REPLY_CHECKS = {
  understood: eachAsked('A legal answer of the upstream becomes a reply.', (asked, evidence) => {
    const { kind } = asked.reading;
    const missed = notReached(asked, evidence, 'upstream-reply');
    if (missed) return missed;
    if (kind === 'reply' && !tellsFailure(asked)) return HOLDS;
    if (losesText(asked)) return seeOtherClause('text-lost', 'relay.text');
    if (kind === 'closed') return HOLDS;
    if (kind === 'waiting' && !hangs(asked)) return WAITING;
    return brokenBy(asked, 'not-understood', 'upstream-reply');
  }),
  text: eachAsked("The text of a reply is the upstream's, whole and unaltered.", (asked, _evidence, run) =>
    judgeReplyText(asked, run),
  ),
  'text-so-far': eachAsked("The text before a failure is the beginning of the upstream's.", (asked) => {
    const { reading, calls } = asked;
    const received = reading.texts.get(0) ?? '';
    if (received === '' || calls.length === 0) return noOccasion('text-before-failure');
    const sent = calls.flatMap(({ reading: { texts } }) => texts.get(0) ?? []);
    if (sent.some((whole) => whole.startsWith(received))) return HOLDS;
    const nearest = sent.toSorted((a, b) => firstDifference(b, received) - firstDifference(a, received))[0] ?? '';
    return judgeText(asked, nearest);
  }),
  'own-reply': eachAsked('A reply belongs to its own request.', (asked, _evidence, run) => judgeOwnReply(asked, run)),
  'every-text': relayCheck(
    "The text of every reply of the run is the upstream's, whole and unaltered.",
    (_evidence, run) => {
      const elsewhere = new Set(run.cases.flatMap((each) => (isTextElsewhere(each.case) ? each.asked : [])));
      // An error may be told in place of a reply, and a gateway that cools down calls no upstream.
      const isJudged = (asked: Asked): boolean =>
        !elsewhere.has(asked) && ((asked.reading.kind === 'reply' && !tellsFailure(asked)) || losesText(asked));
      return judgeReplies(run, run.asked.filter(isJudged), judgeReplyText);
    },
  ),
  'every-own-reply': relayCheck('Every reply of the run belongs to its own request.', (_evidence, run) =>
    judgeReplies(
      run,
      run.asked.filter(({ reading }) => reading.kind === 'reply'),
      judgeOwnReply,
    ),
  ),
  'finish-reason': eachOwnReply("Finish_reason is the upstream's.", (asked) => {
    const sent = comparedCall(asked)?.reading.finish;
    const shown = asked.reading.finish;
    if (sent === undefined) return noOccasion('finish-reason');
    return shown === sent ? HOLDS : brokenWith(asked.front, otherFinish(shown, sent));
  }),
  usage: eachOwnReply("Token counts are the upstream's.", (asked, evidence) => {
    const call = comparedCall(asked);
    return call ? judgeUsage(asked, call, wantsUsage(evidence)) : NOT_UNDERSTOOD;
  }),
  pieces,
} satisfies Record<string, RelayCheck>;
