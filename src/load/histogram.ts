/** Counts of times in buckets: memory does not grow with the number of calls. */
import { LOAD_QUANTILES, type LoadQuantile, type LoadTimes } from '../report/load-report.ts';

/** Each bucket is about 5 % wider than the one before. */
const GROWTH = Math.log(1.05);
/** Milliseconds: the upper bound of the first bucket. */
const FIRST = 0.1;

export const SHARES: Readonly<Record<LoadQuantile, number>> = { p50: 0.5, p95: 0.95, p99: 0.99 };

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
    const [p50, p95, p99] = LOAD_QUANTILES.map((name) => round(this.quantile(SHARES[name])));
    return {
      count: this.#count,
      p50: p50 ?? 0,
      p95: p95 ?? 0,
      p99: p99 ?? 0,
      max: round(this.#max),
      histogram: this.#sorted().map(([bound, calls]) => [round(bound), calls] as const),
    };
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
