/** Judges one call by the clauses of load, and says what became of it. Ordinary checks judge the rest. */
import type { Answer, BodyEnd, Exchange, NoAnswer } from '../../exchange/exchange.ts';
import { requestNameOf } from '../../exchange/identity.ts';
import { isClientError, isRejection, lastAnswer, lastFailure } from '../../exchange/reading/answered.ts';
import { endsChoice, hasReplyText } from '../../exchange/reading/choices.ts';
import { chunkValue, readChunks } from '../../exchange/reading/chunks.ts';
import { endOfJson } from '../../exchange/reading/json-text.ts';
import { textTimes } from '../../exchange/reading/looks-fake.ts';
import { streamEnd } from '../../exchange/reading/event-stream.ts';
import { hasErrorMember, isObject, type Json, memberOf } from '../../json.ts';
import { findRequestWords } from '../../plan/request-word.ts';
import type { LoadKind, LoadOutcome, OnlyWith } from '../../report/load-report.ts';
import { quoteText } from '../../text/quote.ts';
import type { Expected } from '../../verdict/expected.ts';
import type { BriefParts } from '../../verdict/finding.ts';
import { itemsOf, jsonOf, readBody, statusFound } from '../../verdict/reading/answers.ts';
import { answerFound } from '../../verdict/reading/body-content.ts';
import { firstDifference, heldBack, MAX_DELAY, otherFinish, otherUsage } from '../../verdict/reading/forwarded.ts';
import { outcomeOfAttempt } from '../../verdict/reading/outcome.ts';
import { replyTexts } from '../../verdict/reading/replies.ts';
import {
  type CallRegistry,
  type KnownCall,
  mayMix,
  PACED_PAUSE,
  PROFILES,
  replyPieces,
  usageOf,
} from './call-registry.ts';
import type { LoadCall } from './calls.ts';
import type { CallMemory } from './send-call.ts';
import type { ListWatch, Tallies, Tally } from './tally.ts';

/** A call that has ended, with what was going on around it. */
export interface DoneCall {
  readonly call: Pick<LoadCall, 'kind' | 'stage'>;
  readonly known: KnownCall;
  readonly exchange: Exchange;
  /** Our client disconnected. */
  readonly hasLeft: boolean;
  /** What held when it was sent. */
  readonly traits: readonly OnlyWith[];
  /** The memory that its answer takes. */
  readonly room: Pick<CallMemory, 'release'>;
}

interface CallJudging {
  readonly tallies: Tallies;
  readonly lists: ListWatch;
  readonly registry: CallRegistry;
  /** The scripted upstream is behind the gateway, so that every text is known. */
  readonly hasUpstream: boolean;
  /** While a command of `--during` runs, a failure that is reported passes (rule 38). */
  readonly allowsFailures: boolean;
}

/** `isOrdinary`: the ordinary checks judge the answer as well. */
type JudgedCall = Readonly<{ outcome: LoadOutcome; isOrdinary: boolean }>;

/** Why a reply with status 200 is not whole. */
type BreakOff = 'cut' | 'stalled' | 'not-json' | 'error';

/** What became of a call, as rule 34 tells answers apart. */
type Reading =
  /** A 200 that came whole. */
  | { readonly kind: 'whole'; readonly answer: Answer }
  | { readonly kind: 'broken-off'; readonly how: BreakOff; readonly answer: Answer }
  /** 429 or 503. */
  | { readonly kind: 'rejected'; readonly answer: Answer }
  /** Any other status. */
  | { readonly kind: 'status'; readonly answer: Answer }
  /** Closed before any answer, on every try. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'not-http' }
  /** Nothing, or headers and no text yet, within the time limits. */
  | { readonly kind: 'unanswered' }
  /** Ended by a limit of ours: its size, or the time of a whole call that was still sending. */
  | { readonly kind: 'limit' };

type Answered = Extract<Reading, { readonly kind: 'whole' | 'broken-off' | 'status' }>;
type Unread = Exclude<Reading, { readonly answer: Answer }>['kind'];

