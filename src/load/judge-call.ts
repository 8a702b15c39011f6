/** Judges one call by the clauses of load, and says what became of it. Ordinary checks judge the rest. */
import type { Answer, Exchange } from '../exchange/exchange.ts';
import { wasAnswered } from '../exchange/reading/answered.ts';
import { readChunks } from '../exchange/reading/chunks.ts';
import type { LoadOutcome } from '../report/load-report.ts';
import { acceptedParts, breakOffParts, closedParts, completionParts, statusParts } from './call-findings.ts';
import type { CallRegistry } from './call-registry.ts';
import type { DoneCall } from './generator.ts';
import type { ListWatch } from './lists.ts';
import { readOutcome, type Reading } from './read-outcome.ts';
import { findOtherFinish, findOtherUsage, readFacts } from './reply-facts.ts';
import { findAltered, findForeign, textOf } from './reply-text.ts';
import type { Tallies } from './tally.ts';

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
  if (call.kind === 'unknown-key') return judgeUnknownKey(exchange, reading, judging);
  if (call.kind === 'refusal') return judgeRefusal(exchange, reading, judging);
  return judgeValid(done, reading, judging);
}

/** A gateway may give up on a client that does not read, and a reply of 8 MiB takes long: only what was read counts. */
function isOurDoing({ kind }: Reading): boolean {
  return kind === 'unanswered' || kind === 'broken-off';
}

function judgeValid(done: DoneCall, reading: Exclude<Reading, { kind: 'limit' }>, judging: CallJudging): JudgedCall {
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

function judgeUnknownKey(exchange: Exchange, reading: Reading, { tallies }: CallJudging): JudgedCall {
  if (reading.kind === 'unanswered') return { outcome: 'unanswered', isOrdinary: false };
  if (reading.kind === 'closed') return { outcome: 'failed', isOrdinary: false };
  if (reading.kind === 'rejected') return { outcome: 'rejected', isOrdinary: true };
  if (reading.kind === 'whole' || wasAnswered(exchange)) {
    const parts = 'answer' in reading ? acceptedParts(reading.answer) : undefined;
    tallies['unknown-key'].add(exchange, parts);
    return { outcome: 'broken', isOrdinary: false };
  }
  const isRefusal = reading.kind === 'status' && reading.answer.status === 401;
  if (isRefusal) tallies['unknown-key'].add(exchange);
  return { outcome: isRefusal ? 'answered' : 'failed', isOrdinary: reading.kind === 'status' };
}

function judgeRefusal(exchange: Exchange, reading: Reading, { tallies }: CallJudging): JudgedCall {
  if (reading.kind === 'unanswered') return { outcome: 'unanswered', isOrdinary: false };
  if (reading.kind === 'closed') return { outcome: 'failed', isOrdinary: false };
  if (reading.kind === 'rejected') return { outcome: 'rejected', isOrdinary: true };
  if (reading.kind === 'whole' && hasReply(exchange, reading.answer)) {
    tallies.refusal.add(exchange, completionParts(reading.answer));
    return { outcome: 'broken', isOrdinary: false };
  }
  const isRefusal = reading.kind === 'status' && refusesValue(reading.answer.status);
  if (isRefusal) tallies.refusal.add(exchange);
  if (reading.kind === 'status' && reading.answer.status === 401) {
    tallies['valid-key'].add(exchange, statusParts(reading.answer));
  }
  return { outcome: isRefusal ? 'answered' : 'failed', isOrdinary: reading.kind === 'status' };
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
