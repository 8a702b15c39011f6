/** The stream of an exchange, or the reason why there is none to judge. */
import { type ChunkReading, type EventPlace, readChunks } from '../../../exchange/reading/chunks.ts';
import type { Answer, Exchange, StreamEnd } from '../../../exchange/exchange.ts';
import { hasReplyText } from '../../../exchange/reading/choices.ts';
import { streamEnd } from '../../../exchange/reading/stream-end.ts';
import { pointerOf } from '../../../json.ts';
import type { CheckInput } from '../../check.ts';
import { eachExchange } from '../../reading/each-exchange.ts';
import { finding, type FindingParts, valueFound } from '../../finding.ts';
import { inconclusive, observed, skipped } from '../../check-result.ts';
import { answerOutcome, whyNoAnswer } from '../../reading/outcome.ts';
import { isItemList, nameOnly, type Observation, seenValues } from '../../observation.ts';
import type { Actual } from '../../actual.ts';
import type { Cause, Reason } from '../../reason.ts';
import type { CheckResult, Finding } from '../../verdict.ts';

export interface StreamView {
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly chunks: ChunkReading;
  readonly end: StreamEnd;
}

/** What a check needs at least: a 200, an event, or a chunk with a choice. */
export type Need = 'answer' | 'event' | 'choice';

/** A root cause is reported once; clauses that depend on it refer to its clause. */
export function seeClause(because: Cause, clause: string): CheckResult {
  return inconclusive({ kind: 'see-clause', because, clause });
}

function whyUnmet({ chunks }: StreamView, need: Need): CheckResult | undefined {
  if (need === 'answer') return undefined;
  if (chunks.form !== 'events' && chunks.form !== 'nothing') {
    return seeClause('no-event-stream', 'stream.event-stream');
  }
  const isEnough = need === 'event' ? chunks.form === 'events' : chunks.choices.length > 0;
  return isEnough ? undefined : seeClause('no-choice', 'stream.has-choices');
}

function viewOf(exchange: Exchange, need: Need): StreamView | CheckResult {
  const outcome = answerOutcome(exchange);
  if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
  if (outcome.kind !== 'answered') {
    const answer = { status: outcome.status };
    return inconclusive({ kind: 'see-clause', because: 'status', clause: 'stream.answers', answer });
  }
  const { answer } = outcome;
  const chunks = readChunks(answer);
  const stream = { exchange, answer, chunks, end: streamEnd(answer) };
  return whyUnmet(stream, need) ?? stream;
}

const NO_STREAM: Reason = { kind: 'no-stream' };

/** A check that judges stream by stream. */
export function judgeStreams(need: Need, judge: (stream: StreamView, input: CheckInput) => CheckResult) {
  const judgeEach = eachExchange((exchange, input) => {
    const view = viewOf(exchange, need);
    return 'kind' in view ? view : judge(view, input);
  });
  return (input: CheckInput): CheckResult =>
    input.exchanges.length === 0 ? inconclusive(NO_STREAM) : judgeEach(input);
}

/** Observations of the same name from several streams are combined. */
export function observeStreams(need: Need, observeOne: (stream: StreamView) => readonly Observation[]) {
  return ({ exchanges }: CheckInput): CheckResult => {
    const views = exchanges.map((exchange) => viewOf(exchange, need));
    const seen = views.flatMap((view) => ('kind' in view ? [] : observeOne(view)));
    if (seen.length === 0) return skipped(NO_STREAM);
    const byName = new Map<string, readonly Observation[]>();
    for (const observation of seen) {
      const key = JSON.stringify(nameOnly(observation));
      byName.set(key, [...(byName.get(key) ?? []), observation]);
    }
    return observed([...byName.values()].flatMap(combineStreams));
  };
}

/** Observations of the same name become one. */
function combineStreams(same: readonly Observation[]): readonly Observation[] {
  const [first] = same;
  return first ? [{ ...nameOnly(first), value: combineItems(same.map(({ value }) => value)) }] : [];
}

function combineItems(values: readonly Observation['value'][]): Observation['value'] {
  const [first] = values;
  const isSame = new Set(values.map((value) => JSON.stringify(value))).size === 1;
  if (first !== undefined && isSame) return first;
  return seenValues(values.flatMap((value) => (isItemList(value) ? value : [value])));
}

/** Why the answer was not read to its end. */
export function stoppedBy({ body }: Answer): Reason {
  return body.end.kind === 'limit'
    ? { kind: 'over-limit', what: 'stream', limit: body.end.limit }
    : { kind: 'not-read', what: 'stream' };
}

/** Why the end of a stream cannot be judged; undefined if it is complete. */
export function whyNoEnd({ answer, chunks, end }: StreamView): CheckResult | undefined {
  if (chunks.errors.length > 0)
    return seeClause('stream-error', hasReplyText(chunks.choices) ? 'stream.no-error' : 'stream.completes');
  if (end === 'cut' || end === 'stalled')
    return seeClause(end === 'cut' ? 'stream-cut' : 'stream-stalled', 'stream.completes');
  return end === 'limit' || end === 'aborted' ? inconclusive(stoppedBy(answer)) : undefined;
}

/** The index of the event is the first token of the pointer. */
export function inEvent(
  { exchange }: StreamView,
  event: number | EventPlace,
  tokens: readonly (string | number)[],
  parts: Omit<FindingParts, 'pointer'>,
): Finding {
  const index = typeof event === 'number' ? event : event.index;
  return finding(exchange, { ...parts, pointer: pointerOf([index, ...tokens]) });
}

/** Only string values of the members of a chunk are kept. */
export function memberFound(member: { readonly type: string; readonly text?: string } | undefined): Actual {
  if (!member) return { kind: 'absent' };
  return member.text === undefined ? { kind: 'type', type: member.type } : valueFound(member.text);
}

/** A reasoning model may spend a small budget before it produces text. */
export const NO_TEXT = skipped({ kind: 'no-text' });

/** The event was not parsed, so nothing is known about it. */
export const UNREAD = inconclusive({ kind: 'event-not-read' });
