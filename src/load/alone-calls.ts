/** Calls before, between and after the stages: one at a time, and judged only by whether they are answered. */

import { describeAnswer } from '../exchange/answer-status.ts';
import type { Ledger } from '../exchange/channel/ledger.ts';
import { pauseFor } from '../exchange/channel/pace.ts';
import { retryAfter } from '../exchange/channel/retry.ts';
import type { Ending } from '../exchange/ending.ts';
import type { Attempt, Exchange } from '../exchange/exchange.ts';
import { lastAnswer, timeLimitOf, wasAnswered } from '../exchange/reading/answered.ts';
import { endlessAnswer } from '../exchange/transport/failures.ts';
import { explainNoModel, pickCandidates, readModelList } from '../exchange/reading/model-list.ts';
import type { LoadRecovery, RecoveryAnswer } from '../report/load-report.ts';
import type { Keys, Settings } from '../settings.ts';
import type { KeyUse } from '../suite/case.ts';
import type { Actual } from '../verdict/actual.ts';
import { finding } from '../verdict/finding.ts';
import { statusClass, statusOf } from '../verdict/reading/answers.ts';
import { failureFound } from '../verdict/reading/body-content.ts';
import type { Finding } from '../verdict/verdict.ts';
import { LIST } from './calls.ts';
import type { LoadConnections } from './send-call.ts';
import type { LoadUpstream } from './upstream-server.ts';
import { LOAD_MODEL } from './upstream-stream.ts';

/** Controls in a row without an answer that end the ramp. */
const MAX_UNANSWERED = 3;
/** The stage of calls that belong to none. */
const NO_STAGE = 9_999;

export interface AloneOptions {
  readonly connections: LoadConnections;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
  /** By `performance.now()`. */
  readonly began: number;
  readonly ask: (stage: number, number: number, usesOtherKey: boolean) => Promise<Exchange | undefined>;
  /** Called with every list that was answered. */
  readonly onList: (exchange: Exchange, when: 'before' | 'after') => void;
}

export class AloneCalls {
  readonly #options: AloneOptions;
  #controls = 0;
  #last: Exchange | undefined;

  constructor(options: AloneOptions) {
    this.#options = options;
  }

  /** The last control. */
  get last(): Exchange | undefined {
    return this.#last;
  }

  /** A plain call. Undefined if the run ended. */
  async control(usesOtherKey = false): Promise<Exchange | undefined> {
    this.#last = await this.#options.ask(NO_STAGE, ++this.#controls, usesOtherKey);
    return this.#last;
  }

  /**
   * Three controls in a row are not answered: how the last one ended. A proper rejection is an answer. `failed`: the
   * connection, as if the target were down.
   */
  async findSilence(): Promise<'silent' | 'server-error' | 'failed' | undefined> {
    let outcome: Attempt['outcome'] | undefined;
    for (let left = MAX_UNANSWERED; left > 0; left--) {
      const control = await this.control();
      if (!control) return undefined;
      outcome = control.attempts.at(-1)?.outcome;
      if (outcome?.kind === 'answer' && (outcome.answer.status < 500 || outcome.answer.status === 503))
        return undefined;
    }
    if (outcome?.kind === 'answer') return 'server-error';
    return outcome?.failure.kind === 'timeout' ? 'silent' : 'failed';
  }

  async list(key: KeyUse, when: 'before' | 'after'): Promise<Exchange | undefined> {
    const { connections, signal, ledger, began, onList } = this.#options;
    const request = { ...LIST, key };
    const { sentAt, connection, ...rest } = await connections.main.send(request, { signal });
    const sent = connections.main.describe(request);
    const attempt = { ...rest, sentAt: sentAt - began, pause: 0 };
    if (signal.aborted) {
      if (connection !== undefined) ledger.addCutShort(sent, attempt);
      return undefined;
    }
    ledger.add(sent, attempt);
    const step = `load/list-${when}`;
    const exchange: Exchange = { id: `${step}-${key}`, step, seeks: 'answer', request: sent, attempts: [attempt] };
    if (wasAnswered(exchange)) onList(exchange, when);
    return exchange;
  }
}

// The second key: its list and one call of a model of that list are its control, before the load.

export class OtherKey {
  readonly role: KeyUse;
  /** That it may call; undefined if it got no reply alone. Then it only lists. */
  model: string | undefined;

