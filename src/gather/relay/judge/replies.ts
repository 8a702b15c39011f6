/** Checks of what the client got against what the upstream sent. */
import { isObject, memberOf } from '../../../json.ts';
import { isValidKey } from '../../../suite/case.ts';
import { cutText, quoteText } from '../../../text/quote.ts';
import { HOLDS, inconclusive, skipped, brokenWith } from '../../../verdict/check-result.ts';
import { firstDifference, heldBack, MAX_DELAY, otherFinish, otherUsage } from '../../../verdict/reading/forwarded.ts';
import { worstResult } from '../../../verdict/reading/each-exchange.ts';
import type { Reason } from '../../../verdict/reason.ts';
import type { CheckResult } from '../../../verdict/verdict.ts';
import { injectsFailure, type RelayCase } from '../relay-case.ts';
import { findParts, findWords } from '../words.ts';
import { tellsFailure } from './failures.ts';
import {
  brokenBy,
  type CaseEvidence,
  eachAsked,
  hangs,
  notReached,
  type RelayCheck,
  type RelayRun,
} from './relay-check.ts';
import { type Asked, comparedCall, isWhole, sourceOf, type UpstreamCall, usageSent } from './both-ends.ts';
import { looksWhole } from './reply-reading.ts';

const UNDERSTOOD: Reason = { kind: 'see-clause', because: 'not-understood', clause: 'relay.understood' };

/** The text of the reply, or as much of it as the gateway read before it left. */
function textSent({ calls }: Asked): string {
  return (calls.findLast(isWhole) ?? calls.at(-1))?.reading.texts.get(0) ?? '';
}

/** A success that lacks text. A client takes it for the reply. */
function losesText(asked: Asked): boolean {
  const { kind, texts } = asked.reading;
  return (kind === 'empty' || kind === 'closed') && textSent(asked) !== (texts.get(0) ?? '');
}

/** Characters of a text that are shown around the first difference. */
export const BEFORE = 20;
const SHOWN = 90;

/** The part of a text around a place. */
export function excerptAt(text: string, at: number): ReturnType<typeof quoteText> {
  const from = Math.max(0, at - BEFORE);
  return quoteText(cutText(text.slice(from), SHOWN));
}

function judgeText(asked: Asked, expected: string): CheckResult {
  const actual = asked.reading.texts.get(0) ?? '';
  const at = firstDifference(expected, actual);
  const mismatch = at === actual.length ? 'text-lost' : 'text-altered';
  return brokenWith(asked.front, {
    mismatch,
    expected: { kind: 'upstream-text', text: excerptAt(expected, at), from: Math.max(0, at - BEFORE) },
    actualType: 'text',
    actual:
      actual === ''
        ? { kind: 'empty-reply' }
        : { kind: 'text-at', text: excerptAt(actual, at), from: Math.max(0, at - BEFORE), length: actual.length },
  });
}

/** Calls of other questions whose words are in this reply, whole or, if the text is not the upstream's, in part. */
function foreignCalls(asked: Asked, { byMark }: RelayRun): readonly UpstreamCall[] {
  const { reading, calls } = asked;
  const own = calls.flatMap(({ marks }) => [...marks]);
  const texts = [...reading.texts.values()];
  const whole = texts
    .flatMap(findWords)
    .filter((word) => !own.includes(word))
    .flatMap((word) => byMark.get(word) ?? []);
  if (whole.length > 0 || sourceOf(asked)) return whole;
  const parts = new Set(texts.flatMap(findParts));
  for (const mark of own) for (const part of findParts(mark)) parts.delete(part);
  return [...byMark].flatMap(([mark, call]) =>
    !own.includes(mark) && findParts(mark).some((part) => parts.has(part)) ? [call] : [],
  );
}

export const FOREIGN: Reason = { kind: 'see-clause', because: 'foreign-reply', clause: 'relay.own-reply' };

function judgeReplyText(asked: Asked, run: RelayRun): CheckResult {
  const { reading, calls } = asked;
  if (losesText(asked)) return judgeText(asked, textSent(asked));
  if (!looksWhole(reading)) return skipped(UNDERSTOOD);
  if (foreignCalls(asked, run).length > 0) return skipped(FOREIGN);
  if (sourceOf(asked)) return judgeOtherChoices(asked);
  const last = calls.findLast(isWhole);
  if (!last) return brokenBy(asked, 'invented', { kind: 'upstream-reply' });
  return judgeText(asked, last.reading.texts.get(0) ?? '');
}

