/** The first contact with a target: whether it is there, which model it may be asked for, and why it gives no reply. */
import type { FilledRequest } from '../../plan/bind-request.ts';
import { describeAnswer } from '../answer-status.ts';
import type { EndingOf } from '../ending.ts';
import type { Attempt, Exchange, Failure } from '../exchange.ts';
import { lastAnswer, lastFailure, timeLimitOf } from '../reading/answered.ts';
import { pickCandidates, readModelList } from '../reading/model-list.ts';
import type { Transport } from '../transport/transport.ts';
import type { Wait } from './hooks.ts';
import { pauseFor } from './pace.ts';

/** The model list, as every key may ask for it. */
export const LIST_REQUEST = {
  endpoint: 'models',
  mode: 'plain',
  method: 'GET',
  path: '/models',
  headers: {},
  key: 'full',
} as const satisfies FilledRequest;

interface Waiting {
  /** Milliseconds. */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** Milliseconds between attempts. */
const INTERVAL = 500;

const NOT_READY: Failure = {
  kind: 'timeout',
  limit: 'wait-for',
  code: 'TIMEOUT',
  detail: 'connected, but no answer within the time limit',
};

/**
 * Waits for a target that is still starting, as in CI, until the list answers below 500 or the time is up. The run then
 * starts either way, unless the target accepted every connection and answered nothing: to wait for all its time limits as
 * well would show no more, so the returned ending is that of the run.
 */
export async function waitUntilReady(
  transport: Transport,
  list: FilledRequest,
  { most, signal, onWait }: Waiting,
): Promise<EndingOf<'unreachable'> | undefined> {
  const began = performance.now();
  const until = began + most;
  let hangs = false;
  let isHeard = false;
  while (performance.now() < until && !signal.aborted) {
    // Held: Node may collect a timeout of which only `AbortSignal.any` knows, and it never fires.
    const time = AbortSignal.timeout(Math.ceil(until - performance.now()));
    const sent = await transport.send(list, { fresh: true, signal: AbortSignal.any([time, signal]) });
    const { outcome, connection } = sent;
    if (outcome.kind === 'answer' && outcome.answer.status < 500) return undefined;
    const wasLate = isLate(outcome, time);
    isHeard ||= !wasLate;
    hangs ||= wasLate && connection !== undefined;
    const why = outcome.kind === 'answer' ? outcome.answer.status : time.aborted ? 'TIMEOUT' : outcome.failure.code;
    onWait?.({ elapsed: performance.now() - began, most, why });
    await pauseFor(Math.min(INTERVAL, until - performance.now()), signal);
  }
  return hangs && !isHeard && !signal.aborted
    ? { kind: 'unreachable', failure: NOT_READY, most, waited: true }
    : undefined;
}

function isLate(outcome: Attempt['outcome'], time: AbortSignal): boolean {
  return outcome.kind === 'none' && (time.aborted || outcome.failure.kind === 'timeout');
}

/** Undefined if the list was answered, whatever the answer is. */
export function findUnreachable(list: Exchange): EndingOf<'unreachable'> | undefined {
  const failure = lastFailure(list);
  if (failure) return { kind: 'unreachable', failure };
  const limit = timeLimitOf(list);
  if (limit === undefined) return undefined;
  const detail = 'the answer did not end within its time limit';
  return { kind: 'unreachable', failure: { kind: 'timeout', limit, code: 'TIMEOUT', detail }, began: true };
}

/** The models to try, in this order. `given`: by the user; `unlisted`: that of our upstream, which the target need not list. */
export function modelsToTry(
  list: Exchange | undefined,
  { given, unlisted }: { readonly given?: string | undefined; readonly unlisted?: string | undefined },
): readonly string[] {
  if (given !== undefined) return [given];
  const reading = list && readModelList(list);
  const listed = reading?.kind === 'list' ? pickCandidates(reading.models) : [];
  return listed.length === 0 && unlisted !== undefined ? [unlisted] : listed;
}

/** The target was called, and called no upstream of ours. `last`: what came of the last call. */
export function endWithoutUpstream(
  last: Exchange | undefined,
  { upstream, model, others }: Pick<EndingOf<'no-upstream-call'>, 'upstream' | 'model' | 'others'>,
): EndingOf<'no-upstream-call'> {
  const limit = last && timeLimitOf(last);
  const answer = limit === undefined ? last && lastAnswer(last) : undefined;
  return {
    kind: 'no-upstream-call',
    upstream,
    model,
    ...(answer && { answer: describeAnswer(answer) }),
    ...(limit !== undefined && { limit }),
    others,
  };
}
