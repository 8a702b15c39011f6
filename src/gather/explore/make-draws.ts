/**
 * The list of draws: a pure function of the version, the contract and the seed, made before the first request. It leans
 * to what no case asks and to pairs that were not drawn together yet. A longer list begins with the shorter one.
 */
import fc from 'fast-check';
import type { Contract } from '../../contract/contract.ts';
import { isObject, type JsonObject } from '../../json.ts';
import { applyEdits } from '../../plan/apply-edits.ts';
import { loadRequests, loadSuites } from '../../suite/load-suites.ts';
import { classify, type RequestClass } from './classify.ts';
import { type Draw, type DrawnRequest, isStreamed, messagesIn, plainly, withBody } from './drawn-request.ts';
import { type Feature, featuresOf, nameOfFeature, pairsWith, violationOf } from './features.ts';
import { invalidRequest, openRequest, tolerantRequest } from './other-requests.ts';
import { validRequest } from './valid-requests.ts';
import { inOtherMode, kindOfViolation } from './violations.ts';

interface DrawLimits {
  readonly seed: number;
  readonly requests: number;
  /** Requests that a conforming target answers, at most. */
  readonly completions: number;
  /** No more draws than this, whatever they are. */
  readonly draws?: number;
}

type Kind = Exclude<RequestClass['kind'], 'unclear'>;
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
export function isCharged({ kind }: RequestClass): boolean {
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

/** How many are drawn for each one that is sent. */
const CHOICE = 8;
/** Candidates that a pool makes at a time. */
const BATCH = 200;

/** Candidates for draws of one kind. The one with most that is new is chosen. */
class DrawPool {
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
  /** The kind of a violation, plain or streamed. */
  readonly mode: string | undefined;
}

/** What counts how much: a violation in a new mode most, a new feature more than a pair; texts have the most pairs. */
const WORTH = { mode: 1_000, feature: 20, pair: 6, pairWithText: 1 };

function gainOf(parts: ReadonlyMap<string, number>, covered: ReadonlySet<string>): number {
  return [...parts].reduce((sum, [part, worth]) => (covered.has(part) ? sum : sum + worth), 0);
}

/** Each with what it is worth. Pairs are made with the point of the request. */
function partsDrawn(request: DrawnRequest, contract: Contract): ReadonlyMap<string, number> {
  const all = featuresOf(request, contract);
  const point = pointOf(request, all, contract);
  const pairs = pairsWith(point, (first) => (point === all ? all.slice(all.indexOf(first) + 1) : all));
  return new Map([
    ...point.map((feature) => [nameOfFeature(feature), WORTH.feature] as const),
    ...pairs.map((pair) => [pair, /\btext: /.test(pair) ? WORTH.pairWithText : WORTH.pair] as const),
  ]);
}

/** What the request is drawn for: its violation, or its unknown fields, or all that it has. */
function pointOf(request: DrawnRequest, all: readonly Feature[], contract: Contract): readonly Feature[] {
  const requestClass = classify(request, contract);
  if (requestClass.kind === 'invalid') return [violationOf(requestClass.clause, all)];
  const unknown = all.filter(({ group }) => group.startsWith('unknown field'));
  return unknown.length > 0 ? unknown : all;
}

/** What is on offer for each place but the last, from which on another one begins each time. */
const KINDS: readonly Kind[] = ['valid', 'invalid', 'valid', 'invalid', 'tolerant', 'invalid'];
/** The last is the point: it has to be answered. */
const LAST: readonly Kind[] = ['valid', 'valid', 'valid', 'valid'];

interface Placed {
  readonly kind: Kind;
  readonly request: DrawnRequest;
}

/** Two to five. */
function lengthOfSequence(turn: number): number {
  return 2 + (Math.floor(turn / 10) % 4);
}

/**
 * Sequences of requests for one connection lean to requests that did not follow each other yet. Every fourth has its last request twice,
 * but for a word. Adds what the sequence covers.
 */
function nextSequence(pools: Pools, turn: number, covered: Set<string>): readonly DrawnRequest[] {
  const isRepeated = Math.floor(turn / 10) % 4 === 1;
  const drawn = lengthOfSequence(turn) - (isRepeated ? 1 : 0);
  const placed: Placed[] = [];
  for (let place = 0; place < drawn; place += 1) {
    const kinds =
      place === drawn - 1 ? LAST : KINDS.map((_, index) => KINDS[(turn + place + index) % KINDS.length] ?? 'valid');
    const offered = kinds.map((kind) => ({ kind, request: takeBounded(pools[kind]) }));
    const chosen = mostNew(offered, placed, covered);
    for (const part of partsOf(chosen, placed)) covered.add(part);
    placed.push(chosen);
  }
  const requests = placed.map(({ request }) => request);
  const [last] = requests.slice(-1).map(withWord);
  return isRepeated && last ? [...requests.slice(0, -1), last, last] : requests;
}

function mostNew(offered: readonly Placed[], before: readonly Placed[], covered: ReadonlySet<string>): Placed {
  const gains = offered.map((next) => partsOf(next, before).filter((part) => !covered.has(part)).length);
  const best = offered[gains.indexOf(Math.max(...gains))];
  if (!best) throw new Error('Nothing was drawn.');
  return best;
}

/** Which place it has, and after what it comes. */
function partsOf(next: Placed, before: readonly Placed[]): readonly string[] {
  const last = before.at(-1);
  const own = nameOf(next);
  return [
    `sequence ${before.length + 1}: ${own}`,
    ...(last ? [`sequence: ${nameOf(last)} + ${own}`, `sequence ${before.length}: ${nameOf(last)} + ${own}`] : []),
  ];
}

function nameOf({ kind, request }: Placed): string {
  const mode = isStreamed(request) ? 'stream' : 'plain';
  return request.raw === undefined ? `${kind} ${mode}` : 'not JSON';
}

/** A cache may answer the very same request, so that a word is new each time. */
function withWord(request: DrawnRequest): DrawnRequest {
  if (JSON.stringify(request.body).includes('${word}')) return request;
  const messages = messagesIn(request);
  const [last = {}] = messages.slice(-1);
  const content = `${last['content'] as string} \${word}`;
  return withBody(request, { ...request.body, messages: [...messages.slice(0, -1), { ...last, content }] });
}

/** A wrong max_tokens may keep a careless target busy for long, so that what follows is not its own fault. */
function takeBounded(pool: DrawPool): DrawnRequest {
  for (;;) {
    const request = pool.take();
    const tokens = request.body['max_tokens'];
    if (typeof tokens !== 'number' || tokens > 0) return request;
  }
}
