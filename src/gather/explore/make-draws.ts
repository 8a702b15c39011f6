/**
 * The list of draws: a pure function of the version, the contract and the seed, made before the first request. It begins
 * with the same requests for every seed. Then it leans to what no case asks and to pairs that were not drawn together yet.
 * A longer list begins with the shorter one.
 */
import fc from 'fast-check';
import type { Contract } from '../../contract/contract.ts';
import { isObject, type Json } from '../../json.ts';
import { applyEdits } from '../../plan/apply-edits.ts';
import { loadRequests, loadSuites } from '../../suite/read-suites.ts';
import { classify, kindOfViolation, type RequestClass } from './classify.ts';
import { addedIn } from './request-schema.ts';
import { breaksTokens, type Draw, type DrawnRequest, isStreamed, messagesIn, FORM_MISTAKE } from './drawn-request.ts';
import { changeMessage, plainly, withBody, without } from './change-request.ts';
import { invalidRequest, openRequest, tolerantRequest, validRequest, UNKNOWN_PREFIX } from './requests.ts';
import { type Feature, featuresOf, nameOfFeature, violationOf } from './features.ts';
import { USUAL_MESSAGE, USUAL_TOKENS } from './simpler.ts';

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
let begun: ReturnType<typeof begin> | undefined;

function begin(contract: Contract, seed: number) {
  return { contract, seed, draws: [] as Draw[], further: drawOn(contract, seed) };
}

export function makeDraws(contract: Contract, limits: DrawLimits): readonly Draw[] {
  const { seed, requests, completions, draws: most = Infinity } = limits;
  if (begun?.contract !== contract || begun.seed !== seed) begun = begin(contract, seed);
  const { draws, further } = begun;
  let [count, sent, answered] = [0, 0, 0];
  for (; sent < requests && count < most; count += 1) {
    const draw = draws[count] ?? further.next().value;
    draws[count] = draw;
    sent += draw.requests.length;
    answered += draw.requests.filter((request) => classify(request, contract).kind !== 'invalid').length;
    if (sent > requests || answered > completions) break;
  }
  return draws.slice(0, count);
}

function* drawOn(contract: Contract, seed: number): Generator<Draw, never> {
  const chosen = fixedRequests(contract);
  for (const [place, request] of chosen.entries())
    yield { number: place + 1, path: String(place + 1), requests: [request] };
  const covered = coveredByCases(contract);
  const pools = makePools(contract, seed);
  for (let turn = 0; ; turn += 1) {
    const slot = TURNS[turn % TURNS.length] ?? 'valid';
    const requests =
      slot === 'sequence' ? nextSequence(pools, turn, covered) : [choose(pools[slot], covered, contract)];
    const number = chosen.length + turn + 1;
    yield { number, path: String(number), requests };
  }
}

/** Candidates for draws of one kind. */
type Pool = Generator<DrawnRequest, never>;
type Pools = Readonly<Record<Kind, Pool>>;

function makePools(contract: Contract, seed: number): Pools {
  const { body } = loadRequests(contract).get('chat') ?? {};
  const valid = validRequest(contract, isObject(body) ? addedIn(body, contract) : {});
  const isKind = (kind: Kind) => (request: DrawnRequest) => classify(request, contract).kind === kind;
  const pool = (kind: Kind, arbitrary: fc.Arbitrary<DrawnRequest>, number: number): Pool =>
    candidates(arbitrary.filter(isKind(kind)), (seed + number * 0x9e3779b) | 0);
  const proper = valid.filter(isKind('valid'));
  return {
    valid: pool('valid', valid, 1),
    tolerant: pool('tolerant', tolerantRequest(proper), 2),
    invalid: pool('invalid', invalidRequest(proper, contract), 3),
    open: pool('open', openRequest(proper, contract), 4),
  };
}

/** Candidates that are made at a time. */
const BATCH = 200;

