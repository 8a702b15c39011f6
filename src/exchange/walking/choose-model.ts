/** Which models a run calls, from the list that the target gave. */
import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '../../json.ts';
import { lastAnswer } from '../reading/answered.ts';
import type { Exchange } from '../exchange.ts';
import { readJson } from '../reading/json-text.ts';
import type { Ending } from '../ending.ts';

/** A list has no bound of its own. */
const MOST_MODELS = 100_000;
/** Characters. Every request repeats the id of its model, so one with a longer id is never called. */
const LONGEST_ID = 1_000;
/** A secret stood in the id and was blanked, so nobody knows this model by what is left. */
const BLANKED = /\*{8}/;

export type ModelList =
  | { readonly kind: 'list'; readonly models: readonly ListedModel[] }
  /** Not a 200, not JSON, or nothing in it that could be a list. */
  | { readonly kind: 'unreadable' };

export interface ListedModel {
  readonly id: string;
  readonly deprecated: boolean;
}

export function readModelList(exchange: Exchange): ModelList {
  const answer = lastAnswer(exchange);
  if (answer?.status !== 200) return { kind: 'unreadable' };
  const reading = readJson(answer.body);
  const data = reading.kind === 'json' && isObject(reading.value) ? reading.value['data'] : undefined;
  if (!Array.isArray(data)) return { kind: 'unreadable' };
  const models: ListedModel[] = [];
  for (const entry of (data as readonly Json[]).slice(0, MOST_MODELS)) {
    const id = isObject(entry) ? entry['id'] : undefined;
    if (isObject(entry) && typeof id === 'string' && id !== '' && id.length <= LONGEST_ID && !BLANKED.test(id)) {
      models.push({ id, deprecated: isDeprecated(entry) });
    }
  }
  return { kind: 'list', models };
}

/** How the mark looks is not shown in the contract, so anything that reads like one counts. */
export function isDeprecated(model: JsonObject): boolean {
  return Object.entries(model).some(([name, value]) => {
    if (/deprecat|retire|sunset|end_of_life|\beol\b/i.test(name))
      return value !== null && value !== false && value !== '';
    return (
      typeof value === 'string' &&
      /^(status|state|lifecycle|stage)$/i.test(name) &&
      /deprecat|retir|sunset/i.test(value)
    );
  });
}

/** At most three, in the order of the list; deprecated ones only where there is nothing else. */
export function candidates(models: readonly ListedModel[]): readonly string[] {
  const current = models.filter(({ deprecated }) => !deprecated);
  return (current.length > 0 ? current : models).slice(0, 3).map(({ id }) => id);
}

/** The same models of the same list every time, yet none that the target could choose: by the hash of their ids. */
export function sampleModels(models: readonly ListedModel[], size: number): readonly string[] {
  const hashed = [...new Set(models.map(({ id }) => id))].map((id) => ({
    id,
    hash: createHash('sha256').update(id).digest('hex'),
  }));
  return hashed
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    .slice(0, size)
    .map(({ id }) => id);
}

/** The user named a model that is not in the list, and it was refused: a slip, which says nothing about the target. */
export function isMistaken(
  model: string | undefined,
  models: readonly ListedModel[],
  status: number | undefined,
): boolean {
  if (model === undefined || models.length === 0 || models.some(({ id }) => id === model)) return false;
  return status === 400 || status === 403 || status === 404 || status === 422;
}

export function whyNoModel(list: Exchange): Extract<Ending, { readonly kind: 'no-model' }>['reason'] {
  const reading = readModelList(list);
  if (reading.kind === 'unreadable') return 'no-list';
  return reading.models.length === 0 ? 'empty-list' : 'not-listed';
}