/** A gateway may drop choices that nobody asked for, but not change them. */
function judgeOtherChoices(asked: Asked): CheckResult {
  const source = sourceOf(asked);
  const altered = [...asked.reading.texts].find(
    ([index, own]) => index > 0 && own !== '' && source !== undefined && source.reading.texts.get(index) !== own,
  );
  if (!altered || !source) return HOLDS;
  const [index, own] = altered;
  return brokenWith(asked.front, {
    mismatch: 'choice-altered',
    expected: { kind: 'upstream-text', text: excerptAt(source.reading.texts.get(index) ?? '', 0), from: 0 },
    actualType: 'text',
    actual: { kind: 'text-at', text: excerptAt(own, 0), from: 0, length: own.length },
  });
}

function judgeOwnReply(asked: Asked, run: RelayRun): CheckResult {
  if (!looksWhole(asked.reading)) return skipped(UNDERSTOOD);
  const [foreign] = foreignCalls(asked, run);
  if (!foreign) return HOLDS;
  return brokenWith(asked.front, {
    mismatch: 'foreign-reply',
    expected: { kind: 'own-reply' },
    actualType: 'reply',
    actual: { kind: 'foreign-reply', question: foreign.exchange.cause ?? '' },
  });
}

// Checks of every reply of the run: also of those that no case compares with the upstream, such as replies to controls. A
// gateway may mix replies up where nobody looks for it.

/** Other checks judge what becomes of a failure, of a silence, and of a key that is not valid. */
function isTextElsewhere(testCase: RelayCase): boolean {
  return injectsFailure(testCase) || testCase.calls === 'silence' || !isValidKey(testCase.key);
}

