/** Candidates for draws of one kind. The one with most that is new is chosen. */
import fc from 'fast-check';
import type { Contract } from '../contract/contract.ts';
import { classify } from './classify.ts';
import { type DrawnRequest, isStreamed } from './drawn-request.ts';
import { type Feature, featuresOf, nameOfFeature, pairsOf, pairsWith } from './features.ts';
import { inOtherMode, kindOfViolation, violationOf } from './violation-modes.ts';

/** So many are drawn for each one that is sent. */
const CHOICE = 8;
/** Candidates that a pool makes at a time. */
const BATCH = 200;

export class DrawPool {
  readonly #arbitrary: fc.Arbitrary<DrawnRequest>;
  readonly #seed: number;
  readonly #contract: Contract;
  /** Kinds of violations that were chosen, each plain or streamed. */
  readonly #modes = new Set<string>();
  #waiting: DrawnRequest[] = [];
  #batches = 0;

  constructor(arbitrary: fc.Arbitrary<DrawnRequest>, seed: number, contract: Contract) {
    this.#arbitrary = arbitrary;
    this.#seed = seed;
    this.#contract = contract;
  }

  take(): DrawnRequest {
    if (this.#waiting.length === 0) {
      this.#batches += 1;
      this.#waiting = fc.sample(this.#arbitrary, { seed: (this.#seed + this.#batches * 7919) | 0, numRuns: BATCH });
    }
    const next = this.#waiting.shift();
    if (!next) throw new Error('Nothing was drawn.');
    return next;
  }

  /** Adds what the chosen one covers. */
  choose(covered: Set<string>): DrawnRequest {
    const candidates = Array.from({ length: CHOICE }, () => this.take())
      .flatMap((request) => this.#modesOf(request))
      .map(({ request, mode }) => {
        const parts = partsDrawn(request, this.#contract);
        const gain = gainOf(parts, covered) + (this.#isNew(mode) ? WORTH.mode : 0);
        return { request, mode, parts, gain };
      });
    const best = candidates.reduce((first, second) => (second.gain > first.gain ? second : first));
    for (const part of best.parts.keys()) covered.add(part);
    if (best.mode !== undefined) this.#modes.add(best.mode);
    return best.request;
  }

  /** A violation also in the other mode, if none of its kind was drawn in that. */
  #modesOf(request: DrawnRequest): readonly InMode[] {
    const kind = kindOfViolation(request, this.#contract);
    if (kind === undefined) return [{ request, mode: undefined }];
    const inMode = (each: DrawnRequest): InMode => ({
      request: each,
      mode: `${kind}, ${isStreamed(each) ? 'streamed' : 'plain'}`,
    });
    const other = inMode(inOtherMode(request));
    const isOffered = this.#isNew(other.mode) && kindOfViolation(other.request, this.#contract) === kind;
    return [inMode(request), ...(isOffered ? [other] : [])];
  }

  #isNew(mode: string | undefined): boolean {
    return mode !== undefined && !this.#modes.has(mode);
  }
}

interface InMode {
  readonly request: DrawnRequest;
  /** Of a violation: its kind, plain or streamed. */
  readonly mode: string | undefined;
}

/** What counts how much: a violation in a new mode most, a new feature more than a pair; texts have the most pairs. */
const WORTH = { mode: 1_000, feature: 20, pair: 6, pairWithText: 1 };

function gainOf(parts: ReadonlyMap<string, number>, covered: ReadonlySet<string>): number {
  return [...parts].reduce((sum, [part, worth]) => (covered.has(part) ? sum : sum + worth), 0);
}

/** Each with what it is worth. Pairs are made with the point of the request. */
export function partsDrawn(request: DrawnRequest, contract: Contract): ReadonlyMap<string, number> {
  const all = featuresOf(request, contract);
  const point = pointOf(request, all, contract);
  const pairs = point === all ? pairsOf(all) : pairsWith(point, () => all);
  return new Map([
    ...point.map((feature) => [nameOfFeature(feature), WORTH.feature] as const),
    ...pairs.map((pair) => [pair, /\btext: /.test(pair) ? WORTH.pairWithText : WORTH.pair] as const),
  ]);
}

/** What the request is drawn for: its violation, or its unknown fields, or all that it has. */
function pointOf(request: DrawnRequest, all: readonly Feature[], contract: Contract): readonly Feature[] {
  const standing = classify(request, contract);
  if (standing.kind === 'invalid') return [violationOf(standing.clause, all)];
  const unknown = all.filter(({ group }) => group.startsWith('unknown field'));
  return unknown.length > 0 ? unknown : all;
}
