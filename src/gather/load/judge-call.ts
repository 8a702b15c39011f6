/** Judges one call by the clauses of load, and says what became of it. Ordinary checks judge the rest. */
import type { Answer, BodyEnd, Exchange, NoAnswer } from '../../exchange/exchange.ts';
import { requestNameOf } from '../../exchange/identity.ts';
import { isClientError, isRejection, lastAnswer, lastFailure } from '../../exchange/reading/answered.ts';
import { endsChoice, hasReplyText } from '../../exchange/reading/choices.ts';
import { chunkValue, readChunks } from '../../exchange/reading/chunks.ts';
import { endOfJson } from '../../exchange/reading/json-text.ts';
import { textTimes } from '../../exchange/reading/looks-fake.ts';
import { streamEnd } from '../../exchange/reading/event-stream.ts';
import { hasErrorMember, isObject, type Json, memberOf, parseJson } from '../../json.ts';
import { findRequestWords } from '../../plan/request-word.ts';
import type { EndedCall } from '../../exchange/load-traffic.ts';
import type { LoadKind, LoadOutcome, OnlyWith } from '../../report/load-report.ts';
import type { Expected } from '../../verdict/expected.ts';
import type { BriefParts } from '../../verdict/finding.ts';
import { itemsOf, jsonOf, readBody, statusFound } from '../../verdict/reading/answers.ts';
import { answerFound } from '../../verdict/reading/body-content.ts';
import {
  heldBack,
  joinedAt,
  lostMessage,
  MAX_DELAY,
  otherFinish,
  otherModel,
  otherText,
  otherTokenLimit,
  otherUsage,
  tooManyCalls,
} from '../../verdict/reading/forwarded.ts';
import { outcomeOfAttempt } from '../../verdict/reading/outcome.ts';
import { replyTexts } from '../../verdict/reading/replies.ts';
import type { NamedModel } from '../relay/named-models.ts';
import { textsOf } from '../relay/words.ts';
import { type CallRegistry, type KnownCall, MARKS, PACED_PAUSE, PROFILES, replyPieces, usageOf } from './calls.ts';
import type { CallMemory } from './send-call.ts';
import type { ListWatch, LoadTallyName, Tallies } from './tally.ts';

/** A call that has ended, with what was going on around it. */
export interface DoneCall {
  readonly call: Pick<EndedCall, 'kind' | 'stage'>;
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
  /** The models that the user names, if they can be compared, and the first of them that arrived under each name. */
  readonly named: readonly NamedModel[];
  readonly arrivedAs: Map<Json | undefined, string>;
  readonly registry: CallRegistry;
  /** The scripted upstream is behind the gateway, so that every text is known. */
  readonly hasUpstream: boolean;
  /** While a command of `--during` runs or an upstream fails, a failure that is reported passes (rules 31 and 38). */
  readonly allowsFailures: boolean;
  /** One of two upstreams fails (rule 42). */
  readonly isFailingOver: boolean;
  readonly mostUpstreamCalls: number;
}

/** `isOrdinary`: the ordinary checks judge the answer as well. `isFault`: it failed, where that is not allowed. */
export type JudgedCall = Readonly<{ outcome: LoadOutcome; isOrdinary: boolean; isFault?: boolean }>;

/** Why a reply with status 200 is not whole. */
type BreakOff = 'cut' | 'stalled' | 'not-json' | 'error';

/** What a 200 that came whole, one that broke off, or another status says, as rule 34 tells answers apart. */
type Answered =
  | { readonly kind: 'whole' | 'status'; readonly answer: Answer }
  | { readonly kind: 'broken-off'; readonly how: BreakOff; readonly answer: Answer };

// Calls that say nothing about the clauses of load. That a connection was closed, on every try, is counted.

