/** Loads the base requests from `suites/requests.yaml`, by name. */

import type { Contract, Range, RequestRules } from '../contract/contract.ts';
import { checkFile } from '../contract/file-schema.ts';
import { loadContract } from '../contract/load-contract.ts';
import { readPackageFile } from '../contract/package-files.ts';
import { parseYaml, placeOf, type YamlDocument } from '../contract/yaml/yaml-document.ts';
import { isObject, type Json, type JsonObject, parseJson, pointerTokens } from '../json.ts';
import { UsageError } from '../usage-error.ts';
import type { BaseRequest } from './case.ts';
import type { RequestFile } from './suite-file.ts';

export type BaseRequests = ReadonlyMap<string, BaseRequest>;

const FILE = 'suites/requests.yaml';

const CHAT = '/chat/completions';

const loaded = new WeakMap<Contract, BaseRequests>();

/** The base requests, with everything that the contract requires. */
export function loadRequests(contract: Contract = loadContract()): BaseRequests {
  const known =
    loaded.get(contract) ?? completeRequests(readRequests(parseYaml(readPackageFile(FILE), FILE)), contract);
  loaded.set(contract, known);
  return known;
}

function completeRequests(requests: BaseRequests, { rules }: Contract): BaseRequests {
  return new Map(
    [...requests].map(([name, request]) => {
      const { path, body } = request;
      return [name, path === CHAT && isObject(body) ? { ...request, body: completeRequest(body, rules) } : request];
    }),
  );
}

export function readRequests(document: YamlDocument): BaseRequests {
  checkFile('requests', document);
  const entries = Object.entries(document.value as RequestFile);
  const mixed = entries.find(([, { body, raw }]) => body !== undefined && raw !== undefined);
  if (mixed) throw new UsageError('raw must be left out if body is given.', placeOf(document, mixed[0], 'raw'));
  return new Map(entries.map(([name, { headers = {}, ...entry }]) => [name, { name, headers, ...entry }]));
}

// Adds to a chat request what the contract requires of every one, and what is sent along.

/** The usual request asks for so few tokens that a larger minimum would refuse it. */
const BRIEF = '${briefTokens}';

/** `tokens`: the usual max_tokens. */
export function completeRequest(
  body: JsonObject,
  { required, limits, added }: RequestRules,
  tokens: Json = '${replyTokens}',
): JsonObject {
  const missing = required.filter((field) => !Object.hasOwn(body, field));
  const whole: JsonObject = {
    ...body,
    ...Object.fromEntries(missing.map((field) => [field, field === 'max_tokens' ? tokens : usualValue(field, limits)])),
  };
  const { max_tokens: most } = whole;
  const asked = most === undefined ? whole : { ...whole, max_tokens: fitBrief(most, limits) };
  return Object.entries(added).reduce(
    (made, [pointer, value]) => withValue(made, pointerTokens(pointer), value) as JsonObject,
    asked,
  );
}

/** The value as it is, but for a brief reply that would be shorter than the least. */
export function fitBrief(value: Json, limits: RequestRules['limits']): Json {
  const least = limits['max_tokens']?.minimum ?? 1;
  return value === BRIEF && least > 1 ? least : value;
}

function usualValue(field: string, limits: RequestRules['limits']): Json {
  if (field === 'stream') return false;
  return nearest(1, limits[field]);
}

/** Within both limits. */
export function nearest(value: number, { minimum = -Infinity, maximum = Infinity }: Range = {}): number {
  return Math.min(Math.max(value, minimum), maximum);
}

/** The text of a request that is to be answered: complete, and with every parameter within its limits. */
export function fitRequest(text: string, rules: RequestRules, tokens: number): string {
  const body = parseJson(text);
  if (!isObject(body)) return text;
  const fitting = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'number' ? nearest(value, rules.limits[name]) : value,
  ]);
  return JSON.stringify(
    completeRequest(Object.fromEntries(fitting), rules, nearest(tokens, rules.limits['max_tokens'])),
  );
}

/** Objects on the way are made. */
function withValue(document: Json | undefined, tokens: readonly string[], value: Json): Json {
  const [first, ...rest] = tokens;
  if (first === undefined) return value;
  const here = isObject(document) ? document : {};
  return { ...here, [first]: withValue(Object.hasOwn(here, first) ? here[first] : undefined, rest, value) };
}
