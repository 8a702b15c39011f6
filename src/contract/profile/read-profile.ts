/** Reads a profile: a file of the user, or one of the package by its name. Every complaint is a sentence at its line. */

import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isObject, type Json, memberOf, pointerTokens, withoutUndefined } from '../../json.ts';
import { Mistakes } from '../../mistakes.ts';
import { inert } from '../../text/layout.ts';
import { didYouMean } from '../../text/suggestion.ts';
import { cannotRead, UsageError, usageError } from '../../usage-error.ts';
import { REQUEST_SCHEMA } from '../assemble-contract.ts';
import { digestOf } from '../digest.ts';
import { checkForm, type IsSound } from '../file-schema.ts';
import { loadContract } from '../read-contract.ts';
import { listPackageFiles, readPackageFile } from '../package-files.ts';
import { type FilePlace, parseYaml, type Path, placeOf, type YamlDocument } from '../yaml/yaml-document.ts';
import { FIELDS, typeOfField, TYPES } from './change-contract.ts';
import { clausesOfV1, findWrongId, readOwnClauses } from './own-clauses.ts';
import type { ChangedBound, ChangeEntry, Profile, ProfileChange, ProfileFile } from './profile.ts';

const FOLDER = 'profiles';
const SUFFIX = '.yaml';

/** Profiles of the package, by name. */
export function builtInProfiles(): readonly string[] {
  return listPackageFiles(FOLDER).map((file) => basename(file, SUFFIX));
}

/** `name`: a file, or a profile of the package. `at`: where it was named, if in a file. */
export function loadProfile(name: string, cwd: string, at?: FilePlace): Profile {
  const names = builtInProfiles();
  if (names.includes(name)) return readProfile(readPackageFile(`${FOLDER}/${name}${SUFFIX}`), name, cwd);
  if (!/\.ya?ml$/.test(name)) {
    const guess = didYouMean(name, names) || ` Use one of ${names.join(', ')}, or a .yaml file.`;
    throw usageError.UNKNOWN_NAME(`Unknown profile "${name}".${guess}`, at);
  }
  const path = resolve(cwd, name);
  return readProfile(readFile('the profile', path, name, at), name, dirname(path));
}

function readFile(what: string, path: string, name: string, at?: FilePlace): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw cannotRead(what, name, error, at);
  }
}

/** `folder`: its suite is relative to it. Throws for every mistake in the file, in form or in meaning. */
export function readProfile(text: string, file: string, folder: string): Profile {
  const document = parseYaml(text, file);
  const mistakes = new Mistakes();
  refuseVariables(document, [], mistakes);
  const isSound = checkForm('profile', document, mistakes);
  const written = (document.value ?? {}) as ProfileFile;
  const { profile: name, version, about, suite } = written;
  if (typeof name === 'string') mistakes.attempt(() => refuseTakenName(name, document), true);
  const listed = readChanges(document, isSound, mistakes);
  refuseRepeated(listed, document, mistakes);
  const own = listed.map(([, change]) => change);
  const hasSuite = typeof suite === 'string' && isSound('suite');
  const suiteDocument = hasSuite ? mistakes.attempt(() => readSuite(suite, folder, document)) : undefined;
  const cases = suiteDocument && { file: resolve(folder, suiteDocument.file), value: suiteDocument.value as Json };
  // Without the suite that was named, nobody knows what it judges.
  if (suite === undefined || suiteDocument) refuseUnjudged(listed, cases?.value, document, mistakes);
  const changes = [...own, ...(mistakes.attempt(() => clausesBeside(own, suiteDocument)) ?? [])];
  mistakes.throwAny();
  return {
    name,
    version,
    ...withoutUndefined({ about, suite: cases }),
    file,
    changes,
    // The name of the suite file does not matter; its contents do.
    digest: digestOf({ ...written, ...(cases && { suite: cases.value }) }),
  };
}

function readChanges(document: YamlDocument, isSound: IsSound, mistakes: Mistakes): readonly ListedChange[] {
  const changes: unknown = memberOf(document.value, 'changes');
  const entries = Array.isArray(changes) ? [...(changes as ProfileFile['changes']).entries()] : [];
  return entries.flatMap((entry): readonly ListedChange[] => {
    const change = mistakes.attempt(() => readChange(entry, document, isSound, mistakes), true);
    return change ? [[entry[0], change]] : [];
  });
}

