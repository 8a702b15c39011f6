/** One stage: what became of its calls, how long they took, and whether its times keep their budgets. */
import type { Exchange } from '../../exchange/exchange.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { readChunks } from '../../exchange/reading/chunks.ts';
import { timeOfFirstText } from '../../exchange/reading/looks-fake.ts';
import { withoutUndefined } from '../../json.ts';
import {
  LOAD_KINDS,
  LOAD_OUTCOMES,
  LOAD_QUANTILES,
  LOAD_TIMES,
  type LoadBudget,
  type LoadKind,
  type LoadKindReport,
  type LoadOutcome,
  type LoadQuantile,
  type LoadStage,
  type LoadTime,
  type LoadTimes,
} from '../../report/load-report.ts';
import { rarestSeen } from '../../report/counts.ts';
import type { StageFacts } from '../../exchange/load-traffic.ts';
import type { Budget } from './plan-load.ts';

/** Answers of a kind that a stage needs to count as reached. */
const REACHED = 30;
/** More than one of so many calls without an answer: the stage is inconclusive. */
const MAX_UNANSWERED = 20;
/** Milliseconds until the headers of most answers came, if the target had no trouble to answer. */
const PROMPT = 500;

type Counts = Record<LoadOutcome, number>;

export class StageCounts {
  readonly #kinds = new Map<LoadKind, Counts>();
  readonly times = mapTimes(() => new Histogram());
  /** Streams that text could be expected of, and those of them that had it soon. */
  #streams = 0;
  #quick = 0;
  /** Milliseconds that the target asked to wait. */
  retryAfter = 0;
  /** The stage once it has ended. */
  report: LoadStage | undefined;

  add(kind: LoadKind, outcome: LoadOutcome): void {
    const counts = this.#kinds.get(kind) ?? noCounts();
    this.#kinds.set(kind, counts);
    counts[outcome] += 1;
  }

  /** Times of a call that was answered. */
  addTimes(exchange: Exchange): void {
    const answer = lastAnswer(exchange);
    if (answer?.status !== 200) return;
    this.times.headers.add(answer.headersAt);
    this.times.end.add(answer.endAt);
    const first = firstTextOf(exchange);
    if (first !== undefined) this.times['first-text'].add(first);
  }

  /** A stream, answered or not. `quick`: milliseconds. */
  addStream(exchange: Exchange, quick: number): void {
    this.#streams += 1;
    if ((firstTextOf(exchange) ?? Infinity) <= quick) this.#quick += 1;
  }

  /** Whether three of four streams had text soon, so that a call without any was forgotten. */
  get isQuick(): boolean {
    return this.#streams > 0 && this.#quick >= (this.#streams * 3) / 4;
  }

  /** The target had no trouble to answer, so that a piece that is late was held back. */
  get isPrompt(): boolean {
    return (this.times.headers.toTimes()?.p95 ?? Infinity) <= PROMPT;
  }

  /** Says whether the ramp may go higher: at most half was rejected, failed or not answered. */
  end(facts: StageFacts, isInterrupted: boolean): boolean {
    const outcomes = noCounts();
    for (const counts of this.#kinds.values()) for (const name of LOAD_OUTCOMES) outcomes[name] += counts[name];
    const calls = Object.values(outcomes).reduce((sum, each) => sum + each, 0);
    const { answered, broken, left, limit, unanswered } = outcomes;
    const doubt = isInterrupted ? 'interrupted' : unanswered > calls / MAX_UNANSWERED ? 'unanswered' : undefined;
    const kinds = LOAD_KINDS.flatMap((kind) => this.#kindReport(kind));
    const times = withoutUndefined(mapTimes((name) => this.times[name].toTimes()));
    this.report = { ...facts, calls, outcomes, kinds, times, ...(doubt && { doubt }) };
    return !isTooMuch(calls, answered + broken + left + limit);
  }

  #kindReport(kind: LoadKind): readonly LoadKindReport[] {
    const outcomes = this.#kinds.get(kind);
    if (!outcomes) return [];
    const answers = outcomes.answered + outcomes.broken + outcomes.failed;
    return [{ kind, outcomes, answers, isReached: answers >= REACHED, oneIn: rarestSeen(answers) }];
  }
}

function mapTimes<Value>(valueOf: (name: LoadTime) => Value) {
  return Object.fromEntries(LOAD_TIMES.map((name) => [name, valueOf(name)])) as Record<LoadTime, Value>;
}

/** More than half was rejected, failed or not answered: the ramp goes no higher. */
export function isTooMuch(calls: number, answered: number): boolean {
  return calls > 0 && answered < calls / 2;
}

/** Milliseconds until a stream had text; undefined if it had none. */
function firstTextOf(exchange: Exchange): number | undefined {
  const answer = exchange.request.mode === 'stream' ? lastAnswer(exchange) : undefined;
  return answer && timeOfFirstText(readChunks(answer));
}

function noCounts(): Counts {
  return Object.fromEntries(LOAD_OUTCOMES.map((name) => [name, 0])) as Counts;
}

/** Each bucket is about 5 % wider than the one before. */
const GROWTH = Math.log(1.05);
/** Milliseconds: the upper bound of the first bucket. */
const FIRST = 0.1;

/** `needed`: the fewest answers in which chance can be excluded in both directions. */
const SHARES: Readonly<Record<LoadQuantile, { readonly share: number; readonly needed: number }>> = {
  p50: { share: 0.5, needed: 6 },
  p95: { share: 0.95, needed: 72 },
  p99: { share: 0.99, needed: 368 },
};

/** Counts of times in buckets: memory does not grow with the number of calls. */
export class Histogram {
  readonly #buckets = new Map<number, number>();
  #count = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  add(milliseconds: number): void {
    const bucket = milliseconds <= FIRST ? 0 : Math.ceil(Math.log(milliseconds / FIRST) / GROWTH);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
    this.#max = Math.max(this.#max, milliseconds);
  }

