/** Before the load: lists and one call, alone. Finds the model, or why there is nothing to load. */
import { describeAnswer } from '../exchange/answer-status.ts';
import { pauseFor } from '../exchange/channel/pace.ts';
import { retryAfter } from '../exchange/channel/retry.ts';
import type { Ending } from '../exchange/ending.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { endlessAnswer } from '../exchange/transport/failures.ts';
import { lastAnswer, timeLimitOf, wasAnswered } from '../exchange/reading/answered.ts';
import { explainNoModel, pickCandidates, readModelList } from '../exchange/reading/model-list.ts';
import type { Settings } from '../settings.ts';
import type { LoadUpstream } from './upstream-server.ts';
import { LOAD_MODEL } from './upstream-stream.ts';

export interface PreflightOptions {
  /** Given by the user. */
  readonly model: string | undefined;
  readonly upstream: LoadUpstream | undefined;
  readonly settings: Pick<Settings, 'retries' | 'retryPauses' | 'maxRetryWait'>;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** Undefined if the run ended. */
  readonly list: () => Promise<Exchange | undefined>;
  readonly ask: (model: string) => Promise<Exchange | undefined>;
}

export type Preflight = { readonly model: string } | { readonly ending: Ending };

/** Times that a control is asked. */
const TRIES = 2;

export async function preflight(options: PreflightOptions): Promise<Preflight> {
  const list = await untilSettled(options.list, options);
  if (!list) return { ending: { kind: 'interrupted' } };
  const outcome = list.attempts.at(-1)?.outcome;
  if (outcome?.kind === 'none') return { ending: { kind: 'unreachable', failure: outcome.failure } };
  const limit = timeLimitOf(list);
  if (limit !== undefined) return { ending: { kind: 'unreachable', failure: endlessAnswer(limit), began: true } };
  const answer = lastAnswer(list);
  if (answer?.status === 401) return { ending: { kind: 'key-refused', status: 401, answer: describeAnswer(answer) } };
  if (answer && isRejection(answer.status)) {
    return { ending: { kind: 'refused-alone', answer: describeAnswer(answer) } };
  }
  const reading = readModelList(list);
  // Without a readable list, the name of our own upstream's model is worth a try.
  const unlisted = options.upstream ? [LOAD_MODEL] : [];
  const listed = reading.kind === 'list' ? pickCandidates(reading.models) : unlisted;
  const candidates = options.model === undefined ? listed : [options.model];
  if (candidates.length === 0) return { ending: { kind: 'no-model', reason: explainNoModel(list) } };
  return askModels(candidates, options);
}

/** A rejection says nothing yet: it is asked again, as in a run (rule 3). */
async function untilSettled(
  ask: () => Promise<Exchange | undefined>,
  { settings: { retries, retryPauses, maxRetryWait }, signal }: PreflightOptions,
): Promise<Exchange | undefined> {
  for (let tries = 0; ; tries += 1) {
    const exchange = await ask();
    const answer = exchange && lastAnswer(exchange);
    if (!answer || !isRejection(answer.status) || tries >= retries) return exchange;
    const pause = retryAfter(answer) ?? retryPauses[tries] ?? retryPauses.at(-1) ?? 0;
    if (pause > maxRetryWait) return exchange;
    await pauseFor(pause, signal);
  }
}

function isRejection(status: number): boolean {
  return status === 429 || status === 503;
}

/** The model of the run if the second key may call it, or the first that its list has. */
export function modelOfOtherKey(list: Exchange, model: string): string | undefined {
  const reading = readModelList(list);
  if (reading.kind !== 'list') return undefined;
  return reading.models.some(({ id }) => id === model) ? model : pickCandidates(reading.models)[0];
}

async function askModels(candidates: readonly string[], options: PreflightOptions): Promise<Preflight> {
  const { ask, upstream } = options;
  let last: Exchange | undefined;
  for (const model of candidates) {
    for (let left = TRIES; left > 0; left--) {
      last = await untilSettled(() => ask(model), options);
      if (!last) return { ending: { kind: 'interrupted' } };
      if (wasAnswered(last) && (!upstream || upstream.calls > 0)) return { model };
    }
  }
  return { ending: endingOf(last, candidates[0] ?? '', upstream) };
}

function endingOf(last: Exchange | undefined, model: string, upstream: LoadUpstream | undefined): Ending {
  const limit = last && timeLimitOf(last);
  const answer = limit === undefined ? last && lastAnswer(last) : undefined;
  if (upstream && upstream.calls === 0) {
    return {
      kind: 'no-upstream-call',
      upstream: upstream.url,
      model,
      others: [],
      ...(answer && { answer: describeAnswer(answer) }),
      ...(limit !== undefined && { limit }),
    };
  }
  if (limit !== undefined) return { kind: 'chat-unanswered', limit };
  if (!answer) return endingWithout(last);
  return answer.status === 401
    ? { kind: 'key-refused', status: 401, answer: describeAnswer(answer) }
    : { kind: 'refused-alone', answer: describeAnswer(answer) };
}

function endingWithout(last: Exchange | undefined): Ending {
  const outcome = last?.attempts.at(-1)?.outcome;
  if (outcome?.kind === 'none' && outcome.failure.kind !== 'timeout')
    return { kind: 'unreachable', failure: outcome.failure };
  if (outcome?.kind === 'none') return { kind: 'chat-unanswered', limit: outcome.failure.limit ?? 'timeout' };
  return { kind: 'refused-alone' };
}
