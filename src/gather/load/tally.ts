/**
 * Counts what the checks of a run under load judge: per stage, with a few examples of each finding, and with what all broken
 * answers have in common, compared with answers of the same stage, which differ in nothing else.
 */
import type { Attempt, Exchange } from '../../exchange/exchange.ts';
import type { UpstreamName } from '../../exchange/identity.ts';
import type { StageFacts } from '../../exchange/load-traffic.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { readChunks } from '../../exchange/reading/chunks.ts';
import { timeOfFirstText } from '../../exchange/reading/looks-fake.ts';
import { readModelList } from '../../exchange/reading/model-list.ts';
import { withoutUndefined } from '../../json.ts';
import { rarestSeen } from '../../report/counts.ts';
import {
  LOAD_KINDS,
  LOAD_OUTCOMES,
  LOAD_QUANTILES,
  LOAD_TIMES,
  type LoadBudget,
  type LoadKind,
  type LoadOutcome,
  type LoadQuantile,
  type LoadStage,
  type LoadTimes,
  ONLY_WITH,
  type OnlyWith,
  type StageCount,
} from '../../report/load-report.ts';
import { quoteText } from '../../text/quote.ts';
import { type BriefParts, finding } from '../../verdict/finding.ts';
import type { Finding } from '../../verdict/verdict.ts';
import type { Budget } from './plan-load.ts';

const TALLY_NAMES = [
  'failed',
  'broken-off',
  'silent',
  'own-reply',
  'text',
  'fallback-joined',
  'fallback-answered',
  'fallback-calls',
  'finish-reason',
  'usage',
  'pieces',
  'closes',
  'messages',
  'token-limit',
  'model',
  'refusal',
  'refusal-failed',
  'unknown-key',
  'unknown-key-failed',
  'valid-key',
  'list',
  'list-of-other-key',
] as const;
export type LoadTallyName = (typeof TALLY_NAMES)[number];
export type Tallies = Readonly<Record<LoadTallyName, Tally>>;

/** Exchanges kept as evidence of each finding. */
const MAX_EXAMPLES = 3;
/** A trait that all broken answers share with at most this probability, if it has nothing to do with them. */
const CHANCE = 0.01;
/** Traits that hold to the end of the run once they hold, as does whatever else the run has done by then. */
const LASTING: ReadonlySet<OnlyWith> = new Set(['after-disconnect']);

/** `beforeFault`: of those that came before the first broken answer of the run. */
type TraitCounts = Map<OnlyWith, { all: number; broken: number; beforeFault: number }>;
type StageTally = { judged: number; broken: number; readonly traits: TraitCounts };

export class Tally {
  readonly #stages = new Map<number, StageTally>();
  /** The stage that broke first. */
  #first: StageTally | undefined;
  readonly #found = new Map<string, { finding: Finding; readonly examples: Exchange[] }>();
  #right: Exchange | undefined;
  judged = 0;
  broken = 0;

  /** `parts`: what is wrong with the answer; undefined if nothing is. `traits`: what held when it was sent. */
  add(
    { exchange, traits = [] }: { readonly exchange: Exchange; readonly traits?: readonly OnlyWith[] },
    parts?: BriefParts,
  ): void {
    const stage = this.#count(exchange.stage ?? 0, 1, parts ? 1 : 0);
    if (parts) this.#note(finding(exchange, parts), [exchange]);
    else this.#right ??= shortened(exchange);
    for (const trait of traits) {
      const counts = stage.traits.get(trait) ?? { all: 0, broken: 0, beforeFault: 0 };
      stage.traits.set(trait, counts);
      counts.all += 1;
      if (parts) counts.broken += 1;
      if (!this.#first) counts.beforeFault += 1;
    }
  }

  /** Adds what was counted apart until the end of its stage. `isRight`: nothing is wrong with it after all. */
  merge(apart: Tally, isRight = false): void {
    for (const { stage, judged, broken } of apart.stages) this.#count(stage, judged, isRight ? 0 : broken);
    this.#right ??= isRight ? apart.examples[0] : apart.#right;
    if (!isRight) for (const { finding: each, examples } of apart.#found.values()) this.#note(each, examples);
  }

  #count(number: number, judged: number, broken: number): StageTally {
    const stage = this.#stages.get(number) ?? { judged: 0, broken: 0, traits: new Map() };
    this.#stages.set(number, stage);
    stage.judged += judged;
    stage.broken += broken;
    this.judged += judged;
    this.broken += broken;
    if (broken > 0) this.#first ??= stage;
    return stage;
  }

  #note(next: Finding, shown: readonly Exchange[]): void {
    const { endpoint, mode } = shown[0]!.request;
    const key = `${endpoint} ${mode} ${next.mismatch} ${next.actualType}`;
    const known = this.#found.get(key);
    const examples = known?.examples ?? [];
    examples.push(...shown.slice(0, MAX_EXAMPLES - examples.length).map(shortened));
    if (!known) return void this.#found.set(key, { finding: next, examples });
    const { more, moreAnswers = 0 } = known.finding;
    const [added, addedAnswers] = [next.more + 1, (next.moreAnswers ?? 0) + 1];
    known.finding = { ...known.finding, more: more + added, moreAnswers: moreAnswers + addedAnswers };
  }

