/** A draw that fails, and what was found out about it. */
import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Json, JsonObject } from '../json.ts';
import { maskIndices } from '../verdict/finding.ts';
import type { Difference } from './difference.ts';
import { type Draw, type DrawnRequest, isStreamed, keepFirst, messagesIn, rolesIn, textsIn } from './drawn-request.ts';
import { featuresOf } from './features.ts';
import { depthOf, isUnknownName, placeOfUnknown } from './unknown-fields.ts';
import { type Said, saidIn } from './said.ts';
import type { Asked, Symptom } from './symptoms.ts';

export type Occasion = 'asked-twice' | 'smaller';

/** Sends a draw apart from its turn, on a connection of its own. Undefined if nothing more may be sent. */
export type Ask = (draw: Draw, occasion: Occasion, number: number) => Promise<readonly Exchange[] | undefined>;
export type AskNext = (draw: Draw, occasion: Occasion) => Promise<readonly Exchange[] | undefined>;

export interface FailingDraw {
  readonly draw: Draw;
  readonly asked: readonly Asked[];
  readonly symptom: Symptom;
}

/** A draw whose cause is sought. */
export interface Looking {
  readonly draw: number;
  /** Which one it is of all failures, from 1. */
  readonly place: number;
  readonly all: number;
}

/** The nearest form that passes. */
interface Neighbour {
  readonly draw: Draw;
  readonly exchange: string;
  /** It has no violation, and whatever had one failed. */
  readonly isMended: boolean;
}

export interface Cause {
  /** As it was drawn. */
  readonly draw: Draw;
  readonly smallest: Draw;
  /** All that the smallest form shows, and first what was looked for. */
  readonly symptoms: readonly [Symptom, ...Symptom[]];
  readonly neighbour?: Neighbour;
  readonly difference: readonly Difference[];
  /** Requests that it took to find. */
  readonly requests: number;
  /** False if the budget ran out before, or if smaller forms did not show it every time. */
  readonly isShrunk: boolean;
  /** Numbers of the draws that show it. */
  readonly draws: readonly number[];
  /** What the failing request has, as it was drawn and as it was shrunk, and the passing one lacks. */
  readonly features: ReadonlySet<string>;
  /** What the answers to its requests say. */
  readonly said: readonly Said[];
  /** Violations of several kinds fail alike, so that none of them is the difference. */
  readonly isAnyViolation?: true;
  /** If the very same request also passes: how often it failed. */
  readonly intermittent?: { readonly failed: number; readonly asked: number };
}

/** A draw that was sent, and the keys of what is wrong with its answers. */
export interface Known {
  readonly draw: Draw;
  readonly keys: ReadonlySet<string>;
}

/** What finding a cause takes. */
export interface CauseContext {
  readonly contract: Contract;
  readonly ask: AskNext;
  readonly symptomsOf: (asked: readonly Asked[]) => readonly Symptom[];
  /** The usual token limit as it is sent; undefined if none is. */
  readonly usualTokens?: number | undefined;
  /** All draws that were sent. */
  readonly sent: readonly Known[];
}

/** What could not be shrunk. */
export function asDrawn({ draw, asked, symptom }: FailingDraw, shown: Symptom, requests: number): Cause {
  const kept = asked.findIndex(({ exchange }) => exchange.id === symptom.exchange) + 1;
  return {
    draw,
    smallest: keepFirst(draw, kept),
    symptoms: [shown],
    difference: [],
    requests,
    isShrunk: false,
    draws: [draw.number],
    features: new Set(),
    said: saidBy(symptom, shown),
  };
}

export function saidBy(...symptoms: readonly Symptom[]): readonly Said[] {
  return symptoms.flatMap((symptom) => saidIn(symptom) ?? []);
}

export function pair({ requests }: Draw, exchanges: readonly Exchange[]): readonly Asked[] {
  return requests.flatMap((request, index) => {
    const exchange = exchanges[index];
    return exchange ? [{ request, exchange }] : [];
  });
}

/**
 * The features that the failing request has and the passing one lacks. What came with shrinking, such as a text of one
 * character, cannot be the reason: the draw failed without it.
 */
export function featuresOfCause(
  { draw, smallest }: Pick<Cause, 'draw' | 'smallest'>,
  neighbour: Draw | undefined,
  contract: Contract,
): ReadonlySet<string> {
  const passing = neighbour ? featuresIn(neighbour, contract) : new Set<string>();
  return new Set([...featuresKept({ draw, smallest }, contract)].filter((feature) => !passing.has(feature)));
}

/** Those of the smallest form that the draw has too. */
export function featuresKept(
  { draw, smallest }: Pick<Cause, 'draw' | 'smallest'>,
  contract: Contract,
): ReadonlySet<string> {
  const drawn = featuresIn(draw, contract);
  return new Set([...featuresIn(smallest, contract)].filter((feature) => drawn.has(feature)));
}

export function featuresIn({ requests }: Pick<Draw, 'requests'>, contract: Contract): ReadonlySet<string> {
  return new Set(
    requests.flatMap((request) => [
      ...featuresOf(request, contract).map(({ group, is }) => `${group}: ${is}`),
      ...widerFeatures(request),
    ]),
  );
}

const SIZES = [2, 4, 7, 13];

/** Most faults of one script are faults of all, and most of one value of any. These are not drawn for. */
function widerFeatures(request: DrawnRequest): readonly string[] {
  const { body } = request;
  const messages = messagesIn(request);
  const later = messages.slice(1);
  return [
    isStreamed(request) ? 'mode: stream' : 'mode: plain',
    ...SIZES.filter((size) => messages.length >= size).map((size) => `messages: at least ${size}`),
    ...rolesIn(request)
      .split(' ')
      .map((role) => `role: ${role}`),
    ...Object.keys(body)
      .filter((name) => !isUnknownName(name))
      .map((name) => `${name}: given`),
    ...(textsIn(request).some((text) => /[^\0-\x7F]/.test(text)) ? ['text: beyond ASCII'] : []),
    ...(later.some((message) => Object.keys(message).some(isUnknownName)) ? ['unknown field: in a later message'] : []),
    ...(unknownIn(body).some((value) => depthOf(value) > 2) ? ['unknown field: nested'] : []),
  ];
}

function unknownIn(body: JsonObject): readonly Json[] {
  return Object.entries(body).flatMap(([name, value]) => (isUnknownName(name) ? [value] : []));
}

/** The places of the difference, without values and names that were drawn: part of the identity of a finding. */
export function triggerOf({ difference }: Pick<Cause, 'difference'>): readonly string[] {
  return [...new Set(difference.map(({ pointer }) => placeOfUnknown(maskIndices(pointer))))].toSorted();
}
