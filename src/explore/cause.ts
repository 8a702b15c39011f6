/** A draw that fails, and what was found out about it. */
import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { maskIndices } from '../verdict/finding.ts';
import type { Difference } from './difference.ts';
import { type Draw } from './drawn-request.ts';
import { keepFirst } from './simpler.ts';
import type { Asked, Symptom } from './symptoms.ts';
import { placeOfUnknown } from './unknown-fields.ts';

export type Occasion = 'asked-twice' | 'smaller';

/** Sends a draw apart from its turn, on a connection of its own. Undefined if nothing more may be sent. */
export type Ask = (draw: Draw, occasion: Occasion, number: number) => Promise<readonly Exchange[] | undefined>;
export type AskNext = (draw: Draw, occasion: Occasion) => Promise<readonly Exchange[] | undefined>;

export interface FailingDraw {
  readonly draw: Draw;
  readonly asked: readonly Asked[];
  readonly symptom: Symptom;
}

export interface Cause {
  /** As it was drawn. */
  readonly draw: Draw;
  readonly smallest: Draw;
  /** All that the smallest form shows, and first what was looked for. */
  readonly symptoms: readonly [Symptom, ...Symptom[]];
  /** The nearest form that passes, and the exchange that shows it. */
  readonly neighbour?: { readonly draw: Draw; readonly exchange: string };
  readonly difference: readonly Difference[];
  /** Requests that it took to find. */
  readonly requests: number;
  /** False if the budget ran out before, or if simpler forms did not show it every time. */
  readonly isShrunk: boolean;
  /** Numbers of the draws that show it. */
  readonly draws: readonly number[];
  /** Kinds of text that the failing request has, as it was drawn and as it was shrunk, and the passing one lacks. */
  readonly kindsOfText: readonly string[];
  /** Every request that was sent with a violation shows it, so that none of them is the difference. */
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
  /** All draws that were sent. */
  readonly sent: readonly Known[];
}

/** What could not be shrunk. */
export function asDrawn({ draw, asked, symptom }: FailingDraw, shown: Symptom, requests: number): Cause {
  return {
    draw,
    smallest: keepFirst(draw, asked.findIndex(({ exchange }) => exchange.id === symptom.exchange) + 1),
    symptoms: [shown],
    difference: [],
    requests,
    isShrunk: false,
    draws: [draw.number],
    kindsOfText: [],
  };
}

export function pair({ requests }: Draw, exchanges: readonly Exchange[]): readonly Asked[] {
  return requests.flatMap((request, index) => {
    const exchange = exchanges[index];
    return exchange ? [{ request, exchange }] : [];
  });
}

/** The places of the difference, without values and names that were drawn: part of the identity of a finding. */
export function triggerOf({ difference }: Pick<Cause, 'difference'>): readonly string[] {
  return [...new Set(difference.map(({ pointer }) => placeOfUnknown(maskIndices(pointer))))].toSorted();
}