function judgeReplies(
  run: RelayRun,
  isJudged: (asked: Asked) => boolean,
  judge: (asked: Asked, run: RelayRun) => CheckResult,
): CheckResult {
  const replies = run.asked.filter(isJudged);
  if (replies.length === 0) return skipped({ kind: 'no-occasion', of: 'front-answer' });
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
function eachOwnReply(judge: (asked: Asked, evidence: CaseEvidence) => CheckResult) {
  return eachAsked((asked, evidence, run) => {
    if (!looksWhole(asked.reading)) return skipped(UNDERSTOOD);
    return foreignCalls(asked, run).length > 0 ? skipped(FOREIGN) : judge(asked, evidence);
  });
}

/** A plain reply always has token counts; a stream only if the client asks for them. */
function wantsUsage({ case: { mode, request } }: CaseEvidence): boolean {
  return mode === 'plain' || memberOf(request['stream_options'], 'include_usage') === true;
}

// Whether pieces of a stream leave the gateway as they arrive.

/** Milliseconds by which our own event loop may be late for the times to count. */
const MAX_LATENESS = 250;

interface Delay {
  /** Milliseconds from the upstream's write to the client's read. */
  readonly longest: number;
  readonly lateness: number;
}

/** Undefined if there is nothing to compare. */
function measureDelay(asked: Asked): Delay | undefined {
  const call = sourceOf(asked);
  const { reading, sentAt } = asked;
  if (!call || call.exchange.request.mode !== 'stream' || reading.arrivals.length === 0) return undefined;
  const delays = call.reading.arrivals.flatMap((written) => {
    const arrival = reading.arrivals.find(({ length }) => length >= written.length);
    return arrival ? [sentAt + arrival.at - (call.arrivedAt + written.at)] : [];
  });
  return { longest: Math.max(0, ...delays), lateness: reading.answer?.lateness ?? 0 };
}

export const REPLY_CHECKS = {
  understood: {
    summary: 'A legal answer of the upstream becomes a reply.',
    execute: eachAsked((asked, evidence) => {
      const { reading } = asked;
      const missed = notReached(asked, evidence, { kind: 'upstream-reply' });
      if (missed) return missed;
      if (reading.kind === 'reply') return HOLDS;
      if (losesText(asked)) return skipped({ kind: 'see-clause', because: 'text-lost', clause: 'relay.text' });
      if (reading.kind === 'closed') return HOLDS;
      if (reading.kind === 'waiting' && !hangs(asked)) return inconclusive({ kind: 'relay-waiting' });
      return brokenBy(asked, 'not-understood', { kind: 'upstream-reply' });
    }),
  },
  text: {
    summary: "The text of a reply is the upstream's, whole and unaltered.",
    execute: eachAsked((asked, _evidence, run) => judgeReplyText(asked, run)),
  },
  'text-so-far': {
    summary: "The text before a failure is the beginning of the upstream's.",
    execute: eachAsked((asked) => {
      const { reading, calls } = asked;
      const received = reading.texts.get(0) ?? '';
      if (received === '' || calls.length === 0) return skipped({ kind: 'no-occasion', of: 'text-before-failure' });
      const sent = calls.flatMap(({ reading: { texts } }) => texts.get(0) ?? []);
      if (sent.some((whole) => whole.startsWith(received))) return HOLDS;
      const nearest = sent.toSorted((a, b) => firstDifference(b, received) - firstDifference(a, received))[0] ?? '';
      return judgeText(asked, nearest);
    }),
  },
  'own-reply': {
    summary: 'A reply belongs to its own request.',
    execute: eachAsked((asked, _evidence, run) => judgeOwnReply(asked, run)),
  },
  'every-text': {
    summary: "The text of every reply of the run is the upstream's, whole and unaltered.",
    execute: (_evidence, run) => {
      const judgedElsewhere = new Set(run.cases.flatMap((each) => (isTextElsewhere(each.case) ? each.asked : [])));
      return judgeReplies(
        run,
        // An error may be told in place of a reply, and a gateway that cools down calls no upstream.
        (asked) =>
          !judgedElsewhere.has(asked) && ((asked.reading.kind === 'reply' && !tellsFailure(asked)) || losesText(asked)),
        judgeReplyText,
      );
    },
  },
  'every-own-reply': {
    summary: 'Every reply of the run belongs to its own request.',
    execute: (_evidence, run) => judgeReplies(run, ({ reading }) => reading.kind === 'reply', judgeOwnReply),
  },
  'finish-reason': {
    summary: "Finish_reason is the upstream's.",
    execute: eachOwnReply((asked) => {
      const sent = comparedCall(asked)?.reading.finish;
      const shown = asked.reading.finish;
      if (sent === undefined) return skipped({ kind: 'no-occasion', of: 'finish-reason' });
      return shown === sent ? HOLDS : brokenWith(asked.front, otherFinish(shown, sent));
    }),
  },
  usage: {
    summary: "Token counts are the upstream's.",
    execute: eachOwnReply((asked, evidence) => {
      const call = comparedCall(asked);
      if (!call) return skipped(UNDERSTOOD);
      const sent = usageSent(call);
      const shown = isObject(asked.reading.usage) ? asked.reading.usage : undefined;
      if (sent && !shown && !wantsUsage(evidence)) return skipped({ kind: 'no-occasion', of: 'usage-asked' });
      const wrong = otherUsage(shown, sent);
      return wrong ? brokenWith(asked.front, wrong) : HOLDS;
    }),
  },
  /** Broken only if every stream came late: a single one may be a hiccup of the machine. */
  pieces: {
    summary: 'Each piece of a stream is forwarded within a second.',
    needsAnother: (asked) => asked.some((each) => (measureDelay(each)?.longest ?? 0) > MAX_DELAY),
    execute({ asked }): CheckResult {
      const measured = asked.flatMap((question) => {
        const delay = measureDelay(question);
        return delay ? [{ question, ...delay }] : [];
      });
      const [first] = measured;
      if (
        asked.some(({ calls }) => calls.length > 0 && calls.every(({ exchange }) => exchange.request.mode === 'plain'))
      ) {
        return skipped({ kind: 'no-occasion', of: 'plain-upstream-call' });
      }
      if (!first) return skipped({ kind: 'see-clause', because: 'not-understood', clause: 'relay.understood' });
      const onTime = measured.find(({ longest }) => longest <= MAX_DELAY);
      if (onTime) return HOLDS;
      const last = measured.at(-1) ?? first;
      if (last.lateness > MAX_LATENESS) return inconclusive({ kind: 'checker-late', lateness: last.lateness });
      return brokenWith(last.question.front, heldBack(last.longest));
    },
  },
} satisfies Record<string, RelayCheck>;
