/** Reads one change of a profile. What a schema cannot say is refused here, at its line. */
import { isObject, pointerTokens } from '../../json.ts';
import type { Mistakes } from '../../mistakes.ts';
import { inert } from '../../text/inert.ts';
import { didYouMean } from '../../text/suggestion.ts';
import { UsageError } from '../../usage-error.ts';
import { REQUEST_SCHEMA } from '../assemble-contract.ts';
import { loadContract } from '../load-contract.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { clausesOfV1, findWrongId } from './clause-ids.ts';
import { FIELDS, typeOfField, TYPES } from './places.ts';
import type { Bound, ChangeEntry, ProfileChange } from './profile.ts';

/** The keys that say what is changed, each with the keys that may stand beside it. */
const KINDS = {
  clause: ['level', 'summary', 'hurts'],
  limit: ['min', 'max'],
  required: [],
  field: ['types'],
  add: [],
} as const satisfies Record<string, readonly (keyof ChangeEntry)[]>;

type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

type Place = readonly [] | readonly [keyof ChangeEntry, ...string[]];

interface Complain {
  /** Ends the reading of the change. */
  readonly refuse: (message: string, ...path: Place) => never;
  /** The reading goes on, to find the other mistakes of the change. */
  readonly note: (message: string, ...path: Place) => void;
}

/** `Omit` would lose the union. */
type Change = ProfileChange extends infer Each
  ? Each extends ProfileChange
    ? Omit<Each, 'line' | 'why'>
    : never
  : never;

/** Where a change is written. */
interface WrittenAt {
  readonly document: YamlDocument;
  readonly index: number;
  /** Whether the form of this key is right. */
  readonly isSound: (key: string) => boolean;
}

/** In place of keys whose form is wrong, so that the others are read. Nothing is said of them. */
const STAND_INS = {
  ...{ why: 'a reason', level: 'must', summary: 'a sentence', hurts: 'a sentence' },
  ...{ types: [], min: Number.NaN, max: Number.NaN },
} as const satisfies Partial<ChangeEntry>;
const STAND_IN_NAMES = Object.keys(STAND_INS) as readonly (keyof typeof STAND_INS)[];

/**
 * The first mistake that leaves nothing to read is thrown; the others are kept in `mistakes`. Undefined if the form of the
 * change says nothing of what it changes.
 */
export function readChange(
  written: ChangeEntry,
  { document, index, isSound }: WrittenAt,
  mistakes: Mistakes,
): ProfileChange | undefined {
  if (!isObject(written)) return undefined;
  const wrong = STAND_IN_NAMES.filter((key) => !isSound(key) || (key === 'why' && written.why === undefined));
  const entry: ChangeEntry = { ...written, ...Object.fromEntries(wrong.map((key) => [key, STAND_INS[key]])) };
  const mistake = (message: string, path: Place): UsageError =>
    new UsageError(message, { file: document.file, line: document.lineOf(['changes', index, ...path]) });
  const note: Complain['note'] = (message, ...path) => {
    if (!wrong.some((key) => key === path[0])) mistakes.note(mistake(message, path));
  };
  const refuse: Complain['refuse'] = (message, ...path) => {
    throw mistake(message, path);
  };
  const why = entry.why.trim();
  if (/^(todo|tbd|fixme)\b/i.test(why) || !/\p{L}/u.test(why)) {
    note('why must give the reason for the change. Write it in a sentence.', 'why');
  }
  if (KIND_NAMES.some((name) => !isSound(name))) return undefined;
  const [kind, another] = KIND_NAMES.filter((name) => entry[name] !== undefined);
  if (kind === undefined) return refuse(`a change needs one of ${KIND_NAMES.join(', ')}.`);
  if (another !== undefined) refuse(`a change has both ${kind} and ${another}. Make two changes of it.`, another);
  const allowed: readonly string[] = [kind, 'why', ...KINDS[kind]];
  for (const key of Object.keys(entry) as (keyof ChangeEntry)[]) {
    if (!allowed.includes(key) && isSound(key)) note(`${key} does not belong to a change of ${kind}. Remove it.`, key);
  }
  return { ...READERS[kind](entry, { refuse, note }), line: document.lineOf(['changes', index]), why };
}

const READERS: Readonly<Record<Kind, (entry: ChangeEntry, complain: Complain) => Change>> = {
  clause: readClauseChange,
  limit: readLimit,
  required: readRequired,
  field: readField,
  add: readAdded,
};

function readClauseChange({ clause: id = '', level, summary, hurts }: ChangeEntry, { refuse, note }: Complain): Change {
  const known = clausesOfV1();
  const clause = known.find((each) => each.id === id);
  if (level === undefined) note(`the change of ${inert(id, 100)} needs level.`, 'clause');
  if (clause) {
    if (summary !== undefined) note(`${id} is a clause of v1, so its summary stays. Remove summary.`, 'summary');
    if (hurts !== undefined) note(`${id} is a clause of v1, which says who is hurt. Remove hurts.`, 'hurts');
    if (clause.level === 'none') refuse(`${id} cannot be judged: ${clause.why ?? 'it does not show.'}`, 'clause');
    if (clause.level === level) note(`${id} is ${level} in v1 already. Remove the change.`, 'level');
    return { kind: 'level', clause: id, level: level ?? STAND_INS.level };
  }
  if (summary === undefined) {
    const guess =
      didYouMean(
        id,
        known.map((each) => each.id),
      ) || ' A clause of your own needs summary.';
    return refuse(`unknown clause "${inert(id, 100)}".${guess}`, 'clause');
  }
  const wrongId = findWrongId(id);
  if (wrongId !== undefined) refuse(wrongId, 'clause');
  return {
    kind: 'clause',
    clause: id,
    level: level ?? STAND_INS.level,
    summary,
    ...(hurts !== undefined && { hurts }),
  };
}

