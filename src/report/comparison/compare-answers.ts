/** Finds what the answers of two runs have removed, added or changed: fields, types, models, words, end markers, times. */
import { pointerTokens } from '../../json.ts';
import { contractFields } from '../../verdict/checks/observed-fields.ts';
import { compareTimes } from './compare-times.ts';
import { type Change, changeOf, type ChangePlace, type ChangeSide } from './comparison.ts';
import {
  type FieldCount,
  MAX_EXCHANGES,
  type Observations,
  type ObservedRun,
  type ObservedShape,
  type ObservedShapes,
  type Sightings,
  addSightings,
  answersWithParent,
  parentOf,
} from './observed-run.ts';

/** Answers of the older run needed to say that a field is always present. */
export const MIN_ANSWERS = 3;
/** Answers needed where other fields of the same answers come and go: so many that chance does not explain it. */
const MANY_ANSWERS = 8;
/** A difference at least this likely by chance is not a change. */
const CHANCE = 0.05;

/** `steps`: those that both runs sent. A request that only one run sent shows no change. */
export function compareAnswers(older: ObservedRun, newer: ObservedRun, steps: readonly string[]) {
  const [before, now] = [older.observationsOf(steps), newer.observationsOf(steps)];
  const optional = sometimesThere([...before.shapes.values(), ...now.shapes.values()]);
  const kinds = [...before.shapes].flatMap(([name, old]) => {
    const fresh = now.shapes.get(name);
    return fresh ? [{ old, fresh }] : [];
  });
  const fields = kinds.flatMap(({ old, fresh }) => compareShape(old, fresh, optional));
  const models = compareModels(older, newer);
  const changes: readonly Change[] = [
    ...fields.filter((change) => isOfListedModels(change, older, newer)),
    ...compareEndMarkers(before, now),
    ...models.changes,
    ...compareWords(older, newer, steps),
    ...compareTimes(before, now),
  ];
  // The shapes are those that both runs have, as the older has them.
  return { changes, shapes: kinds.map(({ old }) => old), retired: models.retired };
}

/** A contract field that is sometimes missing in one shape counts as optional in all. */
function sometimesThere(shapes: readonly ObservedShape[]): ReadonlySet<string> {
  const optional = new Set<string>();
  for (const shape of shapes) {
    for (const [pointer, field] of shape.fields) {
      if (field.inAll < answersWithParent(shape, pointer)) optional.add(`${shape.resource} ${pointer}`);
    }
  }
  return optional;
}

function compareShape(before: ObservedShape, now: ObservedShape, optional: ReadonlySet<string>): readonly Change[] {
  const body = compareBodies(before, now);
  if (body) return [body];
  const known = before.resource ? contractFields(before.resource) : new Set<string>();
  const isErratic = comesAndGoes(before) || comesAndGoes(now);
  const changes: Change[] = [];
  const settled = new Set<string>();
  const pointers = [...new Set([...before.fields.keys(), ...now.fields.keys()])].toSorted(
    (a, b) => a.length - b.length,
  );
  for (const pointer of pointers) {
    // Fields below a removed or added one were removed or added with it.
    if (settled.has(parentOf(pointer)) || settled.has(parentOf(parentOf(pointer)))) {
      settled.add(pointer);
      continue;
    }
    const isStated = known.has(pointer);
    const isRare = isErratic && answersWithParent(before, pointer) < MANY_ANSWERS;
    const isOptional = isRare || optional.has(`${before.resource} ${pointer}`);
    const change = compareField(pointer, before, now, { isStated, isLasting: isStated && !isOptional });
    if (!change) continue;
    settled.add(pointer);
    changes.push(change);
  }
  return changes;
}

/** Whether some answers have a field that others lack. */
function comesAndGoes(shape: ObservedShape): boolean {
  return [...shape.fields].some(([pointer, { inAny }]) => inAny < answersWithParent(shape, pointer));
}