function readSuite(suite: string, folder: string, document: YamlDocument): YamlDocument {
  const path = resolve(folder, suite);
  return parseYaml(readFile('the suite', path, suite, placeOf(document, 'suite')), suite);
}

/** Those that the suite brings along. They have no line in the profile. */
function clausesBeside(changes: Profile['changes'], suite: YamlDocument | undefined): Profile['changes'] {
  return (suite ? readOwnClauses(suite) : []).map(({ line = 1, ...change }) => {
    const before = changes.find((other) => other.kind === 'clause' && other.clause === change.clause);
    if (!before) return change;
    const at = { file: suite?.file ?? '', line };
    throw new UsageError(`${change.clause} is already a change of the profile. Keep one of the two.`, at);
  });
}

/** Reports print profiles, and a variable may hold a secret. */
function refuseVariables(document: YamlDocument, path: Path, mistakes: Mistakes, value = document.value): void {
  if (typeof value === 'string' && value.includes('${')) {
    const message = '${…} is not replaced in a profile, since reports print it. Write the value itself.';
    mistakes.add(new UsageError(message, placeOf(document, ...path)));
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    refuseVariables(document, [...path, name], mistakes, name);
    refuseVariables(document, [...path, name], mistakes, member);
  }
}

/** Its verdicts would look like those of v1, or of a profile of the package. The latter is read under its own name. */
function refuseTakenName(name: string, document: YamlDocument): void {
  if (document.file === name || !['v1', ...builtInProfiles()].includes(name)) return;
  const whose = name === 'v1' ? 'the contract itself' : "a profile of wirecheck's";
  throw new UsageError(`${name} is ${whose}. Choose another name.`, placeOf(document, 'profile'));
}

/** A clause that no case can break would be a promise that always seems kept. */
function refuseUnjudged(
  changes: readonly ListedChange[],
  cases: unknown,
  document: YamlDocument,
  mistakes: Mistakes,
): void {
  const text = JSON.stringify(cases ?? null);
  // Checks on what v1 leaves open record it and find nothing.
  const isOnlyObserved = (id: string): boolean =>
    clausesOfV1().some((clause) => clause.id === id && clause.level === 'observe');
  for (const [index, change] of changes) {
    const isOwn = change.kind === 'clause';
    if (!isOwn && (change.kind !== 'level' || !isOnlyObserved(change.clause))) continue;
    if (text.includes(`"clause":${JSON.stringify(change.clause)}`)) continue;
    const remedy = cases === undefined ? 'Name the suite that does, as suite' : 'Add one to the suite';
    const problem = isOwn
      ? `no case judges ${change.clause}`
      : `${change.clause} is only observed: no case of wirecheck can break it, so one of yours has to`;
    mistakes.add(new UsageError(`${problem}. ${remedy}.`, placeOf(document, 'changes', index, 'clause')));
  }
}

// Reads one change of a profile. What a schema cannot say is refused here, at its line.

type ChangePath = readonly [] | readonly [keyof ChangeEntry, ...string[]];

interface Complain {
  /** Ends the reading of the change. */
  readonly refuse: (message: string, ...path: ChangePath) => never;
  /** The reading goes on, to find the other mistakes of the change. */
  readonly note: (message: string, ...path: ChangePath) => void;
}

/** Values in place of keys whose form is wrong, so that the others are read. Nothing is said of them. */
const STAND_INS = {
  ...{ why: 'a reason', level: 'must', summary: 'a sentence', hurts: 'a sentence' },
  ...{ types: [], min: Number.NaN, max: Number.NaN },
} as const satisfies Partial<ChangeEntry>;
const STAND_IN_NAMES = Object.keys(STAND_INS) as readonly (keyof typeof STAND_INS)[];

/**
 * The first mistake that leaves nothing to read is thrown; the others are kept in `mistakes`. Undefined if the form of the
 * change says nothing of what it changes.
 */
