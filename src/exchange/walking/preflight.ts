/** The first look at a target: is it there, does it take the key, is this the right address? */
import { isObject } from '../../json.ts';
import { lastAnswer } from '../reading/answered.ts';
import type { Asker, Question } from '../attempts/asker.ts';
import { readModelList } from './choose-model.ts';
import type { Exchange } from '../exchange.ts';
import { readJson } from '../reading/json-text.ts';
import type { Ending } from '../ending.ts';
import type { BoundRequest } from '../traffic.ts';

/** What the list told. */
export type Preflight =
  | { readonly kind: 'go' }
  /** The key does not work anywhere: only what needs no key can still be asked. */
  | { readonly kind: 'key-refused'; readonly ending: Ending }
  | { readonly kind: 'end'; readonly ending: Ending };

export interface PreflightContext {
  readonly asker: Asker;
  readonly baseUrl: string;
  /** Asks at another base URL of the same origin. */
  askAt(baseUrl: string, question: Question): Promise<Exchange | undefined>;
}

const GO: Preflight = { kind: 'go' };

/** The list, at whatever address. */
const LIST: BoundRequest = {
  endpoint: 'other',
  mode: 'plain',
  method: 'GET',
  path: '/models',
  headers: {},
  key: 'full',
};

const JSON_BODY = { 'content-type': 'application/json' };

/** Reads the answer to the list; asks a little more where it does not look like this API. All of it is free. */
export async function lookAround(list: Exchange, context: PreflightContext): Promise<Preflight> {
  const outcome = list.attempts.at(-1)?.outcome;
  if (outcome?.kind === 'none') {
    const { failure } = outcome;
    const isThere = failure.kind !== 'refused' && failure.kind !== 'unresolved' && failure.kind !== 'tls';
    const chat = isThere ? await askChat(context, 'full') : undefined;
    return chat && lastAnswer(chat) ? GO : { kind: 'end', ending: { kind: 'unreachable', failure } };
  }
  const status = lastAnswer(list)?.status ?? 0;
  if (readModelList(list).kind === 'list') return GO;
  if (status === 429) return GO;
  const chat = await askChat(context, 'full');
  const chatStatus = chat && lastAnswer(chat)?.status;
  if (status === 401) {
    // A list that refuses a key which chat takes is a finding, not a wrong key.
    const isTaken = await keyIsChecked(context, chatStatus);
    return isTaken ? GO : { kind: 'key-refused', ending: { kind: 'key-refused', status } };
  }
  if (chat && (await isChatRoute(chat, context))) return GO;
  const nearby = await findNearby(context);
  if (nearby === undefined && (isRefusedInJson(chat) || (await keyIsChecked(context, chatStatus)))) return GO;
  return { kind: 'end', ending: { kind: 'not-this-api', status, ...(nearby !== undefined && { nearby }) } };
}

/** An empty request: no model is called, yet the route shows itself. */
async function askChat({ asker }: PreflightContext, key: 'full' | 'none'): Promise<Exchange | undefined> {
  return asker.ask({
    id: `preflight/chat[${key}]`,
    step: 'preflight',
    seeks: 'any',
    request: {
      endpoint: 'chat',
      mode: 'plain',
      method: 'POST',
      path: '/chat/completions',
      headers: JSON_BODY,
      body: '{}',
      key,
    },
  });
}

/** A key that is asked for, a breakdown told in JSON, or whatever else a path that does not exist does not get. */
async function isChatRoute(exchange: Exchange, context: PreflightContext): Promise<boolean> {
  const answer = lastAnswer(exchange);
  if (!answer) return false;
  const { status } = answer;
  if (status === 401 || status === 402 || status === 403 || status === 429) return true;
  if (status === 404 || status === 405 || status === 410) return false;
  if (status >= 500 && isRefusedInJson(exchange)) return true;
  const elsewhere = await context.asker.ask({
    id: 'preflight/elsewhere',
    step: 'preflight',
    seeks: 'any',
    request: { ...exchange.request, endpoint: 'other', path: '/wirecheck-no-such-path', headers: JSON_BODY },
  });
  return elsewhere !== undefined && lastAnswer(elsewhere)?.status !== status;
}

/** Answers as an API does, be it this one or not. */
function isRefusedInJson(exchange: Exchange | undefined): boolean {
  const answer = exchange && lastAnswer(exchange);
  if (!answer || answer.status < 400 || [404, 405, 410].includes(answer.status)) return false;
  const reading = readJson(answer.body);
  return reading.kind === 'json' && isObject(reading.value);
}

/** A path that takes the key and asks for it when it is missing belongs to an API, whatever else is wrong there. */
async function keyIsChecked(context: PreflightContext, withKey: number | undefined): Promise<boolean> {
  if (withKey === undefined || withKey === 401) return false;
  const without = await askChat(context, 'none');
  return without !== undefined && lastAnswer(without)?.status === 401;
}

/** Chat refuses a key that the list takes: it is the wrong key if the list takes any, and else a fault of chat. */
export async function listIsOpen(list: Exchange, { asker }: PreflightContext): Promise<boolean> {
  if (lastAnswer(list)?.status !== 200) return false;
  const id = 'preflight/models[unknown]';
  const unknown = await asker.ask({
    id,
    step: 'preflight',
    seeks: 'any',
    request: { ...LIST, endpoint: 'models', key: 'unknown' },
  });
  return unknown !== undefined && lastAnswer(unknown)?.status === 200;
}

/** Addresses that people mean when they get the version segment wrong, or paste that of an endpoint. */
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

async function findNearby(context: PreflightContext): Promise<string | undefined> {
  for (const [place, address] of nearbyAddresses(context.baseUrl).entries()) {
    const question: Question = { id: `preflight/nearby#${place + 1}`, step: 'preflight', seeks: 'any', request: LIST };
    const exchange = await context.askAt(address, question);
    if (exchange && readModelList(exchange).kind === 'list') return address;
  }
  return undefined;
}
