/** Makes a change with its fingerprint: what changed and where, never values, texts or times. */
import { createHash } from 'node:crypto';
import type { Change } from './comparison.ts';

export const BREAKING_CLAUSE = 'versioning.no-breaking-change';
export const ANNOUNCED_CLAUSE = 'versioning.works-until-removal';
export const ADDITIVE_CLAUSE = 'versioning.additive';
export const MODEL_GONE_CLAUSE = 'lifecycle.retired-removed';
export const STILL_ANSWERED_CLAUSE = 'lifecycle.retired-not-answered';

export function changeOf(parts: Omit<Change, 'fingerprint'>): Change {
  const { what, place, old, new: now } = parts;
  const { endpoint, mode, status, pointer, case: id, measure } = place;
  const identity = [
    what,
    endpoint,
    mode,
    status,
    pointer,
    id,
    measure,
    what === 'field-type' ? [old.types, now.types] : [],
    // A finding's fingerprint never holds a model id. Here the model is what changed: a waiver for one is none for another.
    ...(what === 'model-gone' ? [old.value] : what === 'model-new' ? [now.value] : []),
  ];
  const fingerprint = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
  return { ...parts, fingerprint };
}