/** `isLasting`: a contract field that is not optional. */
function compareField(
  pointer: string,
  before: ObservedShape,
  now: ObservedShape,
  { isStated, isLasting }: { readonly isStated: boolean; readonly isLasting: boolean },
): Change | undefined {
  const [old, fresh] = [before.fields.get(pointer), now.fields.get(pointer)];
  const [answers, freshAnswers] = [answersWithParent(before, pointer), answersWithParent(now, pointer)];
  const place = { ...placeOf(before), pointer };
  const sides = { old: sideOf(before, old, answers), new: sideOf(now, fresh, freshAnswers) };
  if (old && fresh) {
    const difference = compareTypes(old, fresh, isStated);
    if (!difference) return undefined;
    const kind = difference === 'other' && isLasting ? 'breaking' : 'warning';
    const showing = [...fresh.types].filter(([type]) => !old.types.has(type)).flatMap(([, exchanges]) => exchanges);
    const shown = { ...sides.new, exchanges: showing.slice(0, MAX_EXCHANGES) };
    return changeOf({ kind, what: 'field-type', place, ...sides, new: shown });
  }
  if (answers === 0 || freshAnswers === 0) return undefined;
  if (old) {
    const isLost = isLasting && old.inAll === answers;
    if (!isLost && !isBeyondChance(old.inAny, answers, freshAnswers)) return undefined;
    return changeOf({ what: 'field-gone', place, ...sides, ...weigh(isLost, answers) });
  }
  if (!fresh || !isBeyondChance(fresh.inAny, freshAnswers, answers)) return undefined;
  return changeOf({ kind: 'additive', what: 'field-new', place, ...sides });
}

/** A loss is breaking, unless there were too few answers to tell. */
function weigh(isLost: boolean, answers: number): Pick<Change, 'kind' | 'scant'> {
  if (!isLost) return { kind: 'warning' };
  return answers >= MIN_ANSWERS ? { kind: 'breaking' } : { kind: 'warning', scant: true };
}

/** Present in `present` of `answers` in one run and in none of `others` in the other: is that unlikely by chance? */
function isBeyondChance(present: number, answers: number, others: number): boolean {
  const share = (present + 0.5) / (answers + 1);
  return (1 - share) ** others < CHANCE;
}

/** `other`: no type in common. `wider`: a new type was added. Integers and numbers differ only in contract fields. */
function compareTypes(before: FieldCount, now: FieldCount, isStated: boolean): 'other' | 'wider' | undefined {
  const typesOf = ({ types }: FieldCount): ReadonlySet<string> =>
    new Set([...types.keys()].map((type) => (type === 'integer' && !isStated ? 'number' : type)));
  const [old, fresh] = [typesOf(before), typesOf(now)];
  const fits = (type: string): boolean => old.has(type) || (type === 'integer' && old.has('number'));
  const foreign = [...fresh].filter((type) => !fits(type));
  if (foreign.length === 0) return undefined;
  return foreign.length === fresh.size ? 'other' : 'wider';
}

/** A body that is no longer an object has lost all fields, so only the body is reported. */
function compareBodies(before: ObservedShape, now: ObservedShape): Change | undefined {
  const [old, fresh] = [[...before.bodyTypes], [...now.bodyTypes]];
  if (old.some((type) => fresh.includes(type))) return undefined;
  // The body now has the type that the contract requires: fixed, not broken.
  const due = before.resource !== undefined ? 'object' : before.mode === 'stream' ? 'event stream' : undefined;
  if (due !== undefined && fresh.every((type) => type === due)) return undefined;
  return changeOf({
    what: 'body-type',
    place: placeOf(before),
    old: { answers: before.answers, types: old, exchanges: before.exchanges },
    new: { answers: now.answers, types: fresh, exchanges: now.exchanges },
    ...weigh(before.resource !== undefined, before.answers),
  });
}

function placeOf({ endpoint, mode, status }: ObservedShape): ChangePlace {
  return { endpoint, mode, status };
}

function sideOf(shape: ObservedShape, field: FieldCount | undefined, answers: number): ChangeSide {
  return {
    answers,
    present: field?.inAny ?? 0,
    ...(field && { types: [...field.types.keys()].toSorted() }),
    exchanges: field?.exchanges ?? shape.exchanges,
  };
}

