/**
 * The list of draws: a pure function of the version, the contract and the seed, made before the first request. It leans
 * to what no case asks and to pairs that were not drawn together yet. A longer list begins with the shorter one.
 */
import fc from 'fast-check';
import type { Contract } from '../contract/contract.ts';
import { isObject, type JsonObject } from '../json.ts';
import { applyEdits } from '../plan/apply-edits.ts';
import { loadRequests } from '../suite/load-requests.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { classify, type Standing } from './classify.ts';
import { type Draw, type DrawnRequest, plainly } from './drawn-request.ts';
import { type Feature, featuresOf, nameOfFeature, pairsOf, pairsWith } from './features.ts';
import { invalidRequest, openRequest, tolerantRequest } from './other-requests.ts';
import { lengthOfSequence, nextSequence } from './sequences.ts';
import { validRequest } from './valid-requests.ts';

export interface DrawLimits {
  readonly seed: number;
  readonly requests: number;
  /** Requests that a conforming target answers, at most. */
  readonly completions: number;
  /** No more draws than this, whatever they are. */
  readonly draws?: number;
}

type Kind = Exclude<Standing['kind'], 'unclear'>;
type Slot = Kind | 'sequence';

/** The kinds in turn, so that every part of the list has some of each. */
const TURNS: readonly Slot[] = [
  ...(['valid', 'invalid', 'valid', 'tolerant', 'valid', 'invalid', 'valid', 'sequence', 'valid', 'open'] as const),
  ...(['invalid', 'valid', 'invalid', 'tolerant', 'valid', 'invalid', 'sequence', 'valid', 'invalid', 'open'] as const),
];

/** So many are drawn for each one that is sent. */
const CHOICE = 8;
/** Candidates that a pool makes at a time. */
const BATCH = 200;

/** A run needs its list several times, and making it takes about a second. */
const made = new WeakMap<Contract, Map<string, readonly Draw[]>>();

export function makeDraws(contract: Contract, limits: DrawLimits): readonly Draw[] {
  const lists = made.get(contract) ?? new Map<string, readonly Draw[]>();
  made.set(contract, lists);
  const key = JSON.stringify([limits.seed, limits.requests, limits.completions, limits.draws]);
  const draws = lists.get(key) ?? drawAll(contract, limits);
  lists.set(key, draws);
  return draws;
}

function drawAll(
  contract: Contract,
  { seed, requests, completions, draws: most = Infinity }: DrawLimits,
): readonly Draw[] {
  const covered = coveredByCases(contract);
  const pools = makePools(contract, seed);
  const draws: Draw[] = [];
  let [sent, answered] = [0, 0];
  for (let turn = 0; sent < requests && draws.length < most; turn += 1) {
    const slot = slotOf(turn);
    const chosen = slot === 'sequence' ? nextSequence(pools, turn, covered) : [pools[slot].choose(covered)];
    const charged = chosen.filter((request) => isCharged(classify(request, contract))).length;
    if (sent + chosen.length > requests || answered + charged > completions) break;
    sent += chosen.length;
    answered += charged;
    const number = draws.length + 1;
    draws.push({ number, path: String(number), requests: chosen });
  }
  return draws;
}

/** How many draws so many requests make, if no other limit ends the list before. */
export function countDraws(requests: number): number {
  let [sent, turn] = [0, 0];
  for (; sent <= requests; turn += 1) sent += slotOf(turn) === 'sequence' ? lengthOfSequence(turn) : 1;
  return turn - 1;
}

const slotOf = (turn: number): Slot => TURNS[turn % TURNS.length] ?? 'valid';

/** Whether a conforming target may answer it with a completion. */
export function isCharged({ kind }: Standing): boolean {
  return kind !== 'invalid';
}

type Pools = Readonly<Record<Kind, Pool>>;

function makePools(contract: Contract, seed: number): Pools {
  const valid = validRequest(contract, addedFields(contract));
  const pool = (kind: Kind, arbitrary: fc.Arbitrary<DrawnRequest>, number: number): Pool =>
    new Pool(
      arbitrary.filter((request) => classify(request, contract).kind === kind),
      (seed + number * 0x9e3779b) | 0,
      contract,
    );
  const proper = valid.filter((request) => classify(request, contract).kind === 'valid');
  return {
    valid: pool('valid', valid, 1),
    tolerant: pool('tolerant', tolerantRequest(proper), 2),
    invalid: pool('invalid', invalidRequest(proper, contract), 3),
    open: pool('open', openRequest(proper, contract), 4),
  };
}

/** What the contract sends along with every request. */
function addedFields(contract: Contract): JsonObject {
  const { body } = loadRequests(contract).get('chat') ?? {};
  const names = new Set(Object.keys(contract.rules.added).map((pointer) => pointer.split('/')[1]));
  return isObject(body) ? Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name))) : {};
}

/** Candidates of one kind, from which the one with most that is new is chosen. */
class Pool {
  readonly #arbitrary: fc.Arbitrary<DrawnRequest>;
  readonly #seed: number;
  readonly #contract: Contract;
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
    const candidates = Array.from({ length: CHOICE }, () => this.take()).map((request) => {
      const parts = partsOf(request, this.#contract);
      return { request, parts, gain: gainOf(parts, covered) };
    });
    const best = candidates.reduce((first, second) => (second.gain > first.gain ? second : first));
    for (const part of best.parts.keys()) covered.add(part);
    return best.request;
  }
}

/** What counts how much: a feature that is new more than a pair of known ones, and texts have the most pairs. */
const WORTH = { feature: 20, pair: 6, pairWithText: 1 };

function gainOf(parts: ReadonlyMap<string, number>, covered: ReadonlySet<string>): number {
  return [...parts].reduce((sum, [part, worth]) => (covered.has(part) ? sum : sum + worth), 0);
}

/** Each with what it is worth. Pairs are made with the point of the request. */
function partsOf(request: DrawnRequest, contract: Contract): ReadonlyMap<string, number> {
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

/** The clause, and which value or place breaks it. */
function violationOf(clause: string, features: readonly Feature[]): Feature {
  const broken = features.filter(({ group, is }) => /^(no |mistake)/.test(group) || / (below|above)$/.test(is));
  return { group: 'violation', is: [clause, ...broken.map(({ is }) => is)].join(', ') };
}

/** What the built-in cases send already. */
function coveredByCases(contract: Contract): Set<string> {
  const covered = new Set<string>();
  for (const { ask } of loadSuites([], contract).flatMap(({ cases }) => cases)) {
    if (!ask || ask.base.path !== '/chat/completions') continue;
    const { body } = applyEdits(ask.base, ask.edits);
    if (body?.kind !== 'json' || !isObject(body.value)) continue;
    for (const part of partsOf(plainly(body.value), contract).keys()) covered.add(part);
  }
  return covered;
}
