/**
 * The list of draws: a pure function of the version, the contract and the seed, made before the first request. It leans
 * to what no case asks and to pairs that were not drawn together yet. A longer list begins with the shorter one.
 */
import type fc from 'fast-check';
import type { Contract } from '../contract/contract.ts';
import { isObject, type JsonObject } from '../json.ts';
import { applyEdits } from '../plan/apply-edits.ts';
import { loadRequests } from '../suite/load-requests.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { classify, type Standing } from './classify.ts';
import { partsDrawn, DrawPool } from './draw-pool.ts';
import { type Draw, type DrawnRequest, plainly } from './drawn-request.ts';
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

/** A run needs its list several times, and making it takes about a second. */
const begun = new WeakMap<Contract, Map<number, BegunList>>();

interface BegunList {
  readonly draws: Draw[];
  readonly further: Iterator<Draw, never>;
}

export function makeDraws(contract: Contract, limits: DrawLimits): readonly Draw[] {
  const { seed, requests, completions, draws: most = Infinity } = limits;
  const lists = begun.get(contract) ?? new Map<number, BegunList>();
  begun.set(contract, lists);
  const { draws, further } = lists.get(seed) ?? { draws: [], further: drawOn(contract, seed) };
  lists.set(seed, { draws, further });
  let [count, sent, answered] = [0, 0, 0];
  for (; sent < requests && count < most; count += 1) {
    const draw = draws[count] ?? further.next().value;
    draws[count] = draw;
    sent += draw.requests.length;
    answered += draw.requests.filter((request) => isCharged(classify(request, contract))).length;
    if (sent > requests || answered > completions) break;
  }
  return draws.slice(0, count);
}

function* drawOn(contract: Contract, seed: number): Generator<Draw, never> {
  const covered = coveredByCases(contract);
  const pools = makePools(contract, seed);
  for (let turn = 0; ; turn += 1) {
    const slot = slotOf(turn);
    const requests = slot === 'sequence' ? nextSequence(pools, turn, covered) : [pools[slot].choose(covered)];
    yield { number: turn + 1, path: String(turn + 1), requests };
  }
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

type Pools = Readonly<Record<Kind, DrawPool>>;

function makePools(contract: Contract, seed: number): Pools {
  const valid = validRequest(contract, addedFields(contract));
  const pool = (kind: Kind, arbitrary: fc.Arbitrary<DrawnRequest>, number: number): DrawPool =>
    new DrawPool(
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

/** What the built-in cases send already. */
function coveredByCases(contract: Contract): Set<string> {
  const covered = new Set<string>();
  for (const { ask } of loadSuites([], contract).flatMap(({ cases }) => cases)) {
    if (!ask || ask.base.path !== '/chat/completions') continue;
    const { body } = applyEdits(ask.base, ask.edits);
    if (body?.kind !== 'json' || !isObject(body.value)) continue;
    for (const part of partsDrawn(plainly(body.value), contract).keys()) covered.add(part);
  }
  return covered;
}