function readChange(
  [index, written]: readonly [index: number, written: ChangeEntry],
  document: YamlDocument,
  isSoundAt: IsSound,
  mistakes: Mistakes,
): ProfileChange | undefined {
  if (!isObject(written)) return undefined;
  const isSound = (key: string): boolean => isSoundAt('changes', index, key);
  const wrong = STAND_IN_NAMES.filter((key) => !isSound(key) || (key === 'why' && written.why === undefined));
  const entry: ChangeEntry = { ...written, ...Object.fromEntries(wrong.map((key) => [key, STAND_INS[key]])) };
  const mistake = (message: string, path: ChangePath): UsageError =>
    new UsageError(message, placeOf(document, 'changes', index, ...path));
  const note: Complain['note'] = (message, ...path) => {
    if (!wrong.some((key) => key === path[0])) mistakes.note(mistake(message, path));
  };
  const refuse: Complain['refuse'] = (message, ...path) => {
    throw mistake(message, path);
  };
  const why = entry.why.trim();
  if (/^(todo|tbd|fixme)\b/i.test(why) || !/\p{L}/u.test(why))
    note('why must give the reason for the change. Write it in a sentence.', 'why');
  if (KIND_NAMES.some((name) => !isSound(name))) return undefined;
  const [kind, another] = KIND_NAMES.filter((name) => entry[name] !== undefined);
  if (kind === undefined) return refuse(`a change needs one of ${KIND_NAMES.join(', ')}.`);
  if (another !== undefined) refuse(`a change has both ${kind} and ${another}. Make two changes of it.`, another);
  const [read, ...beside] = KINDS[kind];
  const allowed: readonly string[] = [kind, 'why', ...beside];
  for (const key of Object.keys(entry) as (keyof ChangeEntry)[]) {
    if (!allowed.includes(key) && isSound(key)) note(`${key} does not belong to a change of ${kind}. Remove it.`, key);
  }
  return { ...read(entry, { refuse, note }), line: document.lineOf(['changes', index]), why };
}

type Kind = 'clause' | 'limit' | 'required' | 'field' | 'add';

type ReadChange = (entry: ChangeEntry, complain: Complain) => ProfileChange;

/** How each is read, and the keys that may stand beside the one that says what is changed. */
const KINDS: Readonly<Record<Kind, readonly [ReadChange, ...beside: (keyof ChangeEntry)[]]>> = {
  clause: [readClauseChange, 'level', 'summary', 'hurts'],
  limit: [readLimit, 'min', 'max'],
  required: [readRequired],
  field: [readField, 'types'],
  add: [readAdded],
};
const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

function readClauseChange(entry: ChangeEntry, { refuse, note }: Complain): ProfileChange {
  const { clause: id = '', level = STAND_INS.level, summary, hurts } = entry;
  const known = clausesOfV1();
  const clause = known.find((each) => each.id === id);
  if (entry.level === undefined) note(`the change of ${inert(id, 100)} needs level.`, 'clause');
  if (clause) {
    if (summary !== undefined) note(`${id} is a clause of v1, so its summary stays. Remove summary.`, 'summary');
    if (hurts !== undefined) note(`${id} is a clause of v1, which says who is hurt. Remove hurts.`, 'hurts');
    if (clause.level === 'none') refuse(`${id} cannot be judged: ${clause.why ?? 'it does not show.'}`, 'clause');
    if (clause.level === entry.level) note(`${id} is ${level} in v1 already. Remove the change.`, 'level');
    return { kind: 'level', clause: id, level };
  }
  if (summary === undefined) {
    const ids = known.map((each) => each.id);
    const guess = didYouMean(id, ids) || ' A clause of your own needs summary.';
    return refuse(`unknown clause "${inert(id, 100)}".${guess}`, 'clause');
  }
  const wrongId = findWrongId(id);
  if (wrongId !== undefined) refuse(wrongId, 'clause');
  return { kind: 'clause', clause: id, level, summary, ...withoutUndefined({ hurts }) };
}

function readLimit({ limit: field = '', min, max }: ChangeEntry, { refuse, note }: Complain): ProfileChange {
  const { limits } = loadContract().rules;
  const { minimum, maximum } =
    limits[field] ?? refuse(unknown('v1 has no limit for', field, Object.keys(limits)), 'limit');
  if (min === undefined && max === undefined) refuse(`the limit of ${field} needs min or max.`, 'limit');
  const wrongMin = findWrongBound('min', field, min, minimum);
  if (wrongMin !== undefined) note(wrongMin, 'min');
  const wrongMax = findWrongBound('max', field, max, maximum);
  if (wrongMax !== undefined) note(wrongMax, 'max');
  // A limit that is lifted is a word.
  const [least, most] = [min ?? minimum, max ?? maximum];
  const isAbove = typeof least === 'number' && typeof most === 'number' && least > most;
  if (isAbove && wrongMin === undefined && wrongMax === undefined)
    note(`the minimum of ${field} (${least}) is above its maximum (${most}).`, min === undefined ? 'max' : 'min');
  return { kind: 'limit', field, ...withoutUndefined({ min: writtenBound(min), max: writtenBound(max) }) };
}

