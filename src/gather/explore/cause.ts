/** A draw that fails, and what was found out about it. */
import type { Contract } from '../../contract/contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Draw, DrawnRequest } from './drawn-request.ts';
import type { AskedRequest, Symptom } from './symptoms.ts';
import type { DrawDifference } from './difference.ts';

type AskedOccasion = 'asked-twice' | 'smaller';

/** Sends a draw apart from its turn, on a connection of its own. Undefined if nothing more may be sent. */
export type AskDraw = (draw: Draw, occasion: AskedOccasion, number: number) => Promise<readonly Exchange[] | undefined>;

/** What a draw that was asked again shows. */
export interface AskedDraw {
  readonly exchanges: readonly Exchange[];
  readonly symptoms: readonly Symptom[];
}

export interface FailingDraw extends AskedRequest {
  readonly draw: Draw;
  readonly symptom: Symptom;
  /** Which of its requests shows the symptom. */
  readonly place: number;
}

export interface DrawCause {
  /** The draw before it was made smaller. */
  readonly draw: Draw;
  readonly smallest: Draw;
  /** All that the smallest form shows, and first what was looked for. */
  readonly symptoms: readonly [Symptom, ...Symptom[]];
  /** The nearest form that passes, and the exchange that shows it. */
  readonly neighbour?: { readonly draw: Draw; readonly exchange: string };
  readonly difference: readonly DrawDifference[];
  /** What else has to be in the smallest form: it passes without any of it. */
  readonly beside: readonly DrawDifference[];
  /** Requests that it took to find. */
  readonly requests: number;
  /** False if the budget ran out before, or if simpler forms did not show it every time. */
  readonly isShrunk: boolean;
  /** Numbers of the draws that show it. */
  readonly draws: readonly number[];
  /** Violations of several clauses show it, so that none of them is the difference. `others`: the first draw of each other clause. */
  readonly alike?: Pick<Alike, 'isOne'> & { readonly others: readonly FailingDraw[] };
  /** How often it failed, if the very same request also passes. */
  readonly intermittent?: { readonly failed: number; readonly asked: number };
}

/** Draws that fail alike with violations of several clauses. */
export interface Alike {
  readonly all: readonly FailingDraw[];
  /** Whether a request has one of these violations. */
  readonly isOne: (request: DrawnRequest) => boolean;
}

/** What finding a cause takes. */
export interface CauseContext {
  readonly contract: Contract;
  readonly ask: (draw: Draw, occasion?: AskedOccasion) => Promise<AskedDraw | undefined>;
  /** All draws that were sent. */
  readonly sent: readonly {
    readonly draw: Draw;
    readonly symptoms: readonly Symptom[];
  }[];
}

/** The requests up to the one that fails: what follows it cannot be the reason. */
export function upToFailing({ draw, place }: FailingDraw): Draw {
  if (place + 1 >= draw.requests.length) return draw;
  return { ...draw, path: `${draw.path}:${place}`, requests: draw.requests.slice(0, place + 1) };
}

/** What could not be shrunk. */
export function asDrawn(failing: FailingDraw, requests: number): DrawCause {
  const { draw, symptom } = failing;
  const smallest = upToFailing(failing);
  return {
    draw,
    smallest,
    symptoms: [symptom],
    difference: [],
    beside: [],
    requests,
    isShrunk: false,
    draws: [draw.number],
  };
}

export function pair({ requests }: Draw, exchanges: readonly Exchange[]): readonly AskedRequest[] {
  return requests.flatMap((request, index) => {
    const exchange = exchanges[index];
    return exchange ? [{ request, exchange }] : [];
  });
}
