/** Fields that went, came or changed their type. */
import { contractFields } from '../../verdict/reading/shapes.ts';
import { ADDITIVE_CLAUSE, BREAKING_CLAUSE, changeOf } from './change.ts';
import type { Change, ChangePlace, Side } from './comparison.ts';
import { answersWithParent, type FieldCount, type ObservedShape, parentOf } from './shapes.ts';

/** Answers of the older run that make "always" mean something. */
export const LEAST_ANSWERS = 3;
/** And where other fields of the same answers come and go: so many that chance is no explanation. */
const MANY_ANSWERS = 8;
/** What happens as often as this by chance alone is no change. */
const CHANCE = 0.05;

type ShapesByName = ReadonlyMap<string, ObservedShape>;

export function compareShapes(older: ShapesByName, newer: ShapesByName): readonly Change[] {
  const optional = sometimesThere([...older.values(), ...newer.values()]);
  return [...older].flatMap(([name, before]) => {
    const now = newer.get(name);
    return now ? compareShape(before, now, optional) : [];
  });
}

/** A contract's field that is there now and then within one shape is there by chance everywhere. */
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
    // What is below something that went or came went or came with it.
    if (settled.has(parentOf(pointer)) || settled.has(parentOf(parentOf(pointer)))) {
      settled.add(pointer);
      continue;
    }
    const isStated = known.has(pointer);
    const isRare = isErratic && answersWithParent(before, pointer) < MANY_ANSWERS;
    const isOptional = isRare || optional.has(`${before.resource} ${pointer}`);
    const change = compareField({ pointer, before, now, isStated, isOptional });
    if (!change) continue;
    settled.add(pointer);
    changes.push(change);
  }
  return changes;
}

/** Whether there is a field that some of the answers have and others have not. */
function comesAndGoes(shape: ObservedShape): boolean {
  return [...shape.fields].some(([pointer, { inAny }]) => inAny < answersWithParent(shape, pointer));
}

interface Field {
  readonly pointer: string;
  readonly before: ObservedShape;
  readonly now: ObservedShape;
  readonly isStated: boolean;
  readonly isOptional: boolean;
}

function compareField({ pointer, before, now, isStated, isOptional }: Field): Change | undefined {
  const place = { ...placeOf(before), pointer };
  const [old, fresh] = [before.fields.get(pointer), now.fields.get(pointer)];
  const asked = { old: answersWithParent(before, pointer), now: answersWithParent(now, pointer) };
  const sides = { old: sideOf(before, old, asked.old), new: sideOf(now, fresh, asked.now) };
  const isLasting = isStated && !isOptional && old !== undefined && old.inAll === asked.old;
  if (old && fresh) {
    const difference = compareTypes(old.types, fresh.types, isStated);
    if (!difference) return undefined;
    const breaks = difference === 'other' && isStated && !isOptional;
    return changeOf({
      kind: breaks ? 'breaking' : 'warning',
      what: 'field-type',
      clause: BREAKING_CLAUSE,
      place,
      ...sides,
    });
  }
  if (asked.old === 0 || asked.now === 0) return undefined;
  if (old) {
    const breaks = isLasting && asked.old >= LEAST_ANSWERS;
    if (!isLasting && !isBeyondChance(old.inAny, asked.old, asked.now)) return undefined;
    return changeOf({
      kind: breaks ? 'breaking' : 'warning',
      what: 'field-gone',
      clause: BREAKING_CLAUSE,
      place,
      ...sides,
      ...(isLasting && !breaks && { scant: true }),
    });
  }
  if (!fresh || !isBeyondChance(fresh.inAny, asked.now, asked.old)) return undefined;
  return changeOf({ kind: 'additive', what: 'field-new', clause: ADDITIVE_CLAUSE, place, ...sides });
}

/** Seen in `present` of `answers` there, and in none of `others` here: would that be rare if nothing had changed? */
function isBeyondChance(present: number, answers: number, others: number): boolean {
  const share = (present + 0.5) / (answers + 1);
  return (1 - share) ** others < CHANCE;
}

/** `other`: no type in common. `wider`: one that was not there before. An integer is a number, but a field of the contract is told apart. */
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

/** A body that is no object any more has lost everything at once. */
function compareBodies(before: ObservedShape, now: ObservedShape): Change | undefined {
  const [old, fresh] = [[...before.bodyTypes.keys()], [...now.bodyTypes.keys()]];
  if (old.some((type) => fresh.includes(type))) return undefined;
  // What the contract has there was missing, and is there now.
  const due = before.resource !== undefined ? 'object' : before.mode === 'stream' ? 'event stream' : undefined;
  if (due !== undefined && fresh.every((type) => type === due)) return undefined;
  const breaks = before.resource !== undefined && before.answers >= LEAST_ANSWERS;
  return changeOf({
    kind: breaks ? 'breaking' : 'warning',
    what: 'body-type',
    clause: BREAKING_CLAUSE,
    place: placeOf(before),
    old: { answers: before.answers, types: old, exchanges: before.exchanges },
    new: { answers: now.answers, types: fresh, exchanges: now.exchanges },
    ...(before.resource !== undefined && !breaks && { scant: true }),
  });
}

function placeOf({ endpoint, mode, status }: ObservedShape): ChangePlace {
  return { endpoint, mode, status };
}

function sideOf(shape: ObservedShape, field: FieldCount | undefined, answers: number): Side {
  return {
    answers,
    present: field?.inAny ?? 0,
    ...(field && { types: [...field.types].toSorted() }),
    exchanges: field?.exchanges ?? shape.exchanges,
  };
}

/** Words that were not there before: finish reasons, types and codes of errors. */
export function compareWords(older: ShapesByName, newer: ShapesByName): readonly Change[] {
  const before = wordsOf(older);
  const changes: Change[] = [];
  for (const [pointer, words] of wordsOf(newer)) {
    const old = before.get(pointer);
    if (!old) continue;
    for (const [value, exchanges] of words) {
      if (old.has(value)) continue;
      const sides = { old: { exchanges: [...old.values()][0] ?? [] }, new: { value, exchanges } };
      changes.push(
        changeOf({ kind: 'additive', what: 'value-new', clause: ADDITIVE_CLAUSE, place: { pointer }, ...sides }),
      );
    }
  }
  return changes;
}

function wordsOf(shapes: ShapesByName): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const all = new Map<string, Map<string, readonly string[]>>();
  for (const { words } of shapes.values()) {
    for (const [pointer, vocabulary] of words) {
      const known = all.get(pointer) ?? new Map<string, readonly string[]>();
      all.set(pointer, known);
      for (const [word, exchanges] of vocabulary) if (!known.has(word)) known.set(word, exchanges);
    }
  }
  return all;
}
