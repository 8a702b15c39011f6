/** Answers a call, applying the hooks of all modifiers. */
import { type Answer, type Refusal, type Reply, errorBody, jsonReply, streamReply, withoutBody } from './answer.ts';
import type { Call } from './call.ts';
import { chunksOf, completionOf, compose, eventsOf, tokenBudget } from './composition.ts';
import { type Json, type JsonObject, isObject } from './json.ts';
import { type KeyRole, type Keys, KEY_ROLES, type Model, PERMITTED_MODEL, type RateLimit } from './access.ts';
import type { Modifier } from './modifier.ts';
import { type Promises, withPromisedTypes } from './promises.ts';
import { hash } from '../random.ts';
import { type Policy, ALLOWED, reasonsToRefuse } from './refusals.ts';

/** The state of one gateway, which it shares with no other in the process. */
export interface Deployment {
  readonly modifiers: readonly Modifier[];
  readonly keys: Keys;
  readonly models: readonly Model[];
  readonly eventGapMs: number;
  readonly seed: number;
  readonly rateLimit: RateLimit;
  /** Default: those of v1. */
  readonly promises?: Promises | undefined;
}

export function respond(call: Call, deployment: Deployment): Answer {
  const modifiers = deployment.modifiers.filter(({ only }) => only === undefined || only(call));
  for (const { before } of modifiers) {
    const answer = before?.(call);
    if (answer !== undefined) return answer;
  }
  return finish(withHeaders(usualReply(call, deployment, modifiers), call, deployment), call, modifiers);
}

function usualReply(call: Call, deployment: Deployment, modifiers: readonly Modifier[]): Reply {
  const caller = callerOf(call, deployment.keys, modifiers);
  const refusal = firstRefusal(call, policyOf(caller, deployment), modifiers);
  if (refusal !== undefined) return refused(refusal, call, deployment, modifiers);
  if (call.method === 'OPTIONS') return options(call);
  if (call.endpoint !== 'chat') return listed(call, caller ?? 'full', deployment, modifiers);
  const streams = modifiers.reduce((asked, modifier) => modifier.streams?.(asked, call) ?? asked, call.streamed);
  return streams ? streamed(call, deployment, modifiers) : completed(call, deployment, modifiers);
}

function callerOf(call: Call, keys: Keys, modifiers: readonly Modifier[]): KeyRole | undefined {
  const known = KEY_ROLES.find((role) => keys[role] === call.bearer);
  return modifiers.reduce((caller, { authorize }) => (authorize ? authorize(caller, call, keys) : caller), known);
}

/** Each answer has a value of its own. */
function withHeaders(reply: Reply, call: Call, { promises, seed }: Deployment): Reply {
  const names = promises?.headers ?? [];
  if (names.length === 0) return reply;
  const value = hash(`${seed}:header:${call.number}`).toString(16);
  return { ...reply, headers: { ...reply.headers, ...Object.fromEntries(names.map((name) => [name, value])) } };
}

function policyOf(caller: KeyRole | undefined, { models, rateLimit, promises = {} }: Deployment): Policy {
  return {
    caller,
    promises,
    knows: (model) => models.some(({ id }) => id === model),
    permits: (role, model) => role !== 'restricted' || model === PERMITTED_MODEL,
    spend: (role) => role !== 'limited' || rateLimit.spend(),
  };
}

function firstRefusal(call: Call, policy: Policy, modifiers: readonly Modifier[]): Refusal | undefined {
  for (const reason of reasonsToRefuse(call, policy)) {
    let refusal: Refusal | undefined = reason;
    for (const modifier of modifiers) {
      if (refusal !== undefined && modifier.refusal) refusal = modifier.refusal(refusal, call);
    }
    if (refusal !== undefined) return refusal;
  }
  for (const { refuse } of modifiers) {
    const refusal = refuse?.(call);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function refused(refusal: Refusal, call: Call, deployment: Deployment, modifiers: readonly Modifier[]): Reply {
  const usual = withPromisedTypes(errorBody(refusal), deployment.promises?.types);
  const body = fold(modifiers, usual, ({ error }, value) => error?.(value, refusal, call));
  return jsonReply(refusal.status, body, refusal.headers);
}

function options(call: Call): Reply {
  const allow = call.endpoint === 'other' ? '' : ALLOWED[call.endpoint].join(', ');
  return { ...jsonReply(204, null), headers: { allow }, body: { pieces: [] } };
}

function listed(call: Call, caller: KeyRole, deployment: Deployment, modifiers: readonly Modifier[]): Reply {
  const data = deployment.models.filter(({ id }) => caller !== 'restricted' || id === PERMITTED_MODEL);
  return jsonReply(
    200,
    fold(modifiers, withPromisedTypes({ object: 'list', data }, deployment.promises?.types), ({ list }, value) =>
      list?.(value, call),
    ),
  );
}

function completed(call: Call, deployment: Deployment, modifiers: readonly Modifier[]): Reply {
  const completion = withPromisedTypes(completionOf(composed(call, deployment, modifiers)), deployment.promises?.types);
  return jsonReply(
    200,
    fold(modifiers, completion, (modifier, value) => modifier.completion?.(value, call)),
  );
}

function streamed(call: Call, deployment: Deployment, modifiers: readonly Modifier[]): Reply {
  const reply = composed(call, deployment, modifiers);
  const chunks = modifiers.reduce((made, modifier) => modifier.chunks?.(made, call) ?? made, chunksOf(reply));
  const events = eventsOf(chunks, deployment.eventGapMs);
  return streamReply(modifiers.reduce((made, modifier) => modifier.events?.(made, call) ?? made, events));
}

function composed(call: Call, { seed }: Deployment, modifiers: readonly Modifier[]): ReturnType<typeof compose> {
  const budget = modifiers.reduce(
    (tokens, modifier) => modifier.budget?.(tokens, call) ?? tokens,
    tokenBudget(call.body),
  );
  return modifiers.reduce((reply, modifier) => modifier.reply?.(reply, call) ?? reply, compose(call, seed, budget));
}

/** Applies the modifiers in turn. A value that is no longer an object is not changed any further. */
function fold(
  modifiers: readonly Modifier[],
  first: JsonObject,
  change: (modifier: Modifier, value: JsonObject) => Json | undefined,
): Json {
  return modifiers.reduce<Json>((value, modifier) => {
    if (!isObject(value)) return value;
    const changed = change(modifier, value);
    return changed === undefined ? value : changed;
  }, first);
}

function finish(reply: Reply, call: Call, modifiers: readonly Modifier[]): Answer {
  return modifiers.reduce<Answer>(
    (answer, modifier) => (answer.kind === 'reply' && modifier.answer ? modifier.answer(answer, call) : answer),
    call.method === 'HEAD' ? withoutBody(reply) : reply,
  );
}
