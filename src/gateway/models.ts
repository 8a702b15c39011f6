/** The models behind the gateway. */
import type { JsonObject } from './json.ts';

/** An entry of the model list. */
export type Model = JsonObject & { readonly id: string };

export const MODELS: readonly Model[] = [
  { id: 'sea-large', object: 'model', owned_by: 'reference' },
  { id: 'sea-small', object: 'model', owned_by: 'reference' },
  { id: 'sea-old', object: 'model', owned_by: 'reference', deprecated: true, deprecation_date: '2030-06-30' },
];

/** The only model that the restricted key may call, and one that it may not call. */
export const PERMITTED_MODEL = 'sea-small';
export const FORBIDDEN_MODEL = 'sea-large';