/** Removed models that were marked deprecated are retired, which the contract allows. */
function compareModels(older: ObservedRun, newer: ObservedRun) {
  if (older.lists === 0 || newer.lists === 0) return { changes: [], retired: [] };
  const place = { endpoint: 'models', mode: 'plain', pointer: '/data/*/id' } as const;
  const missing = [...older.models].filter(([id]) => !newer.models.has(id));
  const gone = missing.filter(([, { deprecated }]) => !deprecated);
  const added = [...newer.models].filter(([id]) => !older.models.has(id));
  return {
    changes: [
      ...gone.map(([value, { exchange }]) => {
        const answered = newer.answeredModels.get(value);
        const old = { value, exchanges: [exchange] };
        const parts = { kind: 'warning', what: 'model-gone', place, old } as const;
        if (answered === undefined) return changeOf({ ...parts, new: { exchanges: listsOf(newer) } });
        const still = { value: 'not listed, but answered', exchanges: [answered] };
        return changeOf({ ...parts, clause: 'lifecycle.retired-not-answered', new: still });
      }),
      ...added.map(([value, { exchange }]) => {
        const sides = { old: { exchanges: listsOf(older) }, new: { value, exchanges: [exchange] } };
        return changeOf({ kind: 'additive', what: 'model-new', place, ...sides });
      }),
    ],
    retired: missing.filter(([, { deprecated }]) => deprecated).map(([id]) => id),
  };
}

// A new or removed model may differ in fields, so only models of both lists count for `/data/*/field`.
function isOfListedModels({ what, place }: Change, older: ObservedRun, newer: ObservedRun): boolean {
  const [list, item, field] = pointerTokens(place.pointer ?? '');
  if (place.endpoint !== 'models' || list !== 'data' || item !== '*' || field === undefined) return true;
  if (what !== 'field-gone' && what !== 'field-new') return true;
  const [had, lacks] = what === 'field-gone' ? [older, newer] : [newer, older];
  return [...had.models].some(([id, { fields }]) => fields.has(field) && lacks.models.has(id));
}

function listsOf({ models }: ObservedRun): readonly string[] {
  return [...new Set([...models.values()].map(({ exchange }) => exchange))].slice(0, MAX_EXCHANGES);
}

function compareEndMarkers({ streams: before }: Observations, { streams: now }: Observations): readonly Change[] {
  const had = before.done.length > 0 && before.withoutMarker.length === 0;
  const lost = now.done.length === 0 && now.withoutMarker.length > 0;
  if (!had || !lost) return [];
  const side = (ids: readonly string[], present: number): ChangeSide => ({
    ...{ answers: ids.length, present },
    exchanges: ids.slice(0, MAX_EXCHANGES),
  });
  const place = { endpoint: 'chat', mode: 'stream', status: 200 } as const;
  const sides = { old: side(before.done, before.done.length), new: side(now.withoutMarker, 0) };
  return [changeOf({ kind: 'warning', what: 'end-marker-lost', place, ...sides })];
}

/** Finish reasons, error types and error codes. A word of a request that only one run sent is known, but never new. */
function compareWords(older: ObservedRun, newer: ObservedRun, steps: readonly string[]): readonly Change[] {
  const before: Words = new Map();
  for (const { shapes } of older.steps.values()) addWords(before, shapes);
  const now: Words = new Map();
  for (const step of steps) {
    const [old, fresh] = [older.steps.get(step)?.shapes, newer.steps.get(step)?.shapes];
    // A word in place of a number is a change of the type, which is reported as such.
    if (old && fresh) addWords(now, fresh, (pointer) => !hadOtherTypes(old, pointer));
  }
  return [...now].flatMap(([pointer, words]) => {
    const known = before.get(pointer);
    if (!known) return [];
    const fresh = [...words].filter(([word]) => !known.has(word));
    return fresh.map(([value, exchanges]) => {
      const sides = { old: { exchanges: [...known.values()][0] ?? [] }, new: { value, exchanges } };
      return changeOf({ kind: 'additive', what: 'value-new', place: { pointer }, ...sides });
    });
  });
}

type Words = Map<string, Sightings>;

function addWords(words: Words, shapes: ObservedShapes, isMeant: (pointer: string) => boolean = () => true): void {
  for (const { fields } of shapes.values())
    for (const [pointer, field] of fields) {
      if (field.words.size === 0 || !isMeant(pointer)) continue;
      const known: Sightings = words.get(pointer) ?? new Map();
      words.set(pointer, known);
      addSightings(known, field.words);
    }
}

function hadOtherTypes(shapes: ObservedShapes, pointer: string): boolean {
  const types = [...shapes.values()].flatMap(({ fields }) => [...(fields.get(pointer)?.types.keys() ?? [])]);
  return types.length > 0 && !types.includes('string');
}
