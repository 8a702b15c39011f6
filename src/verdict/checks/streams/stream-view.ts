/** The stream of an exchange, or the reason why there is none to judge. */
import { type ChunkReading, type EventPlace, readChunks } from '../../../exchange/reading/chunks.ts';
import type { Answer, Exchange, StreamEnd } from '../../../exchange/exchange.ts';
import { hasReplyText, type Member } from '../../../exchange/reading/choices.ts';
import { streamEnd } from '../../../exchange/reading/event-stream.ts';
import { pointerOf } from '../../../json.ts';
import type { CheckInput } from '../../check.ts';
import { eachExchange, type Found } from '../../reading/each-exchange.ts';
import { type BriefParts, finding, type FindingParts, valueFound } from '../../finding.ts';
import { inconclusive, observed, skipped } from '../../check-result.ts';
import { answerOutcome, whyNoAnswer } from '../../reading/outcome.ts';
import { isItemList, nameOnly, type Observation, type ObservationName, seenValues } from '../../observation.ts';
import type { Cause, Reason } from '../../reason.ts';
import type { CheckResult, Finding } from '../../verdict.ts';

export interface StreamView {
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly chunks: ChunkReading;
  readonly end: StreamEnd;
}

/** What a check needs at least: a 200, an event, or a chunk with a choice. */
type Need = 'answer' | 'event' | 'choice';

/** A root cause is reported once; clauses that depend on it refer to its clause. */
export function seeClause(because: Cause, clause: string): CheckResult {
  return inconclusive({ kind: 'see-clause', because, clause });
}

/** The reason not to judge an answer that is no event stream. No bytes, or comments only, is one without a reply. */
export function whyNoEvents({ form }: ChunkReading): CheckResult | undefined {
  return form === 'events' || form === 'nothing' ? undefined : seeClause('no-event-stream', 'stream.event-stream');
}

function viewOf(exchange: Exchange, need: Need): StreamView | CheckResult {
  const outcome = answerOutcome(exchange);
  if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
  const { kind, status, answer } = outcome;
  if (kind !== 'answered')
    return inconclusive({ kind: 'see-clause', because: 'status', clause: 'stream.answers', answer: { status } });
  const chunks = readChunks(answer);
  const stream = { exchange, answer, chunks, end: streamEnd(answer) };
  if (need === 'answer') return stream;
  const isEnough = need === 'event' ? chunks.form === 'events' : chunks.choices.length > 0;
  return whyNoEvents(chunks) ?? (isEnough ? stream : seeClause('no-choice', 'stream.has-choices'));
}

const NO_STREAM: Reason = { kind: 'no-stream' };

/** A check that judges stream by stream. */
export function judgeStreams(need: Need, judge: (stream: StreamView, input: CheckInput) => Found) {
  const judgeEach = eachExchange((exchange, input) => {
    const view = viewOf(exchange, need);
    return 'kind' in view ? view : judge(view, input);
  });
  return (input: CheckInput): CheckResult =>
    input.exchanges.length === 0 ? inconclusive(NO_STREAM) : judgeEach(input);
}

/** Observations of the same name from several streams become one. */
export function observeStreams(need: Need, observeOne: (stream: StreamView) => readonly Observation[]) {
  return ({ exchanges }: CheckInput): CheckResult => {
    const seen = new Map<string, { readonly name: ObservationName; readonly values: Observation['value'][] }>();
    for (const view of exchanges.map((exchange) => viewOf(exchange, need))) {
      for (const observation of 'kind' in view ? [] : observeOne(view)) {
        const name = nameOnly(observation);
        const key = JSON.stringify(name);
        const known = seen.get(key) ?? { name, values: [] };
        seen.set(key, known);
        known.values.push(observation.value);
      }
    }
    if (seen.size === 0) return skipped(NO_STREAM);
    return observed([...seen.values()].map(({ name, values }) => ({ ...name, value: combineItems(values) })));
  };
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

/** The index of the event is the first token of the pointer; `tokens` are those within its data. */
export function inEvent(
  { exchange }: StreamView,
  event: number | Pick<EventPlace, 'index'>,
  parts: Omit<BriefParts, 'pointer'>,
  tokens: readonly (string | number)[] = [],
): Finding {
  const index = typeof event === 'number' ? event : event.index;
  return finding(exchange, { ...parts, pointer: pointerOf([index, ...tokens]) });
}

/** A member of a chunk as it came. Only string values are kept. */
export function memberFound(member: Member | undefined): Pick<FindingParts, 'actualType' | 'actual'> {
  const actualType = member?.type ?? 'absent';
  if (member && member.text === undefined) return { actualType, actual: { kind: 'type', type: member.type } };
  return { actualType, actual: valueFound(member?.text) };
}

/** A reasoning model may spend a small budget before it produces text. */
export const NO_TEXT = skipped('no-text');