const CLOSED: JudgedCall = { outcome: 'failed', isOrdinary: false };
/** Nothing, or headers and no text yet, within the time limits. */
const UNANSWERED: JudgedCall = { outcome: 'unanswered', isOrdinary: false };
/** Ended by a limit of ours: its size, or the time of a whole call that was still sending. */
const LIMIT: JudgedCall = { outcome: 'limit', isOrdinary: false };
const REJECTED: JudgedCall = { outcome: 'rejected', isOrdinary: true };
const OURS: JudgedCall = { outcome: 'left', isOrdinary: false };

/** Any other failure closed the connection. */
const WITHOUT_ANSWER: Readonly<Partial<Record<NoAnswer, JudgedCall>>> = {
  timeout: UNANSWERED,
  aborted: UNANSWERED,
  'not-http': { outcome: 'failed', isOrdinary: true },
  limit: LIMIT,
};

function readOutcome({ attempts, request }: Exchange): Answered | JudgedCall {
  const last = attempts.at(-1);
  if (!last) return LIMIT;
  const outcome = outcomeOfAttempt(last);
  if ('failure' in outcome) return WITHOUT_ANSWER[outcome.kind] ?? CLOSED;
  const { answer } = outcome;
  if (isRejection(answer.status)) return REJECTED;
  if (outcome.kind !== 'answered') return { kind: 'status', answer };
  return request.mode === 'stream' ? readStream(answer) : readPlain(answer);
}

function readPlain(answer: Answer): Answered | JudgedCall {
  const { bytes } = answer.body;
  const end = endOfJson(answer.body);
  if (end.kind === 'cut' || end.kind === 'undecodable') return { kind: 'broken-off', how: 'cut', answer };
  if (end.kind !== 'complete') return readStop(answer, end, bytes.length > 0);
  const body = readBody(answer);
  if (body.kind === 'limit') return LIMIT;
  if (body.kind !== 'json') return { kind: 'broken-off', how: 'not-json', answer };
  if (hasErrorMember(body.value)) return { kind: 'broken-off', how: 'error', answer };
  return { kind: 'whole', answer };
}

/** We stopped reading: at a size limit, or because nothing more came. */
function readStop(answer: Answer, end: BodyEnd, hasText: boolean): Answered | JudgedCall {
  if (end.kind === 'limit' && !end.limit.endsWith('timeout')) return LIMIT;
  const isIdle = end.kind === 'limit' && end.limit === 'idle-timeout';
  if (isIdle && hasText) return { kind: 'broken-off', how: 'stalled', answer };
  // Slow is legal.
  return hasText ? LIMIT : UNANSWERED;
}