/** `null` for a limit that is lifted. */
function writtenBound(changed: ChangedBound | undefined): number | null | undefined {
  return typeof changed === 'string' ? null : changed;
}

/** `usual`: of v1. */
function findWrongBound(end: 'min' | 'max', field: string, bound?: ChangedBound, usual?: number): string | undefined {
  const name = `${end} of ${field}`;
  if (bound === undefined) return undefined;
  if (usual === undefined) return `v1 has no ${name}. Remove it.`;
  // YAML has .inf and .nan, and JSON has not.
  if (typeof bound === 'number' && !Number.isFinite(bound)) return `the ${name} must be a number or none.`;
  if (bound === usual) return `the ${name} is ${usual} in v1 already. Remove it.`;
  const { type } = loadContract().schemas.get(REQUEST_SCHEMA)?.properties?.[field] ?? {};
  const isFraction = type === 'integer' && typeof bound === 'number' && !Number.isInteger(bound);
  return isFraction ? `the ${name} must be a whole number.` : undefined;
}

function unknown(what: string, name: string, known: readonly string[]): string {
  const guess = didYouMean(name, known) || ` Use one of ${known.join(', ')}.`;
  return `${what} "${inert(name, 100)}".${guess}`;
}

function readRequired({ required: field = '' }: ChangeEntry, { refuse }: Complain): ProfileChange {
  const { properties = {}, required = [] } = loadContract().schemas.get(REQUEST_SCHEMA) ?? {};
  if (required.includes(field)) refuse(`v1 requires ${field} already. Remove the change.`, 'required');
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  if (!optional.includes(field))
    refuse(`${unknown('v1 has no parameter', field, optional)} Send other fields with add.`, 'required');
  return { kind: 'required', field };
}

function readField({ field = '', types }: ChangeEntry, { refuse, note }: Complain): ProfileChange {
  const isField = Object.hasOwn(FIELDS, field);
  if (!isField) note(unknown('no answer has a field', field, Object.keys(FIELDS)), 'field');
  if (types === undefined) return refuse(`the change of ${field} needs types.`, 'field');
  for (const [index, type] of types.entries())
    if (!TYPES.includes(type)) note(unknown('unknown type', type, TYPES), 'types', String(index));
  const usual = isField ? typeOfField(field, loadContract().schemas) : undefined;
  if (types.length === 1 && types[0] === usual) note(`${field} is a ${usual} in v1 already. Remove it.`, 'types');
  // Requests name models by their ids, and a request's model is a string.
  if (field === 'model.id' && !types.includes('string')) note('model.id must allow string. Add it.', 'types');
  return { kind: 'field', field, types };
}

function readAdded({ add = {} }: ChangeEntry, { note }: Complain): ProfileChange {
  const fields = Object.keys(loadContract().schemas.get(REQUEST_SCHEMA)?.properties ?? {});
  for (const pointer of Object.keys(add)) {
    const [first = ''] = pointerTokens(pointer);
    if (fields.includes(first))
      note(`${first} is a field of part 2, which cases test. Remove it from add.`, 'add', pointer);
  }
  return { kind: 'add', fields: add };
}

// Changes of a profile that are about the same thing.

/** A change, and its place in the list. */
type ListedChange = readonly [index: number, change: ProfileChange];

/** A change twice would leave open which of the two holds. */
function refuseRepeated(changes: readonly ListedChange[], document: YamlDocument, mistakes: Mistakes): void {
  const lines = new Map<string, number>();
  for (const [index, change] of changes) {
    const kind = change.kind === 'level' ? 'clause' : change.kind;
    for (const name of namesOf(change)) {
      const at = placeOf(document, 'changes', index, kind, ...(kind === 'add' ? [name] : []));
      const known = [...lines.keys()].find((each) => overlap(each, `${kind} ${name}`));
      if (known !== undefined) {
        const message = `${inert(known, 100)} is already on line ${lines.get(known)}. Keep one of the two.`;
        mistakes.add(new UsageError(message, at));
      } else lines.set(`${kind} ${name}`, at.line);
    }
  }
}

/** An added field may be inside another. */
function overlap(name: string, other: string): boolean {
  return name === other || name.startsWith(`${other}/`) || other.startsWith(`${name}/`);
}

function namesOf(change: ProfileChange): readonly string[] {
  if (change.kind === 'add') return Object.keys(change.fields);
  return [change.kind === 'level' || change.kind === 'clause' ? change.clause : change.field];
}
