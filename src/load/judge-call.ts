/** Judges one call by the clauses of load, and says what became of it. Ordinary checks judge the rest. */

import type { Answer, Exchange } from '../exchange/exchange.ts';
import { requestNameOf } from '../exchange/identity.ts';
import { endsChoice } from '../exchange/reading/choices.ts';
import { chunkValue, readChunks } from '../exchange/reading/chunks.ts';
import { isObject, type Json, memberOf, typeOf } from '../json.ts';
import { findRequestWords } from '../plan/request-word.ts';
import type { LoadOutcome, OnlyWith } from '../report/load-report.ts';
import { lastAnswer } from '../exchange/reading/answered.ts';
import { textTimes } from '../exchange/reading/looks-fake.ts';
import { quoteText, quoteValue } from '../text/quote.ts';
import type { Expected } from '../verdict/expected.ts';
import { type FindingParts, valueFound } from '../verdict/finding.ts';
import { itemsOf, readBody, statusFound } from '../verdict/reading/answers.ts';
import { answerFound } from '../verdict/reading/body-content.ts';
import { replyTexts } from '../verdict/reading/token-counts.ts';
import { type CallRegistry, type KnownCall, mayMix } from './call-registry.ts';
import type { LoadCall } from './calls.ts';
import type { CallRoom } from './send-call.ts';
import type { ListWatch } from './lists.ts';
import { PACED_PAUSE, PROFILES, replyPieces, usageOf } from './profiles.ts';
import { type BreakOff, type Reading, readOutcome } from './read-outcome.ts';
import type { Tallies, Tally } from './tally.ts';

