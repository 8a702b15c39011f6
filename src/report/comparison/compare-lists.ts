/** Models that went or came, and end markers of streams. */
import { ADDITIVE_CLAUSE, BREAKING_CLAUSE, changeOf, MODEL_GONE_CLAUSE, STILL_ANSWERED_CLAUSE } from './change.ts';
import type { Change } from './comparison.ts';
import type { ObservedRun } from './observed-run.ts';

export interface ModelChanges {
  readonly changes: readonly Change[];
  /** Models that were marked deprecated and are gone, as the contract lets them. */
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
    const still = newer.answeredModels.get(model);
    changes.push(
      changeOf({
        kind: 'warning',
        what: 'model-gone',
        clause: still === undefined ? MODEL_GONE_CLAUSE : STILL_ANSWERED_CLAUSE,
        place,
        old: { value: model, exchanges: [exchange] },
        new:
          still === undefined
            ? { exchanges: listsOf(newer) }
            : { value: 'not listed, but answered', exchanges: [still] },
      }),
    );
  }
  for (const [model, { exchange }] of newer.models) {
    if (older.models.has(model)) continue;
    const sides = { old: { exchanges: listsOf(older) }, new: { value: model, exchanges: [exchange] } };
    changes.push(changeOf({ kind: 'additive', what: 'model-new', clause: ADDITIVE_CLAUSE, place, ...sides }));
  }
  return { changes, retired };
}

// A field of a model that came or went says nothing of the others: only models of both lists count for `/data/*/field`.
export function isOfListedModels({ what, place }: Change, older: ObservedRun, newer: ObservedRun): boolean {
  const name = /^\/data\/\*\/([^/]+)/.exec(place.pointer ?? '')?.[1];
  if (place.endpoint !== 'models' || name === undefined || (what !== 'field-gone' && what !== 'field-new')) return true;
  const [had, lacks] = what === 'field-gone' ? [older, newer] : [newer, older];
  const field = name.replaceAll('~1', '/').replaceAll('~0', '~');
  return [...had.models].some(([id, { fields }]) => fields.has(field) && lacks.models.has(id));
}

function listsOf({ models }: ObservedRun): readonly string[] {
  return [...new Set([...models.values()].map(({ exchange }) => exchange))].slice(0, 3);
}

export function compareEndMarkers({ streams: before }: ObservedRun, { streams: now }: ObservedRun): readonly Change[] {
  const had = before.done.length > 0 && before.withoutMarker.length === 0;
  const lost = now.done.length === 0 && now.withoutMarker.length > 0;
  if (!had || !lost) return [];
  return [
    changeOf({
      kind: 'warning',
      what: 'end-marker-lost',
      clause: BREAKING_CLAUSE,
      place: { endpoint: 'chat', mode: 'stream', status: 200 },
      old: { answers: before.done.length, present: before.done.length, exchanges: before.done.slice(0, 3) },
      new: { answers: now.withoutMarker.length, present: 0, exchanges: now.withoutMarker.slice(0, 3) },
    }),
  ];
}
