/** What a step may cost. A completion is charged for an answered chat request; a refusal is free. */

import { isObject } from '../json.ts';
import type { Settings } from '../settings.ts';
import { isExtraKey } from '../suite/case.ts';
import { writtenNumber } from './bind-request.ts';
import { type Bound, type Cost, MAX_LATE_STREAMS, type RequestBody, type RequestTemplate, type Step } from './plan.ts';

const NOTHING: Cost = { requests: 0, completions: 0, tokens: 0 };

/** Tokens assumed for a reply to a body that is not JSON. Nothing should reply to it. */
const REPLY_TO_NO_JSON = 64;

type Draft = Omit<Step, 'least' | 'most'>;

/** A conforming target charges nothing for it. */
export function mustBeRefused({ seeks }: Pick<Step, 'seeks'>): boolean {
  return seeks === 'refusal' || seeks === 'unauthorized';
}

export function withCost<Of extends Draft>(step: Of, settings: Settings): Of & Pick<Step, 'least' | 'most'> {
  return { ...step, least: leastCost(step), most: mostCost(step, settings) };
}

/** The cost on a conforming target, without retries. */
export function leastCost(step: Draft): Cost {
  if ((step.when && step.when.kind !== 'refused') || step.sampled !== undefined) return NOTHING;
  const charged = step.seeks === 'answer' && step.template.endpoint === 'chat';
  return { requests: 1 + (step.repeat?.more ?? 0), completions: charged ? 1 : 0, tokens: 0 };
}

/**
 * The cost if every retry is used and every chat request is answered with as many tokens as it allows. Tokens of replies
 * to requests without a valid limit are not counted.
 */
export function mostCost(step: Draft, settings: Settings): Cost {
  const times = step.when?.kind === 'looksFake' ? 2 * MAX_LATE_STREAMS + 1 : countRepetitions(step.repeat);
  const charged = step.template.endpoint === 'chat' && step.template.body ? times : 0;
  return {
    requests: times * (step.seeks === 'any' && !isExtraKey(step.template.key) ? 1 : settings.retries + 1),
    completions: charged,
    tokens: charged * TOKENS[step.bound](step.template, settings),
  };
}

/** The usual cost: on a target that answers whatever it may answer, without retries. */
export function usualCost(step: Step): Cost {
  if (step.when && step.when.kind !== 'refused') return NOTHING;
  // The least has nothing of the models of a sample.
  const requests = step.least.requests || (step.samples ?? 1);
  const isCharged = step.most.completions > 0 && !mustBeRefused(step);
  const completions = isCharged ? requests - (step.repeat?.more ?? 0) : 0;
  return { requests, completions, tokens: completions * tokensOfReply(step) };
}

/** The longest reply. */
export function tokensOfReply({ most }: Pick<Step, 'most'>): number {
  return most.completions === 0 ? 0 : most.tokens / most.completions;
}

/** Characters of a token, and tokens of a chat template: about, since every tokenizer counts otherwise. */
const PER_TOKEN = 4;
const TEMPLATE = 8;

/** About so many. Text outside the messages is no part of the prompt. */
export function promptTokensOf({ body, filler }: RequestTemplate): number {
  const messages = body?.kind === 'json' && isObject(body.value) ? JSON.stringify(body.value['messages'] ?? '') : '';
  const { kind, count } = (messages.includes('${filler}') && filler) || { kind: 'words', count: 0 };
  return TEMPLATE + Math.ceil(messages.length / PER_TOKEN) + (kind === 'words' ? count : Math.ceil(count / PER_TOKEN));
}

/** The most that may be sent. */
export function countRepetitions(repeat: Step['repeat']): number {
  return repeat ? repeat.most + (repeat.more ?? 0) : 1;
}

const TOKENS: Record<Bound, (template: RequestTemplate, settings: Settings) => number> = {
  'max-tokens': (template, settings) => maxTokensOf(template, settings) ?? REPLY_TO_NO_JSON,
  'first-text': () => 1,
  time: (template, settings) => maxTokensOf(template, settings) ?? 0,
  nothing: () => 0,
};

/** Undefined if the request sets no valid limit. */
function maxTokensOf({ body }: RequestTemplate, settings: Settings): number | undefined {
  const limit = tokenLimitOf(body);
  if (limit === 'none' || limit === 'invalid') return undefined;
  return typeof limit === 'number' ? limit : settings[limit];
}

export function sumCosts(costs: readonly Cost[]): Cost {
  const sum = (part: keyof Cost): number => costs.reduce((total, cost) => total + cost[part], 0);
  return { requests: sum('requests'), completions: sum('completions'), tokens: sum('tokens') };
}

// The `max_tokens` of a request.

/**
 * A number, or the setting that has it. `none` also for `null`; `invalid` if it is no whole number from 1. A number below the
 * minimum of a profile, or above what a model allows, is a limit: whoever answers it nevertheless stops there.
 */
type TokenLimit = number | keyof Pick<Settings, 'replyTokens' | 'streamTokens'> | 'none' | 'invalid';

const OF_SETTINGS: ReadonlyMap<unknown, TokenLimit> = new Map([
  ['${replyTokens}', 'replyTokens'],
  ['${briefTokens}', 'replyTokens'],
  ['${fewTokens}', 'replyTokens'],
  ['${streamTokens}', 'streamTokens'],
]);

export function tokenLimitOf(body: RequestBody | undefined): TokenLimit {
  const asked = body?.kind === 'json' && isObject(body.value) ? (body.value['max_tokens'] ?? null) : null;
  if (asked === null) return 'none';
  const number = writtenNumber(asked);
  return OF_SETTINGS.get(asked) ?? (Number.isInteger(number) && number >= 1 ? number : 'invalid');
}
