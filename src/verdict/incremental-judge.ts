/**
 * Judges answers as they come. What is no longer than a run is judged at the end, as a whole. Beyond that, it is judged part
 * by part, so that memory does not grow: the few exchanges that belong to a single case are kept for the end; cases that look
 * at all exchanges are judged on each part, and their verdicts are combined.
 */
import { clearReadings } from '../exchange/reading/body-memo.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Traffic } from '../exchange/traffic.ts';
import { countRepetitions } from '../plan/cost.ts';
import type { Plan } from '../plan/plan.ts';
import { type Case, isSelection } from '../suite/case.ts';
import type { Checks } from './check.ts';
import { judgeGateway, type JudgingOptions } from './judge.ts';
import { isItemList, nameOnly, type Observation, seenValues } from './observation.ts';
import { type CountedAnswers, type Verdict, VERDICTS } from './verdict.ts';

/** Exchanges that a verdict lists, and those that are kept per fingerprint and per step that is sent once. */
const MAX_EXCHANGES = 3;
/** A target may send a new value every time. */
const MAX_OBSERVATIONS = 100;

/** Exchanges and bytes of their bodies: more of either is too much to be judged at once. */
export interface Amount {
  readonly exchanges: number;
  readonly bytes: number;
}

export interface IncrementalJudging extends JudgingOptions {
  /** What is judged as a whole. */
  readonly whole: Amount;
  /** The part of anything longer that is in memory at a time. */
  readonly part: Amount;
  /** The run, as far as these exchanges tell. */
  readonly trafficOf: (exchanges: readonly Exchange[]) => Traffic;
  /** Exchanges that are kept as evidence that a clause holds. Default: 3. */
  readonly keptPerVerdict?: number;
  /** What is kept of an exchange as evidence. Default: all of it. */
  readonly keep?: (exchange: Exchange) => Exchange;
  /** A part that could not be judged says nothing about the others. */
  readonly ignoresUnclearParts?: boolean;
  readonly onPart?: (verdicts: readonly Verdict[], exchanges: readonly Exchange[]) => void;
}

/** `isThinned`: the exchanges of the traffic are only those that a verdict or a finding names. */
export interface Judgement {
  readonly traffic: Traffic;
  readonly verdicts: readonly Verdict[];
  readonly isThinned: boolean;
}

export class IncrementalJudge {
  readonly #plan: Plan;
  readonly #judging: IncrementalJudging;
  /** The cases that look at all exchanges. */
  readonly #overall: Plan;
  readonly #unjudged = new Map<string, Exchange>();
  #unjudgedBytes = 0;
  #added = 0;
  /** Verdicts on the cases that look at all exchanges, in plan order; undefined until a part was judged. */
  #verdicts: readonly Verdict[] | undefined;
  /** How many exchanges of single cases are still kept, by step. */
  readonly #room: Map<string, number>;
  readonly #own = new Map<string, Exchange>();
  readonly #evidence = new Map<string, Exchange>();
  readonly #evidenceCounts = new Map<string, number>();

