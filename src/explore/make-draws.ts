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
import { type Feature, featuresOf, pairsOf } from './features.ts';
import { invalidRequest, openRequest, tolerantRequest } from './other-requests.ts';
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
    const slot = TURNS[turn % TURNS.length] ?? 'valid';
    const chosen = slot === 'sequence' ? nextSequence(pools, turn) : [pools[slot].choose(covered)];
    const charged = chosen.filter((request) => isCharged(classify(request, contract))).length;
    if (sent + chosen.length > requests || answered + charged > completions) break;
    sent += chosen.length;
    answered += charged;
    const number = draws.length + 1;
    draws.push({ number, path: String(number), requests: chosen });
  }
  return draws;
}

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
      return { request, parts, gain: parts.filter((part) => !covered.has(part)).length };
    });
    const best = candidates.reduce((first, second) => (second.gain > first.gain ? second : first));
    for (const part of best.parts) covered.add(part);
    return best.request;
  }
}

function partsOf(request: DrawnRequest, contract: Contract): readonly string[] {
  const features: readonly Feature[] = [...featuresOf(request, contract), ...standingOf(request, contract)];
  // A feature that is new counts more than a pair of known ones.
  const single = features.flatMap(({ group, is }) => [1, 2, 3].map((time) => `${group}: ${is} #${time}`));
  return [...new Set([...single, ...pairsOf(features)])];
}

function standingOf(request: DrawnRequest, contract: Contract): readonly Feature[] {
  const standing = classify(request, contract);
  return standing.kind === 'invalid' ? [{ group: 'violation', is: standing.clause }] : [];
}

/** What the built-in cases send already. */
function coveredByCases(contract: Contract): Set<string> {
  const covered = new Set<string>();
  for (const { ask } of loadSuites([], contract).flatMap(({ cases }) => cases)) {
    if (!ask || ask.base.path !== '/chat/completions') continue;
    const { body } = applyEdits(ask.base, ask.edits);
    if (body?.kind !== 'json' || !isObject(body.value)) continue;
    for (const part of partsOf(plainly(body.value), contract)) covered.add(part);
  }
  return covered;
}

/** Requests in a sequence: valid ones, refused ones and ones with unknown fields, plain and streamed. */
const KINDS: readonly Kind[] = ['valid', 'invalid', 'valid', 'valid', 'tolerant', 'invalid', 'valid'];

function nextSequence(pools: Pools, turn: number): readonly DrawnRequest[] {
  const length = 2 + (Math.floor(turn / 10) % 4);
  return Array.from({ length }, (_, place) => {
    const kind = place === length - 1 ? 'valid' : (KINDS[(turn + place * 3) % KINDS.length] ?? 'valid');
    return kind === 'invalid' ? takeBounded(pools.invalid) : pools[kind].take();
  });
}

/** A wrong max_tokens may keep a careless target busy for long, so that what follows is not its own fault. */
function takeBounded(pool: Pool): DrawnRequest {
  for (;;) {
    const request = pool.take();
    const tokens = request.body['max_tokens'];
    if (typeof tokens !== 'number' || tokens > 0) return request;
  }
}
