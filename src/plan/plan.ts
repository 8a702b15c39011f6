/** What a run will send, as a graph of plain data. It holds key roles, never keys, and does not depend on the target. */

import type { Json } from '../json.ts';
import type { Count } from '../scalars.ts';
import type { Wave } from './known-steps.ts';
import type { Case, Edit, KeyUse, Pointless, Prerequisite, Spelling } from '../suite/case.ts';

export type Endpoint = 'models' | 'chat' | 'other';
export type Mode = 'plain' | 'stream';

/**
 * Which outcomes are final, so that the step is not retried:
 * `answer` a 200; `refusal` a refusal of the edit, or a 200, which is wrong; `either` a refusal of the edit or a 200;
 * `unauthorized` a 401, or a 200, which is wrong; `any` every outcome, except that a 5xx to an extra key is retried.
 */
export type SoughtAnswer = 'answer' | 'refusal' | 'either' | 'unauthorized' | 'any';

/**
 * What limits the tokens of a reply: `max-tokens` the request itself; `first-text` the checker, which stops reading there;
 * `time` the checker, which soon stops waiting; `nothing` if the model decides.
 */
export type Bound = 'max-tokens' | 'first-text' | 'time' | 'nothing';

/** How often a stream is sent again because the checker was too late to time it. Two that were timed decide. */
export const MAX_LATE_STREAMS = 3;

export type Condition =
  /**
   * `answered` means a readable 200. A step that was not sent is neither answered nor unanswered. `looksFake` includes a
   * stream that could not be timed.
   */
  | { readonly kind: 'answered' | 'unanswered' | 'looksFake'; readonly step: string }
  /**
   * `refused`: sent, and not answered, as a conforming target does. `unrefused`: sent, and without a 4xx. `taken`: refused,
   * but not for its size.
   */
  | { readonly kind: 'refused' | 'unrefused' | 'taken'; readonly step: string }
  /** A page in a browser may read an answer of the run so far: the list or another one. */
  | { readonly kind: 'readable'; readonly step: string }
  /** The step ended with one of these statuses. */
  | { readonly kind: 'status'; readonly step: string; readonly statuses: readonly number[] };

/** Text that takes the place of `${filler}` in a body when it is sent. */
export interface Filler {
  readonly kind: 'letters' | 'words';
  readonly count: Count;
}

/** A request before or after a pause in which nothing else is sent (`--patient`). */
export interface Idle {
  /** Milliseconds. */
  readonly pause: Count;
  /** `opening`: opens a connection before the pause; `kept`: on that connection, after it; `new`: on a new one, after it. */
  readonly on: 'opening' | 'kept' | 'new';
  /** Name of the connection that is kept. */
  readonly connection?: string;
}

export type RequestBody =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'raw'; readonly text: string };

export interface RequestTemplate {
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly method: string;
  /** Below the base URL, with its leading slash. */
  readonly path: string;
  readonly query?: string;
  /** `null` removes a header that is sent by default. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body?: RequestBody;
  readonly filler?: Filler;
  readonly idle?: Idle;
  /** Absent for the usual spelling. */
  readonly spellings?: readonly Spelling[];
  readonly key: KeyUse;
}

export interface Cost {
  readonly requests: Count;
  readonly completions: Count;
  readonly tokens: Count;
}

export interface Step {
  readonly id: string;
  /** The case or base request that it sends, if several steps do. Default: the id. */
  readonly name?: string;
  readonly wave: Wave;
  readonly template: RequestTemplate;
  /** The edits of a base request that made the template. */
  readonly edits?: readonly Edit[];
  readonly seeks: SoughtAnswer;
  /** The step that has to be answered for a refusal of this one to prove anything. */
  readonly control?: string;
  /** Neither a refusal nor an answer shows anything if the control was refused. */
  readonly needsControl?: true;
  /** Sent only if this holds when the step is due. */
  readonly when?: Condition;
  /** Steps of the same wave that have to finish first. */
  readonly needs: readonly string[];
  /** Index in the sample of listed models: this model is called instead of the chosen one. */
  readonly sampled?: number;
  /** `more`: how often it is sent again once it got this status. Default: 0. */
  readonly repeat?: { readonly until: number; readonly most: number; readonly more?: number };
  /** How often it is sent, once a round, so that a rare fault shows. Default: 1. */
  readonly samples?: number;
  /** The first round that sends it. Default: 1. */
  readonly firstRound?: number;
  /** A step that takes the place of this one after the first round, until it is refused. */
  readonly packedIn?: string;
  readonly bound: Bound;
  readonly least: Cost;
  readonly most: Cost;
}

/** Why a case is not sent: a setting is missing, or the recorded run did not send it. */
export type OmissionReason =
  | Pointless
  | { readonly kind: 'needs'; readonly settings: readonly Prerequisite[] }
  /** `asked-otherwise`: the contract of the recorded run asked for another request, or for none. */
  | { readonly kind: 'not-recorded' | 'asked-otherwise' };

export interface Omission {
  readonly case: string;
  readonly reason: OmissionReason;
}

export interface Plan {
  readonly cases: readonly Case[];
  /** Those of them that were not chosen, and judge only what the chosen ones send. */
  readonly partial: readonly string[];
  /** Steps in the order in which they may be sent. */
  readonly steps: readonly Step[];
  /** Case id → the steps whose exchange may answer it, the preferred one first. */
  readonly stepsOf: Readonly<Record<string, readonly string[]>>;
  readonly omissions: readonly Omission[];
  readonly least: Cost;
  readonly most: Cost;
}

/** Values that are known only during the run. */
export interface Bindings {
  readonly model?: string;
  /** A sample of the listed models. */
  readonly sample: readonly string[];
  readonly forbiddenModel?: string;
  /** First model in the list of the restricted key that answers. */
  readonly restrictedModel?: string;
  readonly replyTokens: number;
  /** The tokens of a stream: as many as `replyTokens` if more are refused. */
  readonly streamTokens: number;
  /** 1, or `replyTokens` if 1 is refused. */
  readonly briefTokens: number;
  /** The target answers only without `max_tokens`, so requests that do not test it leave it out. */
  readonly withoutMaxTokens: boolean;
  /** The target refuses a stream with `Accept: application/json`, so streams ask for an event stream. */
  readonly acceptsOnlyStreams?: boolean;
}

/** What planning has to know of a check. Each check says it of itself. */
export interface CheckTraits {
  /** What a request that edits a control has to get. Absent: any outcome counts. */
  readonly seeks?: 'refusal' | 'unauthorized';
  /** A completion is a finding, even if the control was not answered. */
  readonly isBrokenByAnswer?: true;
  /** Other edits of the request change neither whether it holds nor what it looks at. */
  readonly isIndependentOfEdits?: true;
  /** Whether it holds may depend on what is refused, but hardly on the value that was sent. */
  readonly judgesEachRefusal?: true;
}

/** The keys are the names that suites use. */
export type TraitsOfChecks = Readonly<Record<string, CheckTraits>>;

// How many answers it takes to see a rare fault.

/** The chance of missing a fault that shows in one answer of N. */
const MISSED = 0.05;

/** 1 for 1/1, 8 for 1/3, 29 for 1/10. */
export function countAnswersNeeded(oneIn: number): number {
  return oneIn <= 1 ? 1 : Math.ceil(Math.log(MISSED) / Math.log(1 - 1 / oneIn));
}

/** The smallest share of faulty answers of which one would have been seen, with 95 % confidence. */
export function smallestRate(answers: number): number {
  return 1 - MISSED ** (1 / answers);
}