  get stages(): readonly StageCount[] {
    return [...this.#stages]
      .toSorted(([a], [b]) => a - b)
      .map(([stage, { judged, broken }]) => ({ stage, judged, broken }));
  }

  get findings(): readonly Finding[] {
    return [...this.#found.values()].map(({ finding: each }) => each);
  }

  /** Exchanges that findings name, and one that keeps the clause. */
  get examples(): readonly Exchange[] {
    const broken = [...this.#found.values()].flatMap(({ examples }) => examples);
    return this.#right ? [...broken, this.#right] : broken;
  }

  /** What all broken answers have and most right ones of their stages lack, unless that may be chance. */
  get onlyWith(): readonly OnlyWith[] {
    const first = this.#first;
    if (!first) return [];
    return ONLY_WITH.filter((trait) => {
      if (!this.#isOnAllBroken(trait) || this.#chanceOf(trait) >= CHANCE) return false;
      return LASTING.has(trait) ? chanceOfBeginning(trait, first) < CHANCE : this.#isRareOnRight(trait);
    });
  }

  /** Every broken answer was asked for beside a slow reader, be it by chance. */
  get mayNeedSlowReader(): boolean {
    return this.#isOnAllBroken('slow-reader');
  }

  #isOnAllBroken(trait: OnlyWith): boolean {
    return [...this.#stages.values()].every(({ broken, traits }) => (traits.get(trait)?.broken ?? 0) === broken);
  }

  /** What most right answers have as well makes nothing break, even if the first few calls of a stage lack it. */
  #isRareOnRight(trait: OnlyWith): boolean {
    const showing = [...this.#stages.values()].filter(({ broken }) => broken > 0);
    const having = showing.flatMap(({ traits }) => traits.get(trait) ?? []);
    const right = sumOf(showing, 'judged') - sumOf(showing, 'broken');
    return (sumOf(having, 'all') - sumOf(having, 'broken')) * 2 <= right;
  }

  /** The chance that all broken answers have a trait. A stage in which every answer has it says nothing. */
  #chanceOf(trait: OnlyWith): number {
    let chance = 1;
    for (const { judged, broken, traits } of this.#stages.values()) {
      const all = traits.get(trait)?.all ?? 0;
      for (let drawn = 0; drawn < broken; drawn++) chance *= (all - drawn) / (judged - drawn);
    }
    return chance;
  }
}

export function createTallies(): Tallies {
  return recordOf(TALLY_NAMES, () => new Tally());
}

export function recordOf<Name extends string, Value>(names: readonly Name[], valueOf: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}

export function sumOf<Name extends string>(counts: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return counts.reduce((sum, each) => sum + each[name], 0);
}

/** The chance that a fault which begins at any moment of its stage begins so soon after what lasts. A leak begins later. */
function chanceOfBeginning(trait: OnlyWith, { judged, traits }: StageTally): number {
  return ((traits.get(trait)?.beforeFault ?? 0) + 1) / judged;
}

/** Bytes of a body that are kept as evidence: a report shows only its beginning. */
const MOST = 128 * 1024;

export function shortened(exchange: Exchange): Exchange {
  const attempts = exchange.attempts.map((attempt): Attempt => {
    const { outcome } = attempt;
    if (outcome.kind === 'none' || outcome.answer.body.bytes.length <= MOST) return attempt;
    const { answer } = outcome;
    const bytes = answer.body.bytes.slice(0, MOST);
    const reads = answer.body.reads.slice(0, 1).map(({ at }) => ({ at, bytes: MOST }));
    return { ...attempt, outcome: { kind: 'answer', answer: { ...answer, body: { ...answer.body, bytes, reads } } } };
  });
  return { ...exchange, attempts };
}

// Model lists under load against those of the same key alone, before and after (rule 35).

/** Lists that lack a model are few, unless every list does; then these are enough. */
const MAX_GAPS = 2_000;

export class ListWatch {
  readonly #before = new Map<string, ReadonlySet<string>>();
  readonly #after = new Map<string, ReadonlySet<string>>();
  readonly #gaps: { readonly model: string; readonly key: string; readonly exchange: Exchange }[] = [];
  readonly #tallies: Tallies;

  constructor(tallies: Tallies) {
    this.#tallies = tallies;
  }

  /** A list of a key, asked alone. */
  setControl(exchange: Exchange, when: 'before' | 'after'): void {
    const models = idsOf(exchange);
    if (!models) return;
    const controls = when === 'before' ? this.#before : this.#after;
    const { key } = exchange.request;
    const known = controls.get(key);
    controls.set(key, known ? new Set([...known].filter((id) => models.has(id))) : models);
  }

  /** Says whether the list has a model that only the other key's list has. */
  look(exchange: Exchange): boolean {
    const models = idsOf(exchange);
    const { key } = exchange.request;
    const own = this.#before.get(key);
    if (!models || !own) return false;
    const missing = [...own].find((id) => !models.has(id));
    // Which of these count is known only when the lists after the load are.
    if (missing === undefined) this.#tallies.list.add({ exchange });
    else if (this.#gaps.length < MAX_GAPS) this.#gaps.push({ model: missing, key, exchange });
    const other = [...this.#before].find(([name]) => name !== key)?.[1];
    if (!other) return false;
    const foreign = [...models].find((id) => other.has(id) && !own.has(id));
    this.#tallies['list-of-other-key'].add({ exchange }, foreign === undefined ? undefined : listWith(foreign));
    return foreign !== undefined;
  }

  /** When the lists after the load are known. */
  end(): void {
    for (const { model, key, exchange } of this.#gaps) {
      const after = this.#after.get(key);
      if (after) this.#tallies.list.add({ exchange }, after.has(model) ? listWithout(model) : undefined);
    }
    this.#gaps.length = 0;
  }
}

function idsOf(exchange: Exchange): ReadonlySet<string> | undefined {
  const reading = readModelList(exchange);
  return reading.kind === 'list' ? new Set(reading.models.map(({ id }) => id)) : undefined;
}

function listWithout(model: string): BriefParts {
  const actual = { kind: 'list-without', model: quoteText(model) } as const;
  return { mismatch: 'absent', expected: 'same-models', actualType: 'absent', actual };
}

function listWith(model: string): BriefParts {
  const actual = { kind: 'list-with', model: quoteText(model) } as const;
  return { mismatch: 'listed', expected: 'own-models', actualType: 'string', actual };
}

// One stage: what became of its calls, how long they took, and whether its times keep their budgets.

/** Answers of a kind that a stage needs to count as reached. */
const REACHED = 30;
/** More than one of so many calls without an answer: the stage is inconclusive. */
const MAX_UNANSWERED = 20;
/** Milliseconds until the headers of most answers came, if the target had no trouble to answer. */
const PROMPT = 500;
/** Calls that a page draws one by one. */
const MOST_DRAWN = 200;

export class StageCounts {
  readonly #kinds = new Map<LoadKind, Record<LoadOutcome, number>>();
  /** Broken ones that failed, so that they got no reply. */
  #failures = 0;
  readonly times = recordOf(LOAD_TIMES, () => new Histogram());
  /** Streams that text could be expected of, and those of them that had it soon. */
  #streams = 0;
  #quick = 0;
  /** Milliseconds that the target asked to wait. */
  retryAfter = 0;
  /** Calls that we ended, since the stage was long over. */
  givenUp = 0;
  /** Calls to either of two upstreams, and the most for one call. */
  readonly #upstreams = { primary: 0, fallback: 0, most: 0 };
  /** When broken calls were sent, and those with the text of another call, with the time of that one. */
  readonly #brokenAt: number[] = [];
  readonly #mixedAt: (readonly [call: number, other: number])[] = [];
  /** The stage once it has ended. */
  report: LoadStage | undefined;

  /** `isBroken`: it failed, where that is not allowed. */
  add(kind: LoadKind, outcome: LoadOutcome, isBroken = false): void {
    const counts = this.#kinds.get(kind) ?? recordOf(LOAD_OUTCOMES, () => 0);
    this.#kinds.set(kind, counts);
    counts[isBroken ? 'broken' : outcome] += 1;
    if (isBroken && outcome === 'failed') this.#failures += 1;
  }

  addUpstreamCalls(called: readonly UpstreamName[]): void {
    for (const name of called) this.#upstreams[name] += 1;
    this.#upstreams.most = Math.max(this.#upstreams.most, called.length);
  }

  /** `mixed`: how much later than this one the call was sent whose text it has. */
  addBroken({ attempts }: Exchange, mixed?: number): void {
    const sentAt = attempts.at(-1)?.sentAt ?? 0;
    if (this.#brokenAt.length < MOST_DRAWN) this.#brokenAt.push(sentAt);
    if (mixed !== undefined && this.#mixedAt.length < MOST_DRAWN) this.#mixedAt.push([sentAt, sentAt + mixed]);
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
    const outcomes = recordOf(LOAD_OUTCOMES, () => 0);
    for (const counts of this.#kinds.values()) for (const name of LOAD_OUTCOMES) outcomes[name] += counts[name];
    const calls = Object.values(outcomes).reduce((sum, each) => sum + each, 0);
    const { answered, broken, left, limit, unanswered } = outcomes;
    const doubt = isInterrupted ? 'interrupted' : unanswered > calls / MAX_UNANSWERED ? 'unanswered' : undefined;
    const kinds = LOAD_KINDS.flatMap((kind) => this.#kindReport(kind));
    const times = withoutUndefined(recordOf(LOAD_TIMES, (name) => this.times[name].toTimes()));
    const [brokenAt, mixedAt] = [this.#brokenAt, this.#mixedAt];
    const drawn = { ...(brokenAt.length > 0 && { brokenAt }), ...(mixedAt.length > 0 && { mixedAt }) };
    const { givenUp } = this;
    const upstreams = this.#upstreams;
    const ended = { ...(givenUp > 0 && { givenUp }), ...(upstreams.most > 0 && { upstreams }), ...drawn };
    this.report = { ...facts, calls, outcomes, kinds, times, ...ended, ...(doubt && { doubt }) };
    return !isTooMuch(calls, answered + broken - this.#failures + left + limit);
  }

  #kindReport(kind: LoadKind): LoadStage['kinds'] {
    const outcomes = this.#kinds.get(kind);
    if (!outcomes) return [];
    const answers = outcomes.answered + outcomes.broken + outcomes.failed;
    return [{ kind, outcomes, answers, isReached: answers >= REACHED, oneIn: rarestSeen(answers) }];
  }
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
  count = 0;
  #max = 0;

  add(milliseconds: number): void {
    const bucket = milliseconds <= FIRST ? 0 : Math.ceil(Math.log(milliseconds / FIRST) / GROWTH);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.count += 1;
    this.#max = Math.max(this.#max, milliseconds);
  }

  merge(other: Histogram): void {
    for (const [bucket, calls] of other.#buckets) this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + calls);
    this.count += other.count;
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
    return this.at(Math.max(1, Math.ceil(share * this.count)));
  }

  /** Undefined without any time. */
  toTimes(): LoadTimes | undefined {
    if (this.count === 0) return undefined;
    const [p50 = 0, p95 = 0, p99 = 0] = LOAD_QUANTILES.map((name) => round(this.quantile(SHARES[name].share)));
    const histogram = this.#sorted().map(([bound, calls]) => [round(bound), calls] as const);
    return { count: this.count, p50, p95, p99, max: round(this.#max), histogram };
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