  constructor(plan: Plan, judging: IncrementalJudging) {
    this.#plan = plan;
    this.#judging = judging;
    this.#overall = { ...plan, cases: plan.cases.filter(looksOverAll) };
    this.#room = new Map(
      plan.steps.map(({ id, repeat, samples = 1 }) => [id, Math.max(MAX_EXCHANGES, samples, countRepetitions(repeat))]),
    );
  }

  /** `replaces`: the one with the same id. Otherwise, since evidence goes by ids, none may be that of another exchange. */
  add(exchange: Exchange, replaces = false): void {
    this.#added += 1;
    this.#unjudgedBytes += sizeOf(exchange);
    const { id } = exchange;
    const isTaken = !replaces && (this.#unjudged.has(id) || this.#own.has(id) || this.#evidence.has(id));
    const free = isTaken ? { ...exchange, id: `${id} (${this.#added})` } : exchange;
    this.#unjudged.set(free.id, free);
    const { exchanges, bytes } = this.#verdicts ? this.#judging.part : this.#judging.whole;
    if (this.#unjudged.size > exchanges || this.#unjudgedBytes > bytes) this.endPart();
  }

  /** Adds what was learned later about an exchange that is not judged yet. */
  amend(id: string, amendment: Partial<Exchange>): void {
    const exchange = this.#unjudged.get(id);
    if (exchange) this.#unjudged.set(id, { ...exchange, ...amendment });
  }

  /** Judges what was added since the last part. */
  endPart(): void {
    const traffic = this.#judging.trafficOf([...this.#unjudged.values()]);
    const { exchanges } = traffic;
    this.#unjudged.clear();
    this.#unjudgedBytes = 0;
    this.#keepOwn(exchanges);
    const verdicts = judgeGateway(this.#overall, traffic, this.#judging);
    this.#keepEvidence(verdicts, exchanges);
    const before = this.#verdicts;
    this.#verdicts = before
      ? verdicts.map((verdict, index) => this.#combine(before[index] ?? verdict, verdict))
      : verdicts;
    this.#judging.onPart?.(verdicts, exchanges);
    clearReadings();
  }

  /** Those of the parts so far. */
  get verdicts(): readonly Verdict[] {
    return this.#verdicts ?? [];
  }

  get evidence(): readonly Exchange[] {
    return [...this.#evidence.values()];
  }

  /** `close`: the run as a whole, with these exchanges. */
  end(close: (exchanges: readonly Exchange[]) => Traffic): Judgement {
    if (!this.#verdicts) {
      const traffic = close([...this.#unjudged.values()]);
      return { traffic, verdicts: judgeGateway(this.#plan, traffic, this.#judging), isThinned: false };
    }
    this.endPart();
    const traffic = close([]);
    const rest = { ...this.#plan, cases: this.#plan.cases.filter((testCase) => !looksOverAll(testCase)) };
    const { carried: _carried, ...judging } = this.#judging;
    const own = judgeGateway(rest, { ...traffic, exchanges: [...this.#own.values()] }, judging);
    const all = [...this.#verdicts, ...own];
    return {
      traffic: { ...traffic, exchanges: [...new Map([...this.#own, ...this.#evidence]).values()] },
      verdicts: this.#plan.cases.flatMap(({ id }) => all.filter((verdict) => verdict.case === id)),
      isThinned: true,
    };
  }

  #combine(earlier: Verdict, later: Verdict): Verdict {
    const { ignoresUnclearParts, checks } = this.#judging;
    if (ignoresUnclearParts && isClear(earlier) !== isClear(later)) return isClear(earlier) ? earlier : later;
    return combineVerdicts(earlier, later, checks);
  }

  #keepOwn(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) {
      const room = this.#room.get(exchange.step) ?? 0;
      if (room === 0) continue;
      this.#room.set(exchange.step, room - 1);
      this.#own.set(exchange.id, exchange);
    }
  }

  #keepEvidence(verdicts: readonly Verdict[], exchanges: readonly Exchange[]): void {
    const { keptPerVerdict = MAX_EXCHANGES, keep = (exchange: Exchange) => exchange } = this.#judging;
    const wanted = new Set<string>();
    for (const { case: id, clause, findings, exchanges: looked } of verdicts) {
      for (const { fingerprint, exchange } of findings) {
        if (this.#hasRoom(fingerprint, MAX_EXCHANGES)) wanted.add(exchange);
      }
      for (const exchange of looked) if (this.#hasRoom(`${id} ${clause}`, keptPerVerdict)) wanted.add(exchange);
    }
    if (wanted.size === 0) return;
    for (const exchange of exchanges) if (wanted.has(exchange.id)) this.#evidence.set(exchange.id, keep(exchange));
  }

  #hasRoom(name: string, most: number): boolean {
    const taken = this.#evidenceCounts.get(name) ?? 0;
    if (taken < most) this.#evidenceCounts.set(name, taken + 1);
    return taken < most;
  }
}

function looksOverAll({ over }: Case): boolean {
  return over.length > 0 && over.every(isSelection);
}

function sizeOf({ attempts }: Exchange): number {
  const sizes = attempts.map(({ outcome }) => (outcome.kind === 'answer' ? outcome.answer.body.bytes.length : 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function isClear({ verdict }: Verdict): boolean {
  return verdict === 'pass' || verdict === 'warn' || verdict === 'fail';
}

/** Combines the verdicts on one expectation from two parts. */
function combineVerdicts(earlier: Verdict, later: Verdict, checks: Checks): Verdict {
  // A part without a matching exchange does not count.
  if (later.exchanges.length === 0) return earlier;
  if (earlier.exchanges.length === 0) return later;
  const worse = VERDICTS.indexOf(later.verdict) < VERDICTS.indexOf(earlier.verdict) ? later : earlier;
  const check = checks[later.check];
  return {
    ...worse,
    flaky: earlier.flaky || later.flaky,
    findings: foldFindings(earlier.findings, later.findings),
    observations: check?.combine
      ? check.combine(earlier.observations, later.observations)
      : combineObservations(earlier.observations, later.observations),
    ...(earlier.answers && later.answers && { answers: addAnswers(earlier.answers, later.answers) }),
    exchanges: [...earlier.exchanges, ...later.exchanges].slice(0, MAX_EXCHANGES),
  };
}

function addAnswers(earlier: CountedAnswers, later: CountedAnswers): CountedAnswers {
  return { judged: earlier.judged + later.judged, broken: earlier.broken + later.broken };
}

function foldFindings(earlier: Verdict['findings'], later: Verdict['findings']): Verdict['findings'] {
  if (later.length === 0) return earlier;
  const folded = new Map(earlier.map((finding) => [finding.fingerprint, finding]));
  for (const finding of later) {
    const first = folded.get(finding.fingerprint);
    // No answer is in two parts.
    const more = (first?.more ?? 0) + finding.more + 1;
    const moreAnswers = (first?.moreAnswers ?? 0) + (finding.moreAnswers ?? 0) + 1;
    folded.set(finding.fingerprint, first ? { ...first, more, moreAnswers } : finding);
  }
  return [...folded.values()];
}

/** Lists of the same name are joined; other observations are listed once per value. */
function combineObservations(earlier: readonly Observation[], later: readonly Observation[]): readonly Observation[] {
  if (later.length === 0) return earlier;
  const united = new Map<string, Observation>();
  for (const observation of [...earlier, ...later]) {
    const { value } = observation;
    const key = JSON.stringify(isItemList(value) ? nameOnly(observation) : observation);
    const before = united.get(key)?.value;
    const items = isItemList(value) ? [...(before !== undefined && isItemList(before) ? before : []), ...value] : [];
    united.set(key, isItemList(value) ? { ...observation, value: seenValues(items, MAX_OBSERVATIONS) } : observation);
  }
  return [...united.values()].slice(0, MAX_OBSERVATIONS);
}
