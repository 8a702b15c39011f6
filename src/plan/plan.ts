/** What a run will send, as a graph. Pure data: it holds key roles, never keys, and nothing of it depends on the target. */
import type { Json } from '../json.ts';
import type { Case, KeyUse, Prerequisite } from '../suite/case.ts';

/** In this order; a wave starts when the one before it has ended. `credential` goes one request at a time. */
export const WAVES = ['list', 'control', 'positive', 'edit', 'malformed', 'credential', 'closing'] as const;
export type Wave = (typeof WAVES)[number];

export type Endpoint = 'models' | 'chat' | 'other';
export type Mode = 'plain' | 'stream';

/**
 * What counts as an outcome of the step, so that it is not tried again:
 * `answer` a 200; `refusal` a refusal of the edit, or a 200, which is wrong; `either` a refusal of the edit or a 200;
 * `unauthorized` a 401, or a 200, which is wrong; `any` whatever comes, at once, except that an extra key is not used up
 * by a 5xx.
 */
export type Seeks = 'answer' | 'refusal' | 'either' | 'unauthorized' | 'any';

export type Condition =
  /** `answered` and its opposite are about a 200 that can be read; a step that was not sent is neither. */
  | { readonly kind: 'answered' | 'unanswered' | 'looksFake'; readonly step: string }
  /** The step ended with this status. */
  | { readonly kind: 'status'; readonly step: string; readonly status: number };

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
  /** `null` takes a header away that would be sent otherwise. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body?: RequestBody;
  readonly key: KeyUse;
}

export interface Cost {
  readonly requests: number;
  readonly completions: number;
  readonly tokens: number;
}

export interface Step {
  readonly id: string;
  readonly wave: Wave;
  readonly template: RequestTemplate;
  readonly seeks: Seeks;
  /** Step that has to be answered for a refusal to prove anything. */
  readonly control?: string;
  /** Sent only if this holds when its turn comes. */
  readonly when?: Condition;
  /** Steps of the same wave that have to be over first. */
  readonly needs: readonly string[];
  /** The model to call, as a place in the sample of listed models, in place of the chosen one. */
  readonly sampled?: number;
  readonly repeat?: { readonly until: number; readonly most: number };
  readonly least: Cost;
  readonly most: Cost;
}

/** A case that will not be asked, and why. */
export interface Omission {
  readonly case: string;
  readonly reason: string;
  /** The settings that would enable it. */
  readonly needs: readonly Prerequisite[];
}

export interface Plan {
  readonly cases: readonly Case[];
  /** In the order in which they may be sent. */
  readonly steps: readonly Step[];
  /** Case id → the steps whose exchange may answer it, the preferred one first. */
  readonly stepsOf: Readonly<Record<string, readonly string[]>>;
  readonly omissions: readonly Omission[];
  readonly least: Cost;
  readonly most: Cost;
}

/** Values that are known only while the run goes on. */
export interface Bindings {
  readonly model?: string;
  /** A sample of the listed models. */
  readonly sample: readonly string[];
  readonly forbiddenModel?: string;
  /** First model in the list of the restricted key. */
  readonly restrictedModel?: string;
  readonly replyTokens: number;
  readonly streamTokens: number;
  /** 1, or as many as `replyTokens` where 1 is refused. */
  readonly briefTokens: number;
  /** True where the target answers only without `max_tokens`: it is then left out of every request that does not test it. */
  readonly withoutMaxTokens: boolean;
}
