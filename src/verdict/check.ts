/** A check: a small pure function from exchanges to a result. Levels are applied in `judge-cases.ts`. */

import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { Json } from '../json.ts';
import type { CheckTraits, Mode } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import type { Observation } from './observation.ts';
import type { CheckResult } from './verdict.ts';

/** The run, for checks that need more than their own exchanges. */
export interface RunView {
  readonly traffic: Traffic;
  readonly contract: Contract;
  readonly settings: Settings;
  /** The exchange of a step id; undefined for a step that was not sent. */
  exchange(step: string): Exchange | undefined;
  /** 1 without `--detect`. */
  readonly lastRound: number;
  /** Those of a later round, in the order of sending. */
  exchangesIn(round: number): readonly Exchange[];
  /** The first answered exchange of a step in a later round. */
  answeredLater(step: string): Exchange | undefined;
  /** Ids of exchanges with an invalid key that the target refused without looking at the key. */
  readonly blocked: ReadonlySet<string>;
  /** Times from sending to the end of each proper refusal of this run, in milliseconds, sorted. */
  readonly refusalTimes: readonly number[];
  /** Cache of selections, by name. */
  readonly selections?: Map<string, readonly Exchange[]>;
  /** State that a check carries from one part of a long recording to the next. */
  readonly carried?: Map<string, unknown>;
}

export interface CheckInput {
  readonly clause: string;
  readonly options: Readonly<Record<string, Json>>;
  /** The case's own exchange, or those of the cases it looks over. Never empty unless the check says so. */
  readonly exchanges: readonly Exchange[];
  /** The exchange of the control of a case that expects a refusal, if it was sent. */
  readonly control?: Exchange;
  /**
   * No expectation of this run, such as those of `chat/every-reply`, judges whether the body of a 200 is whole:
   * `answered` does.
   */
  readonly isBodyUnjudged?: boolean;
  readonly run: RunView;
}

/** What every check has. `Input` is the evidence on which it judges its subject. */
export interface CheckOf<Input extends readonly unknown[]> {
  /** The behaviour it checks, for `wirecheck list checks`. */
  readonly summary: string;
  /** JSON Schema of its options; none are allowed where it is absent. */
  readonly options?: { readonly [name: string]: Json };
  execute(...input: Input): CheckResult;
}

/** A check of a gateway. */
export interface Check extends CheckOf<[input: CheckInput]>, CheckTraits {
  /** Names of the options that it cannot do without. */
  readonly requires?: readonly string[];
  /** True for a check that looks at the run rather than at exchanges. */
  readonly needsNoExchange?: boolean;
  /** It expects an answer to a valid request. */
  readonly expectsAnswer?: true;
  /** Its findings in a valid request are refusals. */
  readonly findsRefusals?: true;
  /** A replaced answer that was cut off is no evidence for it, like a 5xx that went away. */
  readonly ignoresCutAnswers?: true;
  /** The mode of requests whose answers it judges as a whole. */
  readonly judgesWholeBodies?: Mode;
  /** A finding of this check means that there is no stream at all. */
  readonly findsLostStream?: true;
  /** A finding of this check means that a stream lacks its end marker. */
  readonly findsLostEndMarker?: true;
  /** What it observes are fields that the target adds to answers. */
  readonly observesUnknownFields?: true;
  /** It judges a body itself if no other check of the run does. */
  readonly asksWhetherBodiesAreJudged?: true;
  /** Combines the observations of two parts of a long recording, if a plain union would be wrong. */
  combine?(earlier: readonly Observation[], later: readonly Observation[]): readonly Observation[];
}

/** Names of checks that users bring have a slash, and ours have none. */
export function isOwnCheck(name: string): boolean {
  return name.includes('/');
}

/** The keys are the names that suites use. */
export type Checks = Readonly<Record<string, Check>>;

/** What a report has to know of the checks of any subject. */
export type ReportedChecks = Readonly<
  Record<string, Pick<Check, 'summary' | 'expectsAnswer' | 'observesUnknownFields'>>
>;

/** A string option. The suite's schema has checked the type, so any other type is a bug. */
export function textOption(options: CheckInput['options'], name: string, otherwise?: string): string {
  const value = options[name] ?? otherwise;
  if (typeof value !== 'string') throw new Error(`The option ${name} must be a text.`);
  return value;
}
