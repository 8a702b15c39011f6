/** Finds fields that were removed, added or changed their type. */
import { contractFields } from '../../verdict/checks/observed-fields.ts';
import { type Change, changeOf, type ChangePlace, type Side } from './comparison.ts';
import { answersWithParent, type FieldCount, MAX_EXCHANGES, type ObservedShape, parentOf } from './shapes.ts';

/** Answers of the older run needed to say that a field is always present. */
export const MIN_ANSWERS = 3;
/** And where other fields of the same answers come and go: so many that chance does not explain it. */
const MANY_ANSWERS = 8;
/** A difference at least this likely by chance is not a change. */
const CHANCE = 0.05;

type ShapesByName = ReadonlyMap<string, ObservedShape>;

export function compareShapes(older: ShapesByName, newer: ShapesByName): readonly Change[] {
  const optional = sometimesThere([...older.values(), ...newer.values()]);
  return [...older].flatMap(([name, before]) => {
    const now = newer.get(name);
    return now ? compareShape(before, now, optional) : [];
  });
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
    const difference = compareTypes(typesOf(old), typesOf(fresh), isStated);
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
function compareTypes(
  before: ReadonlySet<string>,
  now: ReadonlySet<string>,
  isStated: boolean,
): 'other' | 'wider' | undefined {
  const plain = (types: ReadonlySet<string>): ReadonlySet<string> =>
    isStated ? types : new Set([...types].map((type) => (type === 'integer' ? 'number' : type)));
  const [old, fresh] = [plain(before), plain(now)];
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

function typesOf({ types }: FieldCount): ReadonlySet<string> {
  return new Set(types.keys());
}

function sideOf(shape: ObservedShape, field: FieldCount | undefined, answers: number): Side {
  return {
    answers,
    present: field?.inAny ?? 0,
    ...(field && { types: [...typesOf(field)].toSorted() }),
    exchanges: field?.exchanges ?? shape.exchanges,
  };
}
