/** The first contact with a target: is it there, does it accept the key, is the base URL right, and which model answers? */
import type { Channel } from '../../exchange/channel/channel.ts';
import { LIST_REQUEST, findUnreachable, modelsToTry } from '../../exchange/channel/first-contact.ts';
import { pauseFor } from '../../exchange/channel/pace.ts';
import type { Ending } from '../../exchange/ending.ts';
import type { Exchange, Failure } from '../../exchange/exchange.ts';
import { type IdParts, type Identity, makeExchangeId } from '../../exchange/identity.ts';
import { isClientError, lastAnswer, timeLimitOf, wasAnswered } from '../../exchange/reading/answered.ts';
import { readJson } from '../../exchange/reading/json-text.ts';
import { isModelMistaken, readModelList, sampleModels } from '../../exchange/reading/model-list.ts';
import { isObject } from '../../json.ts';
import { ANY_MODEL } from '../../plan/bind-request.ts';
import { STEPS } from '../../plan/known-steps.ts';
import type { StepSender } from './step-sender.ts';
import { type Turn } from './step-sender.ts';

/** Requests of no step of the plan. */
function preflight(what: string): Identity {
  const name = `preflight/${what}`;
  return { id: name, step: 'preflight', name };
}

const JSON_BODY = { 'content-type': 'application/json' };

const ROUTE = { endpoint: 'chat', mode: 'plain', method: 'POST', path: '/chat/completions' } as const;
const CHAT = { ...ROUTE, headers: JSON_BODY } as const;

/**
 * Reads the answer to the list, and sends a few more requests if it does not look like this API. All of them are free. Undefined
 * if all can be sent; if the key is refused, steps without a key still can.
 */
export async function runPreflight(list: Exchange, channel: Channel): Promise<Ending | undefined> {
  const unreachable = findUnreachable(list);
  if (unreachable) return (await isChatHeard(unreachable.failure, channel)) ? undefined : unreachable;
  const status = lastAnswer(list)?.status ?? 0;
  return readModelList(list).kind === 'list' || status === 429 ? undefined : concludeWithoutList(status, channel);
}

/** `status`: of the answer to the list, which was no list. */
async function concludeWithoutList(status: number, channel: Channel): Promise<Ending | undefined> {
  const chat = await askChat(channel, 'full');
  const chatStatus = chat && lastAnswer(chat)?.status;
  // Without a chat request, which a limit may forbid, nothing shows that a key is known that gets a 403.
  if (status === 401 || (status === 403 && !chat)) {
    // If chat accepts the key, a list that refuses it is a finding, not a wrong key.
    return (await isKeyChecked(channel, chatStatus)) ? undefined : { kind: 'key-refused', status };
  }
  if (chat && (await isChatRoute(chat, channel))) return undefined;
  const nearby = await findNearby(channel);
  if (nearby !== undefined) return { kind: 'not-this-api', status, nearby };
  const isApi = isRefusedInJson(chat) || (await isKeyChecked(channel, chatStatus));
  return isApi ? undefined : { kind: 'not-this-api', status };
}

/** A list that fails is a finding if chat answers; else there is nothing to judge. */
async function isChatHeard({ kind }: Failure, channel: Channel): Promise<boolean> {
  if (kind === 'refused' || kind === 'unresolved' || kind === 'tls') return false;
  const chat = await askChat(channel, 'full');
  return chat !== undefined && lastAnswer(chat) !== undefined && timeLimitOf(chat) === undefined;
}

/** A completion in answer to it, sent with a key, breaks what the step of the same body is about. */
const EMPTY_OBJECT: IdParts = { step: STEPS.emptyObject, occasion: 'first-contact' };

/** An empty request calls no model, but shows whether the route exists. */
async function askChat(channel: Channel, key: 'full' | 'none'): Promise<Exchange | undefined> {
  const identity = key === 'full' ? { id: makeExchangeId(EMPTY_OBJECT), ...EMPTY_OBJECT } : preflight('chat[none]');
  const request = { ...CHAT, body: '{"max_tokens": 1}', key };
  return channel.ask({ ...identity, seeks: key === 'full' ? 'refusal' : 'unauthorized', once: true, request });
}