const WITHOUT_ANSWER: Readonly<Record<NoAnswer, Unread>> = {
  timeout: 'unanswered',
  aborted: 'unanswered',
  'not-http': 'not-http',
  limit: 'limit',
  refused: 'closed',
  closed: 'closed',
  tls: 'closed',
  unresolved: 'closed',
};

function readOutcome({ attempts, request }: Exchange): Reading {
  const last = attempts.at(-1);
  if (!last) return { kind: 'limit' };
  const outcome = outcomeOfAttempt(last);
  if ('failure' in outcome) return { kind: WITHOUT_ANSWER[outcome.kind] };
  const { answer } = outcome;
  if (isRejection(answer.status)) return { kind: 'rejected', answer };
  if (outcome.kind !== 'answered') return { kind: 'status', answer };
  return request.mode === 'stream' ? readStream(answer) : readPlain(answer);
}

function readPlain(answer: Answer): Reading {
  const { bytes } = answer.body;
  const end = endOfJson(answer.body);
  if (end.kind === 'cut' || end.kind === 'undecodable') return { kind: 'broken-off', how: 'cut', answer };
  if (end.kind !== 'complete') return readStop(answer, end, bytes.length > 0);
  const body = readBody(answer);
  if (body.kind === 'limit') return { kind: 'limit' };
  if (body.kind !== 'json') return { kind: 'broken-off', how: 'not-json', answer };
  if (hasErrorMember(body.value)) return { kind: 'broken-off', how: 'error', answer };
  return { kind: 'whole', answer };
}

/** We stopped reading: at a size limit, or because nothing more came. */
function readStop(answer: Answer, end: BodyEnd, hasText: boolean): Reading {
  if (end.kind === 'limit' && !end.limit.endsWith('timeout')) return { kind: 'limit' };
  const isIdle = end.kind === 'limit' && end.limit === 'idle-timeout';
  if (isIdle && hasText) return { kind: 'broken-off', how: 'stalled', answer };
  // Slow is legal.
  if (hasText) return { kind: 'limit' };
  return { kind: 'unanswered' };
}

function readStream(answer: Answer): Reading {
  const end = streamEnd(answer);
  if (end === 'cut') return { kind: 'broken-off', how: 'cut', answer };
  const { form, errors, events, choices } = readChunks(answer);
  if (errors.length > 0) return { kind: 'broken-off', how: 'error', answer };
  if (end === 'stalled' || end === 'limit' || end === 'aborted')
    return readStop(answer, answer.body.end, hasReplyText(choices));
  const isMalformed = form !== 'events' || events.some(({ kind }) => kind === 'not-json');
  return isMalformed ? { kind: 'broken-off', how: 'not-json', answer } : { kind: 'whole', answer };
}

/** What a call is sent for. `tally`: of calls of its kind that failed, however many others there are (rule 34). */
interface Aim {
  readonly tally: 'failed' | 'refusal-failed' | 'unknown-key-failed';
  readonly expected: Expected;
}

const TO_ANSWER: Aim = { tally: 'failed', expected: { kind: 'status', status: 200 } };
const AIMS: Readonly<Partial<Record<LoadKind, Aim>>> = {
  refusal: { tally: 'refusal-failed', expected: { kind: 'refusal' } },
  'unknown-key': { tally: 'unknown-key-failed', expected: { kind: 'status', status: 401 } },
};

const OURS: JudgedCall = { outcome: 'left', isOrdinary: false };
/** Calls that say nothing about the clauses of load. */
const UNJUDGED: Readonly<Record<'limit' | 'unanswered' | 'rejected' | 'not-http', JudgedCall>> = {
  limit: { outcome: 'limit', isOrdinary: false },
  unanswered: { outcome: 'unanswered', isOrdinary: false },
  rejected: { outcome: 'rejected', isOrdinary: true },
  'not-http': { outcome: 'failed', isOrdinary: true },
};