/** Checks on what v1 leaves open record it and find nothing. */
export function isOnlyObserved(id: string): boolean {
  return clausesOfV1().some((clause) => clause.id === id && clause.level === 'observe');
}

function readLimit({ limit: field = '', min, max }: ChangeEntry, { refuse, note }: Complain): Change {
  const { limits } = loadContract().rules;
  const { minimum, maximum } =
    limits[field] ?? refuse(unknown('v1 has no limit for', field, Object.keys(limits)), 'limit');
  if (min === undefined && max === undefined) refuse(`the limit of ${field} needs min or max.`, 'limit');
  const given = [
    { field, key: 'min', bound: min, usual: minimum },
    { field, key: 'max', bound: max, usual: maximum },
  ] as const;
  const wrong = given.map(findWrongBound).filter((each) => each !== undefined);
  for (const [key, message] of wrong) note(message, key);
  if (wrong.length === 0) refuseEmptyRange(given, note);
  return {
    kind: 'limit',
    field,
    ...(min !== undefined && { min: boundOf(min) ?? null }),
    ...(max !== undefined && { max: boundOf(max) ?? null }),
  };
}

function refuseEmptyRange([min, max]: readonly [GivenBound, GivenBound], note: Complain['note']): void {
  const [least = -Infinity, most = Infinity] = [boundOf(min.bound, min.usual), boundOf(max.bound, max.usual)];
  if (least <= most) return;
  const key = min.bound === undefined ? 'max' : 'min';
  note(`the minimum of ${min.field} (${least}) is above its maximum (${most}).`, key);
}

interface GivenBound {
  readonly field: string;
  readonly key: 'min' | 'max';
  readonly bound: Bound | undefined;
  /** Of v1. */
  readonly usual: number | undefined;
}

type WrongBound = readonly [key: GivenBound['key'], message: string];

function findWrongBound({ field, key, bound, usual }: GivenBound): WrongBound | undefined {
  if (bound === undefined) return undefined;
  if (usual === undefined) return [key, `v1 has no ${key} of ${field}. Remove it.`];
  // YAML has .inf and .nan, and JSON has not.
  if (typeof bound === 'number' && !Number.isFinite(bound))
    return [key, `the ${key} of ${field} must be a number or none.`];
  if (bound === usual) return [key, `the ${key} of ${field} is ${usual} in v1 already. Remove it.`];
  const { type } = loadContract().schemas.get(REQUEST_SCHEMA)?.properties?.[field] ?? {};
  const isFraction = type === 'integer' && typeof bound === 'number' && !Number.isInteger(bound);
  return isFraction ? [key, `the ${key} of ${field} must be a whole number.`] : undefined;
}

/** Undefined for a limit that is lifted. */
function boundOf(changed: Bound | undefined, usual?: number): number | undefined {
  if (changed === undefined) return usual;
  return typeof changed === 'number' ? changed : undefined;
}

function unknown(what: string, name: string, known: readonly string[]): string {
  const guess = didYouMean(name, known) || ` Use one of ${known.join(', ')}.`;
  return `${what} "${inert(name, 100)}".${guess}`;
}

function readRequired({ required: field = '' }: ChangeEntry, { refuse }: Complain): Change {
  const { properties = {}, required = [] } = loadContract().schemas.get(REQUEST_SCHEMA) ?? {};
  if (required.includes(field)) refuse(`v1 requires ${field} already. Remove the change.`, 'required');
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  if (!optional.includes(field)) {
    refuse(`${unknown('v1 has no parameter', field, optional)} Send other fields with add.`, 'required');
  }
  return { kind: 'required', field };
}

function readField({ field = '', types }: ChangeEntry, { refuse, note }: Complain): Change {
  const isField = Object.hasOwn(FIELDS, field);
  if (!isField) note(unknown('no answer has a field', field, Object.keys(FIELDS)), 'field');
  if (types === undefined) return refuse(`the change of ${field} needs types.`, 'field');
  for (const [index, type] of types.entries()) {
    if (!(TYPES as readonly string[]).includes(type)) {
      note(unknown('unknown type', type, TYPES), 'types', String(index));
    }
  }
  const usual = isField ? typeOfField(field, loadContract().schemas) : undefined;
  if (types.length === 1 && types[0] === usual) note(`${field} is a ${usual} in v1 already. Remove it.`, 'types');
  // Requests name models by their ids, and a request's model is a string.
  if (field === 'model.id' && !types.includes('string')) note('model.id must allow string. Add it.', 'types');
  return { kind: 'field', field, types };
}

function readAdded({ add = {} }: ChangeEntry, { note }: Complain): Change {
  const fields = Object.keys(loadContract().schemas.get(REQUEST_SCHEMA)?.properties ?? {});
  for (const pointer of Object.keys(add)) {
    const [first = ''] = pointerTokens(pointer);
    if (fields.includes(first)) {
      note(`${first} is a field of part 2, which cases test. Remove it from add.`, 'add', pointer);
    }
  }
  return { kind: 'add', fields: add };
}