  constructor(role: KeyUse) {
    this.role = role;
  }

  /** `model`: that the first key calls. */
  async ask(alone: AloneCalls, model: string): Promise<void> {
    const list = await alone.list(this.role, 'before');
    this.model = list && modelOfOtherKey(list, model);
    if (this.model === undefined) return;
    const control = await alone.control(true);
    if (!control || !wasAnswered(control)) this.model = undefined;
  }
}

/** Undefined if the user gave none. */
export function findOtherKey(keys: Keys, hasUpstream: boolean): OtherKey | undefined {
  const role = hasUpstream ? 'second' : 'restricted';
  return keys[role] === undefined ? undefined : new OtherKey(role);
}

// After the load: one call at a time until one is answered, or for as long as `--recovery` allows (rule 36).

/** Milliseconds between two controls. */
const INTERVAL = 500;

interface Recovered {
  readonly recovery: LoadRecovery;
  /** The last control, if it was not answered. */
  readonly last?: Exchange;
}

interface RecoveryOptions {
  /** Milliseconds. */
  readonly longest: number;
  readonly signal: AbortSignal;
  /** Undefined if the run ended. */
  readonly ask: () => Promise<Exchange | undefined>;
  /** The same call before the load. */
  readonly before?: Exchange | undefined;
}

export async function awaitRecovery({ longest, signal, ask, before }: RecoveryOptions): Promise<Recovered> {
  const began = performance.now();
  const elapsed = (): number => Math.round(performance.now() - began);
  let last: Exchange | undefined;
  for (;;) {
    const exchange = await ask();
    if (!exchange) break;
    last = exchange;
    if (wasAnswered(exchange))
      return { recovery: { kind: 'recovered', after: elapsed(), ...timesOf(exchange, before) } };
    const wait = askedToWait(exchange);
    if (wait !== undefined && elapsed() + wait > longest) {
      return { recovery: { kind: 'rejecting', after: elapsed(), last: describe(exchange), retryAfter: wait }, last };
    }
    if (elapsed() >= longest) break;
    await pauseFor(Math.min(Math.max(INTERVAL, wait ?? 0), longest), signal);
  }
  if (!last || signal.aborted) return { recovery: { kind: 'not-asked' } };
  const isRejecting = lastAnswer(last)?.status === 429;
  const kind = isRejecting ? 'rejecting' : 'not-recovered';
  return { recovery: { kind, after: elapsed(), last: describe(last) }, last };
}

function timesOf(now: Exchange, before: Exchange | undefined): { readonly took?: number; readonly before?: number } {
  const [own, earlier] = [now, before].map((exchange) => exchange && lastAnswer(exchange)?.endAt);
  if (own === undefined || earlier === undefined) return {};
  return { took: Math.round(own), before: Math.round(earlier) };
}

/** Milliseconds, by 429 and 503 only. */
function askedToWait(exchange: Exchange): number | undefined {
  const answer = lastAnswer(exchange);
  return answer && (answer.status === 429 || answer.status === 503) ? retryAfter(answer) : undefined;
}

function describe({ attempts }: Exchange): RecoveryAnswer {
  const outcome = attempts.at(-1)?.outcome;
  if (outcome?.kind === 'answer') return { status: outcome.answer.status };
  return outcome ? { failure: outcome.failure.kind } : {};
}

export function recoveryFinding(exchange: Exchange): Finding {
  const outcome = exchange.attempts.at(-1)?.outcome;
  const expected = { kind: 'answer-again' } as const;
  if (outcome?.kind === 'answer') {
    const { answer } = outcome;
    const actual = { kind: 'status', ...statusOf(answer) } as const;
    return finding(exchange, { mismatch: 'status', expected, actualType: statusClass(answer.status), actual });
  }
  const failure = outcome?.failure ?? { kind: 'closed', code: '', detail: '' };
  const { kind, at } = failure;
  const actual: Actual =
    kind === 'timeout' && at !== undefined ? { kind: 'unanswered', time: at } : failureFound(failure);
  return finding(exchange, { mismatch: 'unanswered', expected, actualType: kind, actual });
}

// Before the load: lists and one call, alone. Finds the model, or why there is nothing to load.

interface PreflightOptions {
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
function modelOfOtherKey(list: Exchange, model: string): string | undefined {
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