/** Chat asks for a key, fails with JSON, or answers differently from a path that does not exist. */
async function isChatRoute(exchange: Exchange, channel: Channel): Promise<boolean> {
  const answer = lastAnswer(exchange);
  if (!answer) return false;
  const { status } = answer;
  if (status === 401 || status === 402 || status === 403 || status === 429) return true;
  if (status === 404 || status === 405 || status === 410) return false;
  if (status >= 500 && isRefusedInJson(exchange)) return true;
  const path = '/wirecheck-no-such-path';
  const request = { ...exchange.request, endpoint: 'other', path, key: 'full', headers: JSON_BODY } as const;
  const elsewhere = await channel.ask({ ...preflight('elsewhere'), seeks: 'any', request });
  return elsewhere !== undefined && lastAnswer(elsewhere)?.status !== status;
}

/** Answers like an API, this one or another. */
function isRefusedInJson(exchange: Exchange | undefined): boolean {
  const answer = exchange && lastAnswer(exchange);
  if (!answer || answer.status < 400 || [404, 405, 410].includes(answer.status)) return false;
  const reading = readJson(answer.body);
  return reading.kind === 'json' && isObject(reading.value);
}

/** A path that accepts the key and asks for a missing one belongs to an API, whatever else is wrong. */
async function isKeyChecked(channel: Channel, withKey: number | undefined): Promise<boolean> {
  if (withKey === undefined || withKey === 401) return false;
  const without = await askChat(channel, 'none');
  return without !== undefined && lastAnswer(without)?.status === 401;
}

/**
 * Whether the answers to the list and to the control mean that the key is refused, so that a valid key has to be given.
 * `control`: the status of the control; undefined if there was no model for it.
 */
export async function findRefusedKey(
  list: Exchange,
  control: number | undefined,
  channel: Channel,
): Promise<Ending | undefined> {
  if (control === 401 && (await isListOpen(list, channel))) return { kind: 'key-refused', status: control };
  if (lastAnswer(list)?.status !== 403) return undefined;
  // Some gateways refuse unknown keys with 403. If only one of the two did, the key is known, and may not do this.
  const chat = control ?? (await askAnyModel(channel));
  return chat === undefined || chat === 403 ? { kind: 'key-refused', status: 403 } : undefined;
}

/** There may be no model to call without a list, but a key that is not known is refused for any model. */
async function askAnyModel(channel: Channel): Promise<number | undefined> {
  const body = JSON.stringify({ model: ANY_MODEL, messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 1 });
  const request = { ...CHAT, body, key: 'full' } as const;
  const exchange = await channel.ask({ id: 'preflight/chat[any-model]', step: 'preflight', seeks: 'any', request });
  return exchange && lastAnswer(exchange)?.status;
}

/** Chat refuses a key that the list accepts. It is the wrong key if the list accepts any key; otherwise chat is at fault. */
async function isListOpen(list: Exchange, channel: Channel): Promise<boolean> {
  if (lastAnswer(list)?.status !== 200) return false;
  const request = { ...LIST_REQUEST, key: 'unknown' } as const;
  const unknown = await channel.ask({ ...preflight('models[unknown]'), seeks: 'any', request });
  return unknown !== undefined && lastAnswer(unknown)?.status === 200;
}

/** Base URLs that people mean if the version segment is wrong, or if they paste the URL of an endpoint. */
export function nearbyAddresses(baseUrl: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const candidates = new Set<string>();
  const add = (path: readonly string[]): void => {
    candidates.add([origin, ...path].join('/'));
  };
  add([...segments, 'v1']);
  for (let length = segments.length - 1; length >= 0; length -= 1) {
    const path = segments.slice(0, length);
    add(path);
    if (path.at(-1) !== 'v1') add([...path, 'v1']);
  }
  candidates.delete(baseUrl);
  return [...candidates].toSorted((a, b) => Number(b.endsWith('/v1')) - Number(a.endsWith('/v1'))).slice(0, 5);
}

async function findNearby(channel: Channel): Promise<string | undefined> {
  for (const [place, address] of nearbyAddresses(channel.baseUrl).entries()) {
    const request = { ...LIST_REQUEST, endpoint: 'other' } as const;
    const identity = { ...preflight(`nearby#${place + 1}`), name: 'preflight/nearby', number: place + 1 };
    const exchange = await channel.askAt(address, { ...identity, seeks: 'any', request });
    if (exchange && readModelList(exchange).kind === 'list') return address;
  }
  return undefined;
}

// Finds the control of a run: the first of a few models that answers a plain chat request.

