/** Answers a call, applying the hooks of all modifiers. */
import { type Answer, type Refusal, type Reply, errorBody, jsonReply, streamReply, withoutBody } from './answer.ts';
import type { Call } from './call.ts';
import { isChat, isModels, isPlain, isStream } from './call-tests.ts';
import { eachEvent } from './change.ts';
import { chunksOf, completionOf, compose, type Composition, eventsOf, tokenBudget, withUsage } from './composition.ts';
import { type Json, type JsonObject, isObject } from './json.ts';
import { type KeyRole, type Keys, KEY_ROLES, type Model, PERMITTED_MODEL, type RateLimit } from './access.ts';
import type { Modifier } from './modifier.ts';
import { type Promises, withPromisedTypes } from './promises.ts';
import { hash } from '../random.ts';
import { type Policy, ALLOWED, reasonsToRefuse, unsupported } from './refusals.ts';

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

export function respond(call: Call, { modifiers: all, ...others }: Deployment): Answer {
  const modifiers = all.filter(({ only }) => only?.(call) ?? true);
  for (const { before } of modifiers) {
    const answer = before?.(call);
    if (answer !== undefined) return answer;
  }
  const deployment = { ...others, modifiers };
  return finish(withHeaders(usualReply(call, deployment), call, deployment), call, modifiers);
}

function usualReply(call: Call, deployment: Deployment): Reply {
  const { modifiers } = deployment;
  const caller = callerOf(call, deployment);
  const refusal = firstRefusal(call, policyOf(caller, deployment), modifiers);
  if (refusal !== undefined) return refused(refusal, call, deployment);
  if (call.method === 'OPTIONS') return options(call);
  if (call.endpoint !== 'chat') return listed(call, caller ?? 'full', deployment);
  const streams = through(modifiers, call.streamed, (modifier, asked) => modifier.streams?.(asked, call));
  return streams ? streamed(call, deployment) : completed(call, deployment);
}

function callerOf(call: Call, { keys, modifiers }: Deployment): KeyRole | undefined {
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
    const refusal = modifiers.reduce<Refusal | undefined>(
      (left, modifier) => (left && modifier.refusal ? modifier.refusal(left, call) : left),
      reason,
    );
    if (refusal !== undefined) return refusal;
  }
  for (const { refuse } of modifiers) {
    const refusal = refuse?.(call) ?? false;
    if (refusal !== false) return refusal === true ? unsupported() : refusal;
  }
  return undefined;
}

function refused(refusal: Refusal, call: Call, deployment: Deployment): Reply {
  const body = throughObject(deployment, errorBody(refusal), ({ error }, value) => error?.(value, refusal, call));
  return jsonReply(refusal.status, body, refusal.headers);
}

function options(call: Call): Reply {
  const allow = call.endpoint === 'other' ? '' : ALLOWED[call.endpoint].join(', ');
  return { ...jsonReply(204, null), headers: { allow }, body: { pieces: [] } };
}

function listed(call: Call, caller: KeyRole, deployment: Deployment): Reply {
  const data = deployment.models.filter(({ id }) => caller !== 'restricted' || id === PERMITTED_MODEL);
  const usual = { object: 'list', data };
  const body = throughObject(deployment, usual, ({ list }, value) => list?.(value, call));
  return jsonReply(200, body);
}

function completed(call: Call, deployment: Deployment): Reply {
  const usual = completionOf(composed(call, deployment));
  const body = throughObject(deployment, usual, ({ completion }, value) => completion?.(value, call));
  return jsonReply(200, body);
}

function streamed(call: Call, deployment: Deployment): Reply {
  const { modifiers, eventGapMs } = deployment;
  const reply = composed(call, deployment);
  const chunks = through(modifiers, chunksOf(reply), ({ chunks: change, chunk: changeOne }, usual) => {
    const changed = change?.(usual, call) ?? usual;
    return changeOne ? changed.map((chunk, at) => changeOne(chunk, at, at - changed.length)) : changed;
  });
  const events = through(modifiers, eventsOf(withUsage(chunks, reply, call), eventGapMs), (modifier, usual) => {
    const changed = modifier.events?.(usual, call) ?? usual;
    return modifier.event ? eachEvent(modifier.event)(changed) : changed;
  });
  return streamReply(events);
}

function composed(call: Call, { seed, modifiers }: Deployment): Composition {
  const budget = through(modifiers, tokenBudget(call.body), (modifier, tokens) => modifier.budget?.(tokens, call));
  const usual = compose(call, seed, budget);
  return through(modifiers, usual, (modifier, reply) => ({ ...reply, ...modifier.reply?.(reply, call) }));
}

/** Applies the modifiers in turn. */
function through<Value>(
  modifiers: readonly Modifier[],
  first: Value,
  change: (modifier: Modifier, value: Value) => Value | undefined,
): Value {
  return modifiers.reduce((value, modifier) => {
    const changed = change(modifier, value);
    return changed === undefined ? value : changed;
  }, first);
}

/** The types of the promises come first. A value that is no longer an object is not changed any further. */
function throughObject(
  { modifiers, promises }: Deployment,
  usual: JsonObject,
  change: (modifier: Modifier, value: JsonObject) => Json | undefined,
): Json {
  return through<Json>(modifiers, withPromisedTypes(usual, promises?.types), (modifier, value) =>
    isObject(value) ? change(modifier, value) : value,
  );
}

/** Hooks for some answers with status 200. The first of them that fits the call is used. */
const SUCCESS_HOOKS = [
  ['onChat', isChat],
  ['onPlain', isPlain],
  ['onStream', isStream],
  ['onModels', isModels],
] as const;

function finish(reply: Reply, call: Call, modifiers: readonly Modifier[]): Answer {
  const usual = call.method === 'HEAD' ? withoutBody(reply) : reply;
  return through<Answer>(modifiers, usual, (modifier, before) => {
    const answer = before.kind === 'reply' && modifier.answer ? modifier.answer(before, call) : before;
    const hook = SUCCESS_HOOKS.find(([name, test]) => modifier[name] && test(call))?.[0];
    return hook && answer.kind === 'reply' && answer.status === 200 ? modifier[hook]?.(answer, call) : answer;
  });
}