export function judgeCall(done: DoneCall, judging: CallJudging): JudgedCall {
  const { call, exchange, hasLeft, traits } = done;
  const reading = readOutcome(exchange);
  // A gateway may give up on a client that does not read, and a reply of 8 MiB takes long: only what was read counts.
  const isOurDoing = call.kind === 'slow-reader' && (reading.kind === 'unanswered' || reading.kind === 'broken-off');
  if (hasLeft || isOurDoing) {
    judgePart(done, judging);
    return OURS;
  }
  const aim = AIMS[call.kind] ?? TO_ANSWER;
  if (reading.kind === 'closed') {
    if (!judging.allowsFailures) judging.tallies[aim.tally].add(exchange, closedParts(exchange, aim.expected), traits);
    return { outcome: 'failed', isOrdinary: false };
  }
  if (!('answer' in reading) || reading.kind === 'rejected') return UNJUDGED[reading.kind];
  return aim === TO_ANSWER ? judgeValid(done, reading, judging) : judgeToRefuse(done, reading, aim, judging);
}

function judgeValid(done: DoneCall, reading: Answered, judging: CallJudging): JudgedCall {
  const { exchange, traits, call } = done;
  const { tallies } = judging;
  if (reading.kind === 'broken-off') return judgeBrokenOff(done, reading, judging);
  if (reading.kind === 'status') return judgeStatus(done, reading.answer, judging);
  tallies.failed.add(exchange, undefined, traits);
  tallies['valid-key'].add(exchange);
  tallies['broken-off'].add(exchange, undefined, traits);
  const outcome = judgeWhole(done, reading.answer, judging) ? 'broken' : 'answered';
  // The text of a slow reader is compared; to check each of its large chunks would keep all others waiting.
  return { outcome, isOrdinary: call.kind !== 'slow-reader' };
}

function judgeStatus({ exchange, traits }: DoneCall, answer: Answer, judging: CallJudging): JudgedCall {
  const { tallies, allowsFailures } = judging;
  const parts = statusFound(answer, TO_ANSWER.expected);
  if (answer.status === 401) {
    tallies['valid-key'].add(exchange, parts);
    return { outcome: 'broken', isOrdinary: true };
  }
  tallies['valid-key'].add(exchange);
  tallies.failed.add(exchange, allowsFailures ? undefined : parts, traits);
  return { outcome: 'failed', isOrdinary: true };
}

function judgeBrokenOff(
  done: DoneCall,
  { how, answer }: Extract<Reading, { kind: 'broken-off' }>,
  judging: CallJudging,
): JudgedCall {
  const { exchange, traits } = done;
  const { tallies, allowsFailures } = judging;
  tallies.failed.add(exchange, undefined, traits);
  const isReported = allowsFailures && how === 'error';
  tallies['broken-off'].add(exchange, isReported ? undefined : breakOffParts(how, exchange, answer), traits);
  judgePart(done, judging);
  return { outcome: isReported ? 'failed' : 'broken', isOrdinary: false };
}

/** Says whether a whole reply breaks a clause. */
function judgeWhole(done: DoneCall, answer: Answer, { tallies, registry, lists, hasUpstream }: CallJudging): boolean {
  const { call, exchange, known, traits } = done;
  if (call.kind === 'list') return lists.look(exchange);
  const text = textOf(exchange, answer) ?? '';
  const altered = hasUpstream ? findAltered(text, known, false) : undefined;
  const foreign = hasUpstream && !altered ? undefined : findForeign(text, known, registry);
  tallies['own-reply'].add(exchange, foreign, traits);
  if (!hasUpstream) return foreign !== undefined;
  // The same reply is not reported twice.
  tallies.text.add(exchange, foreign ? undefined : altered, traits);
  if (!altered && call.kind !== 'slow-reader') judgeFacts(done, answer, tallies);
  return foreign !== undefined || altered !== undefined;
}

/** What comes beside the upstream's text is a should, so that the answer itself counts as answered. */
function judgeFacts({ exchange, known, traits }: DoneCall, answer: Answer, tallies: Tallies): void {
  const facts = readFacts(exchange, answer);
  tallies['finish-reason'].add(exchange, findOtherFinish(facts, known), traits);
  tallies.usage.add(exchange, findOtherUsage(facts, known), traits);
}

/** Undefined without text. */
function textOf(exchange: Exchange, answer: Answer): string | undefined {
  return replyTexts(exchange, answer)[0];
}

