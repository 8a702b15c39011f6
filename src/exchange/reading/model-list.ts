/** Chooses the models that a run calls from the target's list. */
import { isObject, type Json, type JsonObject, memberOf } from '../../json.ts';
import { inOrderOfHash } from '../../random.ts';
import { lastAnswer } from '../reading/answered.ts';
import type { Exchange } from '../exchange.ts';
import { valueIn } from '../reading/page-or-empty.ts';
import type { EndingOf } from '../ending.ts';

/** The contract does not limit the list. */
const MAX_MODELS = 100_000;
/** Characters. Every request repeats the id, so models with a longer one are not called. */
const MAX_ID_LENGTH = 1_000;
/** The id contained a secret, so the redacted id names no model. */
const BLANKED = /\*{8}/;

export type ModelList =
  | { readonly kind: 'list'; readonly models: readonly ListedModel[] }
  /** Not a 200, not JSON, or without an array. */
  | { readonly kind: 'unreadable' };

export interface ListedModel {
  readonly id: string;
  readonly deprecated: boolean;
}

export function readModelList(exchange: Exchange): ModelList {
  const answer = lastAnswer(exchange);
  const data = answer?.status === 200 ? memberOf(valueIn(answer), 'data') : undefined;
  if (!Array.isArray(data)) return { kind: 'unreadable' };
  const models: ListedModel[] = [];
  for (const entry of (data as readonly Json[]).slice(0, MAX_MODELS)) {
    const id = isObject(entry) ? entry['id'] : undefined;
    if (isObject(entry) && typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH && !BLANKED.test(id)) {
      models.push({ id, deprecated: isDeprecated(entry) });
    }
  }
  return { kind: 'list', models };
}

/** The contract does not define the mark, so anything that reads like one counts. */
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

/** Picks at most three, in the order of the list; deprecated ones only if there are no others. */
export function pickCandidates(models: readonly ListedModel[]): readonly string[] {
  const current = models.filter(({ deprecated }) => !deprecated);
  return (current.length > 0 ? current : models).slice(0, 3).map(({ id }) => id);
}

/** Picks models by the hash of their ids: reproducible, and not under the target's control. */
export function sampleModels(models: readonly ListedModel[], size: number): readonly string[] {
  const ids = [...new Set(models.map(({ id }) => id))];
  return inOrderOfHash(ids, (id) => id).slice(0, size);
}

/** The given model is not listed and was refused: a mistake of the user, which says nothing about the target. */
export function isModelMistaken(
  model: string | undefined,
  models: readonly ListedModel[],
  status: number | undefined,
): boolean {
  if (model === undefined || models.length === 0 || models.some(({ id }) => id === model)) return false;
  return status === 400 || status === 403 || status === 404 || status === 422;
}

export function explainNoModel(list: Exchange): EndingOf<'no-model'>['reason'] {
  const reading = readModelList(list);
  if (reading.kind === 'unreadable') return 'no-list';
  return reading.models.length === 0 ? 'empty-list' : 'not-listed';
}