/** Milliseconds that a run still takes after the control has timed out, and how much of that is for other models. */
const LAST_MINUTE = 50_000;
const OTHER_MODELS = 20_000;

/** Sends a step in its turn. */
type Send = (step: string, turn: Turn) => Promise<Exchange | undefined>;

interface FoundControl {
  /** The status of the last control. */
  readonly status?: number | undefined;
  /** The control timed out, and no other model answered it. */
  readonly hanging?: Ending | undefined;
}

/** Chooses the given model, or the first of a few listed ones that answers the control. */
export async function findControl(list: Exchange, sender: StepSender, send: Send): Promise<FoundControl> {
  const { settings, channel, hooks } = sender.options;
  const reading = readModelList(list);
  const models = reading.kind === 'list' ? reading.models : [];
  sender.bind({ sample: sampleModels(models, settings.modelsSample) });
  if (!sender.step(STEPS.control)) return {};
  channel.ledger.keepOne(sender.isBeforeRefusals('control'));
  const choice = modelsToTry(list, { given: settings.model, unlisted: hooks.unlistedModel });
  const found = await tryModels(choice, sender, send);
  if (sender.control !== undefined) return found;
  if (isModelMistaken(settings.model, models, found.status)) {
    const { model: _, ...rest } = sender.bindings;
    sender.bindings = rest;
  } else if (choice[0] !== undefined) {
    // If none answered, the first one is chosen, since its failure is the most useful to the user.
    sender.bind({ model: choice[0] });
  }
  return found;
}

async function tryModels(choice: readonly string[], sender: StepSender, send: Send): Promise<FoundControl> {
  let status: number | undefined;
  for (const [place, model] of choice.entries()) {
    sender.bind({ model });
    status = await tryControl(turnOf(place), sender, send);
    if (sender.control !== undefined) break;
    const control = sender.channel.exchange(STEPS.control);
    const limit = place === 0 && control ? timeLimitOf(control) : undefined;
    if (limit === undefined) continue;
    const hanging = { kind: 'chat-unanswered', limit } as const;
    return (await tryOthers(choice, hanging, sender, send)) ? { status } : { status, hanging };
  }
  return { status };
}

/** A control may be refused because of max_tokens; then the bare one replaces it. */
async function tryControl(turn: Turn, sender: StepSender, send: Send): Promise<number | undefined> {
  const control = await send(STEPS.control, turn);
  if (!control) return undefined;
  const status = lastAnswer(control)?.status ?? 0;
  if (wasAnswered(control)) sender.control = STEPS.control;
  if (!isClientError(status) || status === 401 || status === 429) return status;
  const bare = await send(STEPS.bareControl, turn);
  if (!bare || !wasAnswered(bare)) return status;
  // The first call of a run may be refused for being the first: only a second refusal is about max_tokens.
  const again = await send(STEPS.control, { occasion: 'second-try', number: turn.number ?? 1 });
  sender.control = again && wasAnswered(again) ? STEPS.control : STEPS.bareControl;
  if (sender.control === STEPS.bareControl) sender.bind({ withoutMaxTokens: true });
  return status;
}

/**
 * Only the first model may hang, so the others are asked, all at once: waiting for each in turn would take too long. True if
 * one answers.
 */
async function tryOthers(choice: readonly string[], ending: Ending, sender: StepSender, send: Send): Promise<boolean> {
  const cancelStop = sender.channel.stopIn(LAST_MINUTE, ending);
  const answers = choice.slice(1).map(async (model, place) => {
    sender.bind({ model });
    const control = await send(STEPS.control, turnOf(place + 1));
    if (!control || !wasAnswered(control)) throw new Error('not answered');
    return model;
  });
  const model = await firstOf(answers, OTHER_MODELS);
  if (model === undefined) return false;
  cancelStop();
  sender.bind({ model });
  sender.control = STEPS.control;
  return true;
}

/** `place`: of the model among those that are tried. */
function turnOf(place: number): Turn {
  return place === 0 ? {} : { occasion: 'other-model', number: place + 1 };
}

/** The first that comes true within this many milliseconds. */
async function firstOf<Value>(promises: readonly Promise<Value>[], most: number): Promise<Value | undefined> {
  const found = new AbortController();
  const late = pauseFor(most, found.signal).then(() => undefined);
  const first = await Promise.race([Promise.any(promises).catch(() => undefined), late]);
  found.abort();
  return first;
}