function* candidates(arbitrary: fc.Arbitrary<DrawnRequest>, seed: number): Pool {
  for (let batch = 1; ; batch += 1) yield* fc.sample(arbitrary, { seed: (seed + batch * 7919) | 0, numRuns: BATCH });
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

/** What a request adds to the list, each with what it is worth. */
interface Offer {
  readonly request: DrawnRequest;
  readonly parts: ReadonlyMap<string, number>;
}

/** Takes the first of those with most that is new. */
function take<Own extends Offer>(offered: readonly Own[], covered: Set<string>): Own {
  const gains = offered.map(({ parts }) =>
    [...parts].reduce((sum, [part, worth]) => (covered.has(part) ? sum : sum + worth), 0),
  );
  const best = offered[gains.indexOf(Math.max(...gains))];
  if (!best) throw new Error('Nothing was drawn.');
  for (const part of best.parts.keys()) covered.add(part);
  return best;
}

function choose(pool: Pool, covered: Set<string>, contract: Contract): DrawnRequest {
  const drawn = Array.from({ length: CHOICE }, () => pool.next().value);
  return take(
    drawn.flatMap((request) => inModes(request, covered, contract)),
    covered,
  ).request;
}

/** A violation also in the other mode, if none of its kind was drawn in that. */
function inModes(request: DrawnRequest, covered: ReadonlySet<string>, contract: Contract): readonly Offer[] {
  const kind = kindOfViolation(request, contract);
  const rest = without(request.body, 'stream');
  const other = withBody(request, isStreamed(request) ? rest : { ...rest, stream: true });
  const modeOf = (each: DrawnRequest): string => `violation: ${kind}, ${isStreamed(each) ? 'streamed' : 'plain'}`;
  const isOffered = kind !== undefined && !covered.has(modeOf(other)) && kindOfViolation(other, contract) === kind;
  return [request, ...(isOffered ? [other] : [])].map((each) => {
    const parts = partsDrawn(each, contract);
    if (kind !== undefined) parts.set(modeOf(each), WORTH.mode);
    return { request: each, parts };
  });
}

/** What counts how much: a violation in a new mode most, a new feature more than a pair; texts have the most pairs. */
const WORTH = { mode: 1_000, feature: 20, pair: 6, pairWithText: 1 };

/** Each with what it is worth. Pairs are of different groups, and made with the point of the request. */
function partsDrawn(request: DrawnRequest, contract: Contract): Map<string, number> {
  const all = featuresOf(request, contract);
  const point = pointOf(request, all, contract);
  const parts = new Map(point.map((feature) => [nameOfFeature(feature), WORTH.feature]));
  for (const [index, first] of point.entries()) {
    const own = nameOfFeature(first);
    for (const second of point === all ? all.slice(index + 1) : all) {
      if (second.group === first.group) continue;
      const other = nameOfFeature(second);
      const pair = own < other ? `${own} + ${other}` : `${other} + ${own}`;
      parts.set(pair, /\btext: /.test(pair) ? WORTH.pairWithText : WORTH.pair);
    }
  }
  return parts;
}

/** What the request is drawn for: its violation, or its unknown fields, or all that it has. */
function pointOf(request: DrawnRequest, all: readonly Feature[], contract: Contract): readonly Feature[] {
  const requestClass = classify(request, contract);
  if (requestClass.kind === 'invalid') return [violationOf(requestClass.clause, all)];
  const unknown = all.filter(({ group }) => group.startsWith('unknown field'));
  return unknown.length > 0 ? unknown : all;
}

/** What is on offer for each place but the last, from which on another one begins each time. */
const KINDS: readonly Kind[] = ['invalid', 'valid', 'invalid', 'valid', 'invalid', 'tolerant'];
/** The last is the point: it has to be answered. */
const LAST: readonly Kind[] = ['valid', 'valid', 'valid', 'valid'];

/**
 * Sequences of requests for one connection lean to requests that did not follow each other yet. Every fourth has its last request twice,
 * but for a word. Adds what the sequence covers.
 */
function nextSequence(pools: Pools, turn: number, covered: Set<string>): readonly DrawnRequest[] {
  const isRepeated = Math.floor(turn / 10) % 4 === 1;
  // Two to five.
  const drawn = 2 + (Math.floor(turn / 10) % 4) - (isRepeated ? 1 : 0);
  const requests: DrawnRequest[] = [];
  let before = 'none';
  for (let place = 1; place <= drawn; place += 1) {
    const kinds =
      place === drawn ? LAST : KINDS.map((_, index) => KINDS[(turn + place + index) % KINDS.length] ?? 'valid');
    const offered = kinds.map((kind) => {
      const request = takeBounded(pools[kind]);
      const name = request.mistake === undefined ? `${kind} ${isStreamed(request) ? 'stream' : 'plain'}` : 'not JSON';
      const follows = `${before} + ${name}`;
      const parts = [`sequence ${place}: ${name}`, `sequence: ${follows}`, `sequence ${place}: ${follows}`];
      return { request, name, parts: new Map(parts.map((part) => [part, 1])) };
    });
    const chosen = take(offered, covered);
    before = chosen.name;
    requests.push(chosen.request);
  }
  const [last] = requests.slice(-1).map(withWord);
  return isRepeated && last ? [...requests.slice(0, -1), last, last] : requests;
}

/** A cache may answer the very same request, so that a word is new each time. */
function withWord(request: DrawnRequest): DrawnRequest {
  if (JSON.stringify(request.body).includes('${word}')) return request;
  return changeMessage(request, messagesIn(request).length - 1, (last) => ({
    ...last,
    content: `${last['content'] as string} \${word}`,
  }));
}

/** A wrong max_tokens may keep a careless target busy for long, so that what follows is not its own fault. */
function takeBounded(pool: Pool): DrawnRequest {
  let request = pool.next().value;
  while (breaksTokens(request)) request = pool.next().value;
  return request;
}

// Requests that every exploration begins with, whatever its seed: what real servers were seen to answer with 500.

/** Some parsers of JSON give up at 64. */
const DEPTH = 40;
const nested = (wrap: (inner: Json) => Json): Json => Array.from({ length: DEPTH }).reduce<Json>(wrap, 1);
const DEEP = `${UNKNOWN_PREFIX}deep`;
const DEEP_OBJECT = { [DEEP]: nested((a) => ({ a })) };

const says = (content: string) => ({ messages: [{ ...USUAL_MESSAGE, content }] });
const WITH_NULL = { messages: [USUAL_MESSAGE, null] };
const STREAM = { stream: true };

/** Those that have to be refused come first: they are sent however few completions are allowed. */
const FIXED: readonly DrawnRequest['body'][] = [
  WITH_NULL,
  { ...WITH_NULL, ...STREAM },
  // Half a character. A model that repeats it would break its own stream.
  says('\uD800'),
  says('a\u0000b'),
  { ...says('a\u0000b'), ...STREAM },
  says('\u0001\b\u000B\u001B[31m\u007F\u0085'),
  says(''),
  { ...says(''), ...STREAM },
  { max_tokens: 2 ** 31 },
  { max_tokens: 2 ** 31, ...STREAM },
  { max_tokens: 2 ** 63 },
  DEEP_OBJECT,
  { ...DEEP_OBJECT, ...STREAM },
  { messages: [{ ...USUAL_MESSAGE, [DEEP]: nested((inner) => [inner]) }] },
];

/** A request that a contract says nothing about is left out. */
export function fixedRequests(contract: Contract): readonly DrawnRequest[] {
  const { body } = loadRequests(contract).get('chat') ?? {};
  const added = isObject(body) ? addedIn(body, contract) : {};
  const usual = plainly({ model: '${model}', messages: [USUAL_MESSAGE], max_tokens: USUAL_TOKENS, ...added });
  const others = FIXED.map((own) => withBody(usual, { ...usual.body, ...own }));
  const isClear = (request: DrawnRequest): boolean => classify(request, contract).kind !== 'unclear';
  return [{ ...usual, mistake: FORM_MISTAKE }, ...others].filter(isClear);
}
