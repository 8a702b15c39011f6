/** A check: a small pure function from exchanges to a result. It never knows its level; `judge.ts` does. */
import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { Json } from '../json.ts';
import type { Settings } from '../settings.ts';
import type { CheckResult, Observation } from './verdict.ts';

/** What every check of a run may look at besides its own exchanges. */
export interface RunView {
  readonly traffic: Traffic;
  readonly contract: Contract;
  readonly settings: Settings;
  /** By step id; a step that was not sent has none. */
  exchange(step: string): Exchange | undefined;
  /** Times from sending to the end of each proper refusal of this run, in milliseconds, sorted. */
  readonly refusalTimes: readonly number[];
  /** Selections that were made already, by their names. */
  readonly selections?: Map<string, readonly Exchange[]>;
  /** Where a long recording is judged part by part: what a check keeps from one part to the next. */
  readonly carried?: Map<string, unknown>;
}

export interface CheckInput {
  readonly clause: string;
  readonly options: Readonly<Record<string, Json>>;
  /** The case's own exchange, or those of the cases it looks over. Never empty unless the check says so. */
  readonly exchanges: readonly Exchange[];
  /** For a case that expects a refusal: the exchange of its control, if it was sent. */
  readonly control?: Exchange;
  readonly run: RunView;
}

export interface Check {
  /** What it says when it holds, for `wirecheck list checks`. */
  readonly summary: string;
  /** JSON Schema of its options; none are allowed where it is absent. */
  readonly options?: { readonly [name: string]: Json };
  /** True for a check that looks at the run rather than at exchanges. */
  readonly needsNoExchange?: boolean;
  execute(input: CheckInput): CheckResult;
  /** For observations that do not simply add up: those of two parts of a long recording as those of both. */
  combine?(earlier: readonly Observation[], later: readonly Observation[]): readonly Observation[];
}

/** A text among the options of a check. The suite's schema has seen to its type; a check called with another is a bug. */
export function textOption(options: CheckInput['options'], name: string, otherwise?: string): string {
  const value = options[name] ?? otherwise;
  if (typeof value !== 'string') throw new Error(`The option ${name} must be a text.`);
  return value;
}