  merge(other: Histogram): void {
    for (const [bucket, calls] of other.#buckets) this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + calls);
    this.#count += other.#count;
    this.#max = Math.max(this.#max, other.#max);
  }

  /** The k-th smallest, from 1: the upper bound of its bucket, but no more than the largest. */
  at(rank: number): number {
    let seen = 0;
    for (const [bound, calls] of this.#sorted()) {
      seen += calls;
      if (seen >= rank) return Math.min(bound, this.#max);
    }
    return this.#max;
  }

  quantile(share: number): number {
    return this.at(Math.max(1, Math.ceil(share * this.#count)));
  }

  /** Undefined without any time. */
  toTimes(): LoadTimes | undefined {
    if (this.#count === 0) return undefined;
    const [p50 = 0, p95 = 0, p99 = 0] = LOAD_QUANTILES.map((name) => round(this.quantile(SHARES[name].share)));
    const histogram = this.#sorted().map(([bound, calls]) => [round(bound), calls] as const);
    return { count: this.#count, p50, p95, p99, max: round(this.#max), histogram };
  }

  #sorted(): readonly (readonly [bound: number, calls: number])[] {
    return [...this.#buckets]
      .toSorted(([a], [b]) => a - b)
      .map(([bucket, calls]) => [FIRST * Math.exp(bucket * GROWTH), calls]);
  }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

/** One-sided: 2.5 % on each side. */
const DOUBT = 0.025;

/** Broken only if chance is excluded at 95 % (binomial interval of the quantile). */
export function judgeBudget(budget: Budget, times: Histogram): LoadBudget {
  const { share, needed } = SHARES[budget.quantile];
  const answers = times.count;
  const actual = round(times.quantile(share));
  const lower = lowerRank(answers, share);
  if (lower !== undefined && times.at(lower) > budget.most)
    return { ...budget, result: { kind: 'broken', actual, answers } };
  const upper = upperRank(answers, share);
  const isKept = upper !== undefined && times.at(upper) <= budget.most;
  // Enough answers, and the quantile is too near to the budget to tell: that is no violation.
  if (isKept || answers >= needed) return { ...budget, result: { kind: 'kept', actual, answers } };
  return { ...budget, result: { kind: 'not-judged', answers, needed } };
}

/** The largest rank that is at most the quantile, with 97.5 % confidence; undefined if no rank is. */
export function lowerRank(answers: number, share: number): number | undefined {
  const rank = ranksBelow(answers, share);
  return rank >= 1 ? rank : undefined;
}

/** The smallest rank that is at least the quantile. */
export function upperRank(answers: number, share: number): number | undefined {
  const rank = answers - ranksBelow(answers, 1 - share) + 1;
  return rank <= answers ? rank : undefined;
}

/** The largest k for which P(Binomial(answers, share) < k) is at most `DOUBT`: sums the distribution from below. */
function ranksBelow(answers: number, share: number): number {
  let logTerm = answers * Math.log(1 - share);
  let sum = 0;
  for (let hits = 0; hits <= answers; hits++) {
    sum += Math.exp(logTerm);
    if (sum > DOUBT) return hits;
    logTerm += Math.log((answers - hits) / (hits + 1)) + Math.log(share / (1 - share));
  }
  return answers;
}