/** A call that has ended, with what was going on around it. */
export interface DoneCall {
  readonly call: Pick<LoadCall, 'kind' | 'stage'>;
  readonly known: KnownCall;
  readonly exchange: Exchange;
  /** Our client disconnected. */
  readonly hasLeft: boolean;
  /** What held when it was sent. */
  readonly traits: readonly OnlyWith[];
  /** Of its answer. */
  readonly room: Pick<CallRoom, 'release'>;
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

interface JudgedCall {
  readonly outcome: LoadOutcome;
  /** The ordinary checks judge the answer as well. */
  readonly isOrdinary: boolean;
}

/** Without those that a limit of ours ended. */
type Ended = Exclude<Reading, { kind: 'limit' }>;

const OURS: JudgedCall = { outcome: 'left', isOrdinary: false };

export function judgeCall(done: DoneCall, judging: CallJudging): JudgedCall {
  const { call, exchange, hasLeft } = done;
  if (hasLeft) {
    judgePart(done, judging);
    return OURS;
  }
  const reading = readOutcome(exchange);
  if (reading.kind === 'limit') return { outcome: 'limit', isOrdinary: false };
  if (call.kind === 'slow-reader' && isOurDoing(reading)) {
    judgePart(done, judging);
    return OURS;
  }
  if (call.kind === 'unknown-key') return judgeUnknownKey(done, reading, judging);
  if (call.kind === 'refusal') return judgeRefusal(done, reading, judging);
  return judgeValid(done, reading, judging);
}

/** A gateway may give up on a client that does not read, and a reply of 8 MiB takes long: only what was read counts. */
function isOurDoing({ kind }: Reading): boolean {
  return kind === 'unanswered' || kind === 'broken-off';
}

function judgeValid(done: DoneCall, reading: Ended, judging: CallJudging): JudgedCall {
  const { exchange, traits } = done;
  const { tallies, allowsFailures } = judging;
  switch (reading.kind) {
    case 'unanswered':
      return { outcome: 'unanswered', isOrdinary: false };
    case 'rejected':
      return { outcome: 'rejected', isOrdinary: true };
    case 'not-http':
      return { outcome: 'failed', isOrdinary: true };
    case 'closed':
      if (!allowsFailures) tallies.failed.add(exchange, closedParts(exchange), traits);
      return { outcome: 'failed', isOrdinary: false };
    case 'status':
      return judgeStatus(done, reading.answer, judging);
    case 'broken-off':
      return judgeBrokenOff(done, reading, judging);
    case 'whole':
      tallies.failed.add(exchange, undefined, traits);
      tallies['valid-key'].add(exchange);
      tallies['broken-off'].add(exchange, undefined, traits);
      return {
        outcome: judgeWhole(done, reading.answer, judging) ? 'broken' : 'answered',
        // The text of a slow reader is compared; to check each of its large chunks would keep all others waiting.
        isOrdinary: done.call.kind !== 'slow-reader',
      };
  }
}

function judgeStatus(
  { exchange, traits }: DoneCall,
  answer: Answer,
  { tallies, allowsFailures }: CallJudging,
): JudgedCall {
  const parts = statusFound(answer, ANSWERED);
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

/** Of a whole reply. Says whether it breaks a clause. */
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

/** Of a reply with the upstream's text. They are shoulds, so that the answer itself counts as answered. */
function judgeFacts({ exchange, known, traits }: DoneCall, answer: Answer, tallies: Tallies): void {
  const facts = readFacts(exchange, answer);
  tallies['finish-reason'].add(exchange, findOtherFinish(facts, known), traits);
  tallies.usage.add(exchange, findOtherUsage(facts, known), traits);
}

/** A reply that was not read to its end is judged by what was read. */
function judgePart({ call, exchange, known, traits }: DoneCall, { tallies, registry, hasUpstream }: CallJudging): void {
  const outcome = exchange.attempts.at(-1)?.outcome;
  if (call.kind === 'list' || outcome?.kind !== 'answer' || outcome.answer.status !== 200) return;
  const isStream = exchange.request.mode === 'stream';
  const text = isStream ? textOf(exchange, outcome.answer) : undefined;
  if (text === undefined || text === '') return;
  const foreign = findForeign(text, known, registry);
  tallies['own-reply'].add(exchange, foreign, traits);
  if (hasUpstream && !foreign) tallies.text.add(exchange, findAltered(text, known, true), traits);
}

function judgeUnknownKey(done: DoneCall, reading: Ended, judging: CallJudging): JudgedCall {
  const { exchange } = done;
  const expected = { kind: 'status', status: 401 } as const;
  const answer = toRefused(done, reading, { tally: judging.tallies['unknown-key-failed'], expected, judging });
  if ('outcome' in answer) return answer;
  const tally = judging.tallies['unknown-key'];
  if (answer.status === 200) {
    tally.add(exchange, acceptedParts(answer));
    return { outcome: 'broken', isOrdinary: false };
  }
  if (NOT_OF_THE_KEY.includes(answer.status)) return { outcome: 'failed', isOrdinary: true };
  const isRefusal = answer.status === 401;
  tally.add(exchange, isRefusal ? undefined : statusFound(answer, expected));
  return { outcome: isRefusal ? 'answered' : 'broken', isOrdinary: true };
}

/** A target that blocks this client looks at no key (rule 35), nor does one that did not get the whole request. */
const NOT_OF_THE_KEY = [403, 408];

function judgeRefusal(done: DoneCall, reading: Ended, judging: CallJudging): JudgedCall {
  const { exchange } = done;
  const { tallies } = judging;
  const expected = { kind: 'refusal' } as const;
  const answer = toRefused(done, reading, { tally: tallies['refusal-failed'], expected, judging });
  if ('outcome' in answer) return answer;
  if (reading.kind === 'whole' && hasReply(exchange, answer)) {
    tallies.refusal.add(exchange, completionParts(answer));
    return { outcome: 'broken', isOrdinary: false };
  }
  const isRefusal = refusesValue(answer.status);
  if (isRefusal) tallies.refusal.add(exchange);
  if (answer.status === 401) tallies['valid-key'].add(exchange, statusFound(answer, ANSWERED));
  return { outcome: isRefusal ? 'answered' : 'failed', isOrdinary: reading.kind === 'status' };
}

interface ToRefuse {
  /** Of calls of this kind that failed, however many valid ones there are (rule 34). */
  readonly tally: Tally;
  readonly expected: Expected;
  readonly judging: CallJudging;
}

/** The answer to a call that has to be refused, or what became of the call if it failed or proves nothing. */
function toRefused(
  { exchange, traits }: DoneCall,
  reading: Ended,
  { tally, expected, judging: { allowsFailures } }: ToRefuse,
): Answer | JudgedCall {
  if (reading.kind === 'unanswered') return { outcome: 'unanswered', isOrdinary: false };
  if (reading.kind === 'rejected') return { outcome: 'rejected', isOrdinary: true };
  if (reading.kind === 'not-http') return { outcome: 'failed', isOrdinary: true };
  if (reading.kind === 'closed') {
    if (!allowsFailures) tally.add(exchange, closedParts(exchange, expected), traits);
    return { outcome: 'failed', isOrdinary: false };
  }
  const { answer } = reading;
  if (answer.status < 500) {
    tally.add(exchange, undefined, traits);
    return answer;
  }
  tally.add(exchange, allowsFailures ? undefined : statusFound(answer, expected), traits);
  return { outcome: 'failed', isOrdinary: true };
}

/** These say something about the key, the account or the time, not about the value (rule 3). */
const OTHER_REFUSALS = [401, 402, 408];

function refusesValue(status: number): boolean {
  return status >= 400 && status < 500 && !OTHER_REFUSALS.includes(status);
}

/** A stream without choices, such as one that only closes, is no completion. */
function hasReply({ request }: Exchange, answer: Answer): boolean {
  return request.mode === 'plain' || readChunks(answer).choices.length > 0;
}

// What a finding about one call under load says.

const ANSWERED: Expected = { kind: 'status', status: 200 };

/** A port that is closed by the last try says more than a connection that was closed before. */
function closedParts({ attempts }: Exchange, expected = ANSWERED): FindingParts {
  const outcome = attempts.at(-1)?.outcome;
  const isRefused = outcome?.kind === 'none' && outcome.failure.kind === 'refused';
  return {
    mismatch: 'no-body',
    expected,
    actualType: 'closed',
    actual: isRefused ? { kind: 'connection-refused' } : { kind: 'hang-up', times: attempts.length },
  };
}

function acceptedParts(answer: Answer): FindingParts {
  return {
    mismatch: 'accepted',
    expected: { kind: 'status', status: 401 },
    actualType: '2xx',
    actual: answerFound(answer),
  };
}

function completionParts(answer: Answer): FindingParts {
  return { mismatch: 'completion', expected: { kind: 'refusal' }, actualType: '2xx', actual: answerFound(answer) };
}

function breakOffParts(how: BreakOff, { request }: Exchange, answer: Answer): FindingParts {
  const expected = { kind: request.mode === 'stream' ? 'whole-stream' : 'json' } as const;
  switch (how) {
    case 'cut':
      return { mismatch: 'cut', expected, actualType: 'cut', actual: { kind: 'cut-off' } };
    case 'stalled':
      return {
        mismatch: 'stalled',
        expected,
        actualType: 'stalled',
        actual: { kind: 'stalled', count: countEvents(request, answer) },
      };
    case 'not-json':
      return { mismatch: 'not-json', expected, actualType: 'not-json', actual: answerFound(answer) };
    case 'error':
      return { mismatch: 'error', expected: { kind: 'no-error' }, actualType: 'error', actual: answerFound(answer) };
  }
}

function countEvents({ mode }: Exchange['request'], answer: Answer): number {
  return mode === 'stream' ? readChunks(answer).events.length : 0;
}

// Whether finish_reason and token counts of a reply are those that the upstream sent (rule 32).

interface ReplyFacts {
  readonly finish?: Json | undefined;
  readonly usage?: Json | undefined;
}

function readFacts({ request }: Exchange, answer: Answer): ReplyFacts {
  if (request.mode === 'stream') {
    const { choices, chunks } = readChunks(answer);
    const last = chunks.findLast(({ hasUsage }) => hasUsage);
    return {
      finish: choices[0]?.parts.find(endsChoice)?.finish?.text,
      usage: last && memberOf(chunkValue(last), 'usage'),
    };
  }
  const body = readBody(answer);
  if (body.kind !== 'json') return {};
  const [choice] = itemsOf(memberOf(body.value, 'choices'));
  return { finish: memberOf(choice, 'finish_reason'), usage: memberOf(body.value, 'usage') };
}

/** A reply without one breaks a clause of every answer, and is not reported twice. */
function findOtherFinish({ finish }: ReplyFacts, { profile }: KnownCall): FindingParts | undefined {
  const sent = PROFILES[profile].finish;
  if (finish === undefined || finish === null || finish === sent) return undefined;
  return {
    mismatch: 'finish-reason',
    expected: { kind: 'upstream-value', value: quoteText(sent) },
    actualType: typeOf(finish),
    actual: valueFound(finish),
  };
}

const COUNTS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

/** No call asks for token counts of a stream, so that a stream may have none. */
function findOtherUsage({ usage }: ReplyFacts, { profile, usageSent }: KnownCall): FindingParts | undefined {
  if (!isObject(usage)) return undefined;
  if (!usageSent) {
    return {
      mismatch: 'usage-invented',
      expected: { kind: 'no-usage' },
      actualType: 'object',
      actual: valueFound(usage),
    };
  }
  const sent = usageOf(profile);
  const wrong = COUNTS.find((name) => usage[name] !== sent[name]);
  if (wrong === undefined) return undefined;
  return {
    mismatch: 'usage-altered',
    pointer: `/usage/${wrong}`,
    expected: { kind: 'upstream-value', value: quoteValue(sent[wrong]) },
    actualType: typeOf(usage[wrong]),
    actual: valueFound(usage[wrong]),
  };
}

// Whether a reply is its own, and what the upstream sent.

/** Undefined without text. */
export function textOf(exchange: Exchange, answer: Answer): string | undefined {
  return replyTexts(exchange, answer)[0];
}

/** The word of another call that was under way, or whose client had disconnected. */
function findForeign(text: string, own: KnownCall, registry: CallRegistry): FindingParts | undefined {
  // Replies mostly repeat one word; to look for others in eight megabytes of it takes long.
  const rest = text.replaceAll(own.word, '');
  for (const word of new Set(findRequestWords(rest))) {
    const other = registry.find(word);
    if (!other || other.id === own.id || !mayMix(own, other)) continue;
    return {
      mismatch: 'foreign-reply',
      expected: { kind: 'own-reply' },
      actualType: 'reply',
      actual: { kind: 'foreign-word', exchange: other.id, request: requestNameOf({ step: other.id }) },
    };
  }
  return undefined;
}

/** Characters that a finding shows before the first difference. */
const BEFORE = 20;

/** `isPart`: not all of it was read. */
function findAltered(text: string, { word, profile }: KnownCall, isPart: boolean): FindingParts | undefined {
  const sent = replyPieces(word, profile).join('');
  if (text === sent || (isPart && sent.startsWith(text))) return undefined;
  const isLost = sent.startsWith(text);
  const from = Math.max(0, firstDifference(text, sent) - BEFORE);
  return {
    mismatch: isLost ? 'text-lost' : 'text-altered',
    expected: { kind: 'upstream-text', text: quoteText(sent.slice(from)), from },
    actualType: 'text',
    actual: { kind: 'text-at', text: quoteText(text.slice(from)), from, length: text.length },
  };
}

function firstDifference(text: string, other: string): number {
  const most = Math.min(text.length, other.length);
  for (let at = 0; at < most; at++) if (text[at] !== other[at]) return at;
  return most;
}

// Streams in whose middle the upstream pauses. Only the times of reading count, so that no two clocks are compared.

/** Milliseconds that a piece may stay in the gateway (rule 32). */
const MAX_DELAY = 1_000;
/** Undefined if it has no text. `parts`: what is wrong with it. */
export function judgePieces(exchange: Exchange): { readonly parts?: FindingParts } | undefined {
  const answer = lastAnswer(exchange);
  const times = answer ? textTimes(readChunks(answer)) : [];
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const delay = PACED_PAUSE - (last - first);
  if (delay <= MAX_DELAY) return {};
  return {
    parts: {
      mismatch: 'held-back',
      expected: { kind: 'piece-within', limit: MAX_DELAY },
      actualType: 'delay',
      actual: { kind: 'delay', time: Math.round(delay) },
    },
  };
}
