/** Judges one call by the clauses of load, and says what became of it. Ordinary checks judge the rest. */
import type { Answer, Exchange } from '../exchange/exchange.ts';
import { readChunks } from '../exchange/reading/chunks.ts';
import type { LoadOutcome } from '../report/load-report.ts';
import type { Expected } from '../verdict/expected.ts';
import { acceptedParts, breakOffParts, closedParts, completionParts, statusParts } from './call-findings.ts';
import type { CallRegistry } from './call-registry.ts';
import type { DoneCall } from './generator.ts';
import type { ListWatch } from './lists.ts';
import { readOutcome, type Reading } from './read-outcome.ts';
import { findOtherFinish, findOtherUsage, readFacts } from './reply-facts.ts';
import { findAltered, findForeign, textOf } from './reply-text.ts';
import type { Tallies, Tally } from './tally.ts';

export interface CallJudging {
  readonly tallies: Tallies;
  readonly lists: ListWatch;
  readonly registry: CallRegistry;
  /** The scripted upstream is behind the gateway, so that every text is known. */
  readonly hasUpstream: boolean;
  /** While a command of `--during` runs, a failure that is reported passes (rule 38). */
  readonly allowsFailures: boolean;
}

export interface JudgedCall {
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
  const parts = statusParts(answer);
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
  tally.add(exchange, isRefusal ? undefined : statusParts(answer, expected));
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
  if (answer.status === 401) tallies['valid-key'].add(exchange, statusParts(answer));
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
  tally.add(exchange, allowsFailures ? undefined : statusParts(answer, expected), traits);
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