/** A reply that was not read to its end is judged by what was read. */
function judgePart({ call, exchange, known, traits }: DoneCall, { tallies, registry, hasUpstream }: CallJudging): void {
  const answer = lastAnswer(exchange);
  if (call.kind === 'list' || answer?.status !== 200) return;
  const text = exchange.request.mode === 'stream' ? textOf(exchange, answer) : undefined;
  if (text === undefined || text === '') return;
  const foreign = findForeign(text, known, registry);
  tallies['own-reply'].add(exchange, foreign, traits);
  if (hasUpstream && !foreign) tallies.text.add(exchange, findAltered(text, known, true), traits);
}

/** A call with a value out of range or an unknown key. */
function judgeToRefuse(done: DoneCall, reading: Answered, aim: Aim, judging: CallJudging): JudgedCall {
  const { exchange, traits } = done;
  const { answer } = reading;
  const tally = judging.tallies[aim.tally];
  if (answer.status >= 500) {
    tally.add(exchange, judging.allowsFailures ? undefined : statusFound(answer, aim.expected), traits);
    return { outcome: 'failed', isOrdinary: true };
  }
  tally.add(exchange, undefined, traits);
  return done.call.kind === 'refusal'
    ? judgeRefusal(exchange, reading, judging.tallies)
    : judgeUnknownKey(exchange, answer, judging.tallies['unknown-key'], aim.expected);
}

/** A target that blocks this client looks at no key (rule 35), nor does one that did not get the whole request. */
const NOT_OF_THE_KEY = [403, 408];

function judgeUnknownKey(exchange: Exchange, answer: Answer, tally: Tally, expected: Expected): JudgedCall {
  if (answer.status === 200) {
    tally.add(exchange, successParts('accepted', expected, answer));
    return { outcome: 'broken', isOrdinary: false };
  }
  if (NOT_OF_THE_KEY.includes(answer.status)) return { outcome: 'failed', isOrdinary: true };
  const isRefusal = answer.status === 401;
  tally.add(exchange, isRefusal ? undefined : statusFound(answer, expected));
  return { outcome: isRefusal ? 'answered' : 'broken', isOrdinary: true };
}

function judgeRefusal(exchange: Exchange, { kind, answer }: Answered, tallies: Tallies): JudgedCall {
  if (kind === 'whole' && hasReply(exchange, answer)) {
    tallies.refusal.add(exchange, successParts('completion', { kind: 'refusal' }, answer));
    return { outcome: 'broken', isOrdinary: false };
  }
  const isRefusal = isClientError(answer.status) && !OTHER_REFUSALS.includes(answer.status);
  if (isRefusal) tallies.refusal.add(exchange);
  if (answer.status === 401) tallies['valid-key'].add(exchange, statusFound(answer, TO_ANSWER.expected));
  return { outcome: isRefusal ? 'answered' : 'failed', isOrdinary: kind === 'status' };
}

/** These say something about the key, the account or the time, not about the value (rule 3). */
const OTHER_REFUSALS = [401, 402, 408];

/** A stream without choices, such as one that only closes, is no completion. */
function hasReply({ request }: Exchange, answer: Answer): boolean {
  return request.mode === 'plain' || readChunks(answer).choices.length > 0;
}

// What a finding about one call under load says.

/** A port that is closed by the last try says more than a connection that was closed before. */
function closedParts(exchange: Exchange, expected: Expected): BriefParts {
  const isRefused = lastFailure(exchange)?.kind === 'refused';
  const hangUp = { kind: 'hang-up', times: exchange.attempts.length } as const;
  return { mismatch: 'no-body', expected, actualType: 'closed', actual: isRefused ? 'connection-refused' : hangUp };
}

/** A success, where a refusal was expected. */
function successParts(mismatch: 'accepted' | 'completion', expected: Expected, answer: Answer): BriefParts {
  return { mismatch, expected, actualType: '2xx', actual: answerFound(answer) };
}