function readStream(answer: Answer): Answered | JudgedCall {
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

/** A call whose request was altered on its way is broken, unless something else became of it. */
const ALTERABLE: readonly LoadOutcome[] = ['answered', 'left'];

export function judgeCall(done: DoneCall, judging: CallJudging): JudgedCall {
  const isAltered = judgeArrived(done, judging);
  const judged = judgeAnswer(done, judging);
  judgeUpstreamCalls(done, judged, judging);
  return isAltered && ALTERABLE.includes(judged.outcome) ? { ...judged, outcome: 'broken' } : judged;
}

function judgeAnswer(done: DoneCall, judging: CallJudging): JudgedCall {
  const { call, exchange, hasLeft } = done;
  const reading = readOutcome(exchange);
  // A gateway may give up on a client that does not read, and a reply of 8 MiB takes long: only what was read counts.
  const isOurDoing =
    call.kind === 'slow-reader' && ('answer' in reading ? reading.kind === 'broken-off' : reading === UNANSWERED);
  if (hasLeft || isOurDoing) return judgePart(done, judging) ? { outcome: 'broken', isOrdinary: false } : OURS;
  const aim = AIMS[call.kind] ?? TO_ANSWER;
  const isFault = reading === CLOSED && !judging.allowsFailures;
  if (isFault) judging.tallies[aim.tally].add(done, closedParts(exchange, aim.expected));
  if (!('answer' in reading)) return { ...reading, isFault };
  return aim === TO_ANSWER ? judgeValid(done, reading, judging) : judgeToRefuse(done, reading, aim, judging);
}

function judgeValid(done: DoneCall, reading: Answered, judging: CallJudging): JudgedCall {
  const { tallies, allowsFailures } = judging;
  const { exchange } = done;
  const { answer } = reading;
  if (reading.kind === 'status') {
    const parts = statusFound(answer, TO_ANSWER.expected, done.known.behind.metIdleClose);
    tallies['valid-key'].add({ exchange }, answer.status === 401 ? parts : undefined);
    if (answer.status === 401) return { outcome: 'broken', isOrdinary: true };
    tallies.failed.add(done, allowsFailures ? undefined : parts);
    return { outcome: 'failed', isOrdinary: true, isFault: !allowsFailures };
  }
  tallies.failed.add(done);
  if (reading.kind === 'broken-off') {
    const isReported = allowsFailures && reading.how === 'error';
    tallies['broken-off'].add(done, isReported ? undefined : breakOffParts(reading.how, exchange, answer));
    judgePart(done, judging);
    return { outcome: isReported ? 'failed' : 'broken', isOrdinary: false };
  }
  tallies['valid-key'].add({ exchange });
  tallies['broken-off'].add(done);
  const outcome = judgeWhole(done, answer, judging) ? 'broken' : 'answered';
  // The text of a slow reader is compared; to check each of its large chunks would keep all others waiting.
  return { outcome, isOrdinary: done.call.kind !== 'slow-reader' };
}

/** Says whether a whole reply breaks a clause. */
function judgeWhole(done: DoneCall, answer: Answer, judging: CallJudging): boolean {
  const { call, exchange } = done;
  if (call.kind === 'list') return judging.lists.look(exchange);
  const [text = ''] = replyTexts(exchange, answer);
  const isBroken = judgeText(text, done, judging, false);
  if (judging.hasUpstream && !isBroken && call.kind !== 'slow-reader') judgeFacts(done, answer, judging.tallies);
  return isBroken;
}

/** What comes beside the upstream's text is a should, so that the answer itself counts as answered. */
function judgeFacts(done: DoneCall, answer: Answer, tallies: Tallies): void {
  const {
    profile,
    behind: { usageSent },
  } = done.known;
  const { finish, usage } = readFacts(done.exchange, answer);
  const sent = PROFILES[profile].finish;
  // A reply without one breaks a clause of every answer, and is not reported twice.
  const isOther = finish !== undefined && finish !== null && finish !== sent;
  tallies['finish-reason'].add(done, isOther ? otherFinish(finish, sent) : undefined);
  // No call asks for token counts of a stream, so that a stream may have none.
  const counts = usageSent ? usageOf(profile) : undefined;
  tallies.usage.add(done, isObject(usage) ? otherUsage(usage, counts) : undefined);
}

/** A reply that was not read to its end is judged by what was read. Says whether that breaks a clause. */
function judgePart(done: DoneCall, judging: CallJudging): boolean {
  const { call, exchange } = done;
  const answer = lastAnswer(exchange);
  if (call.kind === 'list' || answer?.status !== 200 || exchange.request.mode !== 'stream') return false;
  const [text = ''] = replyTexts(exchange, answer);
  return text !== '' && judgeText(text, done, judging, true);
}

/** Says whether a text breaks a clause. `isPart`: not all of it was read. */
function judgeText(text: string, done: DoneCall, judging: CallJudging, isPart: boolean): boolean {
  const { tallies, registry, hasUpstream } = judging;
  const { known } = done;
  const joined = findJoin(text, known);
  const altered = hasUpstream ? findAltered(text, known, isPart) : undefined;
  const other = hasUpstream && !altered ? undefined : findMixed(text, known, registry);
  if (other) known.mixedWith = other;
  tallies['own-reply'].add(done, other && wordOf(other));
  // The same reply is not reported twice.
  if (hasUpstream) tallies.text.add(done, other || joined ? undefined : altered);
  if (isOfBoth(known)) tallies['fallback-joined'].add(done, other ? undefined : joined);
  return other !== undefined || altered !== undefined;
}

/** A call with a value out of range or an unknown key. */
function judgeToRefuse(done: DoneCall, reading: Answered, aim: Aim, judging: CallJudging): JudgedCall {
  const { answer } = reading;
  const hasFailed = answer.status >= 500;
  const isFault = hasFailed && !judging.allowsFailures;
  judging.tallies[aim.tally].add(done, isFault ? statusFound(answer, aim.expected) : undefined);
  if (hasFailed) return { outcome: 'failed', isOrdinary: true, isFault };
  return done.call.kind === 'refusal'
    ? judgeRefusal(done, reading, judging.tallies)
    : judgeUnknownKey(done, answer, judging.tallies, aim.expected);
}

/** A target that blocks this client looks at no key (rule 35), nor does one that did not get the whole request. */
const NOT_OF_THE_KEY = [403, 408];

function judgeUnknownKey({ exchange }: DoneCall, answer: Answer, tallies: Tallies, expected: Expected): JudgedCall {
  const { status } = answer;
  if (NOT_OF_THE_KEY.includes(status)) return { outcome: 'failed', isOrdinary: true };
  const isRefusal = status === 401;
  const found = status === 200 ? successParts('accepted', expected, answer) : statusFound(answer, expected);
  tallies['unknown-key'].add({ exchange }, isRefusal ? undefined : found);
  return { outcome: isRefusal ? 'answered' : 'broken', isOrdinary: status !== 200 };
}

function judgeRefusal({ exchange }: DoneCall, { kind, answer }: Answered, tallies: Tallies): JudgedCall {
  // A stream without choices, such as one that only closes, is no completion.
  const isEmpty = exchange.request.mode === 'stream' && readChunks(answer).choices.length === 0;
  if (kind === 'whole' && !isEmpty) {
    tallies.refusal.add({ exchange }, successParts('completion', { kind: 'refusal' }, answer));
    return { outcome: 'broken', isOrdinary: false };
  }
  const isRefusal = isClientError(answer.status) && !OTHER_REFUSALS.includes(answer.status);
  if (isRefusal) tallies.refusal.add({ exchange });
  if (answer.status === 401) tallies['valid-key'].add({ exchange }, statusFound(answer, TO_ANSWER.expected));
  return { outcome: isRefusal ? 'answered' : 'failed', isOrdinary: kind === 'status' };
}

/** These say something about the key, the account or the time, not about the value (rule 3). */
const OTHER_REFUSALS = [401, 402, 408];

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

function breakOffParts(how: BreakOff, { request }: Exchange, answer: Answer): BriefParts {
  const isStream = request.mode === 'stream';
  const expected = how === 'error' ? 'no-error' : isStream ? 'whole-stream' : 'json';
  const parts = { mismatch: how, expected, actualType: how } as const;
  if (how === 'cut') return { ...parts, actual: 'cut-off' };
  if (how !== 'stalled') return { ...parts, actual: answerFound(answer) };
  return { ...parts, actual: { kind: 'stalled', count: isStream ? readChunks(answer).events.length : 0 } };
}

// The requests that reached the scripted upstream, against what the client sent, as `wirecheck relay` has it (rule 31).

/** Says whether one of them breaks a clause. */
function judgeArrived(done: DoneCall, { tallies, named, arrivedAs }: CallJudging): boolean {
  const sent = parseJson(done.exchange.request.body);
  const arrived = done.known.behind.arrived?.map((text) => parseJson(text)) ?? [];
  if (sent === undefined || arrived.length === 0) return false;
  const found = (name: LoadTallyName, look: (body: Json | undefined) => BriefParts | undefined): boolean => {
    const parts = arrived.map(look).find((each) => each !== undefined);
    tallies[name].add(done, parts);
    return parts !== undefined;
  };
  const asked = named.find(({ front }) => front === memberOf(sent, 'model'));
  return [
    found('messages', (body) => lostMessage(textsOf(sent), textsOf(body))),
    // A limit out of range should not arrive at all, which another clause judges.
    done.call.kind !== 'refusal' && found('token-limit', (body) => otherTokenLimit(sent, body)),
    asked !== undefined &&
      found('model', (body) =>
        memberOf(body, 'upstream') === undefined ? findOther(asked, memberOf(body, 'model'), arrivedAs) : undefined,
      ),
  ].includes(true);
}

/** Names that a gateway may make up. */
const MOST_ARRIVED = 1_000;

function findOther({ front, upstream: name }: NamedModel, arrived: Json | undefined, known: CallJudging['arrivedAs']) {
  const first = known.get(arrived) ?? front;
  if (known.size < MOST_ARRIVED) known.set(arrived, first);
  return otherModel(arrived, { name, other: first === front ? undefined : first });
}

// Whether a reply is its own, and what the scripted upstream sent (rule 32).

/** The call that was under way, or whose client had disconnected, and whose word a text has. */
function findMixed(text: string, own: KnownCall, registry: CallRegistry): KnownCall | undefined {
  // Replies mostly repeat one word; to look for others in eight megabytes of it takes long.
  const words = new Set(findRequestWords(text.replaceAll(own.word, '')));
  return [...words].map((word) => registry.findOther(word, own)).find((other) => other !== undefined);
}

function wordOf({ id }: KnownCall): BriefParts {
  const actual = { kind: 'foreign-word', exchange: id, request: requestNameOf({ step: id }) } as const;
  return { mismatch: 'foreign-reply', expected: 'own-reply', actualType: 'reply', actual };
}

/** `isPart`: not all of it was read. */
function findAltered(text: string, { word, profile, behind }: KnownCall, isPart: boolean): BriefParts | undefined {
  const { called = ['primary'] } = behind;
  const texts = [...new Set(called)].toReversed().map((name) => replyPieces(word, profile, name).join(''));
  const [sent = ''] = texts;
  const isSent = texts.some((each) => text === each || (isPart && each.startsWith(text)));
  return isSent ? undefined : otherText(text, sent);
}

// Two upstreams (rule 42).

function isOfBoth({ behind: { called = [] } }: KnownCall): boolean {
  return new Set(called).size > 1;
}

/** Where the text of one upstream follows that of the other. */
function findJoin(text: string, known: KnownCall): BriefParts | undefined {
  if (!isOfBoth(known)) return undefined;
  const places = Object.values(MARKS).map((mark) => text.indexOf(mark));
  return places.includes(-1) ? undefined : joinedAt(text, Math.max(...places));
}

/** What is answered by the other upstream while one fails. */
const TO_FAIL_OVER: readonly LoadKind[] = ['plain', 'stream'];

function failureShown(answer: Answer, exchange: Exchange, expected: Expected): BriefParts {
  return answer.status === 200 ? breakOffParts('error', exchange, answer) : statusFound(answer, expected);
}

function judgeUpstreamCalls(done: DoneCall, { outcome }: JudgedCall, judging: CallJudging): void {
  const { tallies, isFailingOver, mostUpstreamCalls } = judging;
  const { call, known, exchange } = done;
  const { called = [] } = known.behind;
  if (called.length > 0) tallies['fallback-calls'].add(done, tooManyCalls(called.length, mostUpstreamCalls));
  if (!isFailingOver || !TO_FAIL_OVER.includes(call.kind)) return;
  if (outcome === 'answered') tallies['fallback-answered'].add(done);
  if (outcome !== 'failed') return;
  const [answer, expected] = [lastAnswer(exchange), { kind: 'other-reply' }] as const;
  const { actual, actualType } = answer ? failureShown(answer, exchange, expected) : closedParts(exchange, expected);
  tallies['fallback-answered'].add(done, { mismatch: 'unanswered', expected, actual, actualType });
}

/** Finish_reason and token counts. */
function readFacts({ request }: Exchange, answer: Answer) {
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
