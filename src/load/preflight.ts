/** Before the load: lists and one call, alone. Finds the model, or why there is nothing to load. */
import { describeAnswer } from '../exchange/answer-status.ts';
import type { Ending } from '../exchange/ending.ts';
import type { Answer, Exchange } from '../exchange/exchange.ts';
import { endlessAnswer } from '../exchange/transport/failures.ts';
import { lastAnswer, timeLimitOf, wasAnswered } from '../exchange/reading/answered.ts';
import { explainNoModel, pickCandidates, readModelList } from '../exchange/walking/choose-model.ts';
import type { LoadUpstream } from './upstream-server.ts';

export interface PreflightOptions {
  /** Given by the user. */
  readonly model: string | undefined;
  readonly upstream: LoadUpstream | undefined;
  /** Undefined if the run ended. */
  readonly list: () => Promise<Exchange | undefined>;
  readonly ask: (model: string) => Promise<Exchange | undefined>;
}

export type Preflight = { readonly model: string } | { readonly ending: Ending };

/** Times that a control is asked. */
const TRIES = 2;

export async function preflight(options: PreflightOptions): Promise<Preflight> {
  const list = await options.list();
  if (!list) return { ending: { kind: 'interrupted' } };
  const outcome = list.attempts.at(-1)?.outcome;
  if (outcome?.kind === 'none') return { ending: { kind: 'unreachable', failure: outcome.failure } };
  const limit = timeLimitOf(list);
  if (limit !== undefined) return { ending: { kind: 'unreachable', failure: endlessAnswer(limit), began: true } };
  const answer = lastAnswer(list);
  if (answer?.status === 401) return { ending: { kind: 'key-refused', status: 401, answer: describeAnswer(answer) } };
  if (answer?.status === 429 || answer?.status === 503) return { ending: { kind: 'rate-limited' } };
  const reading = readModelList(list);
  const listed = reading.kind === 'list' ? pickCandidates(reading.models) : [];
  const candidates = options.model === undefined ? listed : [options.model];
  if (candidates.length === 0) return { ending: { kind: 'no-model', reason: explainNoModel(list) } };
  return askModels(candidates, options);
}

/** The model of the run if the second key may call it, or the first that its list has. */
export function modelOfOtherKey(list: Exchange, model: string): string | undefined {
  const reading = readModelList(list);
  if (reading.kind !== 'list') return undefined;
  return reading.models.some(({ id }) => id === model) ? model : pickCandidates(reading.models)[0];
}

async function askModels(candidates: readonly string[], { ask, upstream }: PreflightOptions): Promise<Preflight> {
  let last: Exchange | undefined;
  for (const model of candidates) {
    for (let left = TRIES; left > 0; left--) {
      last = await ask(model);
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
  return answer ? endingAfter(answer) : endingWithout(last);
}

function endingAfter(answer: Answer): Ending {
  if (answer.status === 401) return { kind: 'key-refused', status: 401, answer: describeAnswer(answer) };
  return answer.status === 429 ? { kind: 'rate-limited' } : { kind: 'stopped-answering', suspects: [] };
}

function endingWithout(last: Exchange | undefined): Ending {
  const outcome = last?.attempts.at(-1)?.outcome;
  if (outcome?.kind === 'none') return { kind: 'unreachable', failure: outcome.failure };
  return { kind: 'stopped-answering', suspects: [] };
}