const FOUND_INSTEAD: Readonly<Record<BreakOff, (exchange: Exchange, answer: Answer) => BriefParts['actual']>> = {
  cut: () => 'cut-off',
  stalled: ({ request: { mode } }, answer) => ({
    kind: 'stalled',
    count: mode === 'stream' ? readChunks(answer).events.length : 0,
  }),
  'not-json': (_exchange, answer) => answerFound(answer),
  error: (_exchange, answer) => answerFound(answer),
};

function breakOffParts(how: BreakOff, exchange: Exchange, answer: Answer): BriefParts {
  const whole = exchange.request.mode === 'stream' ? 'whole-stream' : 'json';
  const expected = how === 'error' ? 'no-error' : whole;
  return { mismatch: how, expected, actualType: how, actual: FOUND_INSTEAD[how](exchange, answer) };
}

// Whether a reply is its own, and what the scripted upstream sent (rule 32).

/** The word of another call that was under way, or whose client had disconnected. */
function findForeign(text: string, own: KnownCall, registry: CallRegistry): BriefParts | undefined {
  // Replies mostly repeat one word; to look for others in eight megabytes of it takes long.
  const rest = text.replaceAll(own.word, '');
  for (const word of new Set(findRequestWords(rest))) {
    const other = registry.find(word);
    if (!other || other.id === own.id || !mayMix(own, other)) continue;
    const request = requestNameOf({ step: other.id });
    const actual = { kind: 'foreign-word', exchange: other.id, request } as const;
    return { mismatch: 'foreign-reply', expected: 'own-reply', actualType: 'reply', actual };
  }
  return undefined;
}

/** Characters that a finding shows before the first difference. */
const BEFORE = 20;

/** `isPart`: not all of it was read. */
function findAltered(text: string, { word, profile }: KnownCall, isPart: boolean): BriefParts | undefined {
  const sent = replyPieces(word, profile).join('');
  if (text === sent || (isPart && sent.startsWith(text))) return undefined;
  const mismatch = sent.startsWith(text) ? 'text-lost' : 'text-altered';
  const from = Math.max(0, firstDifference(text, sent) - BEFORE);
  const expected = { kind: 'upstream-text', text: quoteText(sent.slice(from)), from } as const;
  const actual = { kind: 'text-at', text: quoteText(text.slice(from)), from, length: text.length } as const;
  return { mismatch, expected, actualType: 'text', actual };
}

type ReplyFacts = Readonly<Record<'finish' | 'usage', Json | undefined>>;

/** Finish_reason and token counts. */
function readFacts({ request }: Exchange, answer: Answer): ReplyFacts {
  if (request.mode === 'stream') {
    const { choices, chunks } = readChunks(answer);
    const last = chunks.findLast(({ hasUsage }) => hasUsage);
    const finish = choices[0]?.parts.find(endsChoice)?.finish?.text;
    return { finish, usage: last && memberOf(chunkValue(last), 'usage') };
  }
  const value = jsonOf(answer);
  const [choice] = itemsOf(memberOf(value, 'choices'));
  return { finish: memberOf(choice, 'finish_reason'), usage: memberOf(value, 'usage') };
}

/** A reply without one breaks a clause of every answer, and is not reported twice. */
function findOtherFinish({ finish }: ReplyFacts, { profile }: KnownCall): BriefParts | undefined {
  const sent = PROFILES[profile].finish;
  return finish === undefined || finish === null || finish === sent ? undefined : otherFinish(finish, sent);
}

/** No call asks for token counts of a stream, so that a stream may have none. */
function findOtherUsage({ usage }: ReplyFacts, { profile, usageSent }: KnownCall): BriefParts | undefined {
  return isObject(usage) ? otherUsage(usage, usageSent ? usageOf(profile) : undefined) : undefined;
}

/**
 * A stream in whose middle the upstream paused: undefined if it has no text. `parts`: what is wrong with it. Only the times of
 * reading count, so that no two clocks are compared.
 */
export function judgePieces(exchange: Exchange): { readonly parts?: BriefParts } | undefined {
  const answer = lastAnswer(exchange);
  const times = answer ? textTimes(readChunks(answer)) : [];
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const delay = PACED_PAUSE - (last - first);
  return delay <= MAX_DELAY ? {} : { parts: heldBack(delay) };
}
