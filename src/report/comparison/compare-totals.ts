/** Compares whole runs: models, and end markers of streams. */
import { pointerTokens } from '../../json.ts';
import { type Change, changeOf } from './comparison.ts';
import type { Observations } from './observations.ts';
import type { ObservedRun } from './observed-run.ts';
import { MAX_EXCHANGES } from './shapes.ts';

export interface ModelChanges {
  readonly changes: readonly Change[];
  /** Removed models that were marked deprecated, which the contract allows. */
  readonly retired: readonly string[];
}

export function compareModels(older: ObservedRun, newer: ObservedRun): ModelChanges {
  if (older.lists === 0 || newer.lists === 0) return { changes: [], retired: [] };
  const place = { endpoint: 'models', mode: 'plain', pointer: '/data/*/id' } as const;
  const changes: Change[] = [];
  const retired: string[] = [];
  for (const [model, { deprecated, exchange }] of older.models) {
    if (newer.models.has(model)) continue;
    if (deprecated) {
      retired.push(model);
      continue;
    }
    const answered = newer.answeredModels.get(model);
    changes.push(
      changeOf({
        kind: 'warning',
        what: 'model-gone',
        ...(answered !== undefined && { clause: 'lifecycle.retired-not-answered' }),
        place,
        old: { value: model, exchanges: [exchange] },
        new:
          answered === undefined
            ? { exchanges: listsOf(newer) }
            : { value: 'not listed, but answered', exchanges: [answered] },
      }),
    );
  }
  for (const [model, { exchange }] of newer.models) {
    if (older.models.has(model)) continue;
    const sides = { old: { exchanges: listsOf(older) }, new: { value: model, exchanges: [exchange] } };
    changes.push(changeOf({ kind: 'additive', what: 'model-new', place, ...sides }));
  }
  return { changes, retired };
}

// A new or removed model may differ in fields, so only models of both lists count for `/data/*/field`.
export function isOfListedModels({ what, place }: Change, older: ObservedRun, newer: ObservedRun): boolean {
  const [list, item, field] = pointerTokens(place.pointer ?? '');
  if (place.endpoint !== 'models' || list !== 'data' || item !== '*' || field === undefined) return true;
  if (what !== 'field-gone' && what !== 'field-new') return true;
  const [had, lacks] = what === 'field-gone' ? [older, newer] : [newer, older];
  return [...had.models].some(([id, { fields }]) => fields.has(field) && lacks.models.has(id));
}

function listsOf({ models }: ObservedRun): readonly string[] {
  return [...new Set([...models.values()].map(({ exchange }) => exchange))].slice(0, MAX_EXCHANGES);
}

export function compareEndMarkers(
  { streams: before }: Observations,
  { streams: now }: Observations,
): readonly Change[] {
  const had = before.done.length > 0 && before.withoutMarker.length === 0;
  const lost = now.done.length === 0 && now.withoutMarker.length > 0;
  if (!had || !lost) return [];
  return [
    changeOf({
      kind: 'warning',
      what: 'end-marker-lost',
      place: { endpoint: 'chat', mode: 'stream', status: 200 },
      old: {
        answers: before.done.length,
        present: before.done.length,
        exchanges: before.done.slice(0, MAX_EXCHANGES),
      },
      new: { answers: now.withoutMarker.length, present: 0, exchanges: now.withoutMarker.slice(0, MAX_EXCHANGES) },
    }),
  ];
}
