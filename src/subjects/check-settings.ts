/** The settings that a caller of the library gives, checked by the rows that also check flags and files. */

import { COMMAND } from '../contract/package-files.ts';
import { DEFAULT_CLIENT_SETTINGS } from '../gather/client/client-setup.ts';
import { LEVELS } from '../contract/contract.ts';
import type { ClientSettings } from '../exchange/traffic.ts';
import { isObject, memberOf } from '../json.ts';
import { isSelected, matchesCase, matchesGlob } from '../plan/select.ts';
import { Mistakes } from '../mistakes.ts';
import { SUBJECT_TRAITS } from '../report/subject-traits.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import { inFileOf, SETTING_NAMES, type SettingName, settingOf } from '../settings/setting-names.ts';
import { findDemand, time } from '../settings/value-types.ts';
import type { AnyCase } from '../suite/case.ts';
import { contractOfSuites, loadRunSuites } from '../suite/read-suites.ts';
import { requireSuite } from '../suite/suite-names.ts';
import { inert } from '../text/layout.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { SUBJECTS, SUBJECT_NAMES, type SubjectName, loadAllClauses } from './subjects.ts';

/** What there is to set: the rows by their paths, and further members, which no flag sets. */
interface Members {
  readonly rows: ReadonlyMap<string, SettingName>;
  readonly others: Readonly<Record<string, Demand>>;
  readonly defaults: object;
}

/** What a value must be; undefined if it is that. */
type Demand = (value: unknown) => string | undefined;

const anything: Demand = () => undefined;
const aTime: Demand = (value) => findDemand(time, value);
const aNumber: Demand = (value) => (typeof value === 'number' && value >= 0 ? undefined : 'a number from 0 on');
const aMap: Demand = (value) => (isObject(value) ? undefined : 'an object');
const aList: Demand = (value) => (Array.isArray(value) ? undefined : 'a list');

const CONTRACT = { levels: aMap, profile: aMap };

const OF_RUNS: Members = {
  rows: new Map(
    SETTING_NAMES.flatMap((name) => {
      const { path } = settingOf(name);
      return path === undefined || name === 'profile' ? [] : [[path, name] as const];
    }),
  ),
  others: {
    ...CONTRACT,
    ...{ baseUrl: anything, fedBy: aMap, headers: aList, pauses: aList, retryPauses: aList },
    ...{ 'timeouts.edit': aTime, 'limits.interim': aNumber, 'relay.pace': aNumber, explore: aMap },
  },
  defaults: DEFAULT_SETTINGS,
};

const OF_CLIENTS: Members = {
  rows: new Map(
    (['only', 'skip', 'strict', 'concurrency', 'scenario-timeout'] as const).map(
      (name) => [inFileOf(name)?.key ?? name, name] as const,
    ),
  ),
  others: CONTRACT,
  defaults: DEFAULT_CLIENT_SETTINGS,
};

/** The settings of `run` and `plan`, with the cases that `only` chooses. Throws one UsageError for all mistakes. */
export function checkSettings(settings: Settings): Settings {
  checkAll(settings, OF_RUNS, (mistakes) => {
    for (const name of settings.suites) mistakes.attempt(() => requireSuite(name));
  });
  return choose(settings, 'gateway', () =>
    loadRunSuites(settings.suites, contractOfSuites(settings)).flatMap(({ cases }) => cases),
  );
}

/** The same for both ends of a gateway. */
export function checkRelaySettings(settings: Settings): Settings {
  checkAll(settings, OF_RUNS);
  return choose(settings, 'relay', SUBJECTS.relay.cases);
}

export function checkClientSettings(settings: ClientSettings = DEFAULT_CLIENT_SETTINGS): ClientSettings {
  checkAll(settings, OF_CLIENTS);
  return choose(settings, 'client', SUBJECTS.client.cases);
}

/** The names in them are looked up if their form is right. */
function checkAll(settings: ClientSettings | Settings, members: Members, lookUp?: (mistakes: Mistakes) => void): void {
  if (!isObject(settings)) throw new UsageError('The settings must be an object.');
  const mistakes = new Mistakes();
  for (const mistake of listMistakes(settings, members)) mistakes.add(mistake);
  if (mistakes.isEmpty) {
    lookUp?.(mistakes);
    checkContract(settings, mistakes);
  }
  mistakes.throwAny();
}

function* listMistakes(settings: object, { rows, others, defaults }: Members): Generator<UsageError> {
  const known = [...rows.keys(), ...Object.keys(others)];
  const given = membersOf(settings, defaults);
  for (const [path, value] of given) {
    // Of a group that is no object, nothing else is told.
    if (isGroup(path, defaults)) yield wrongValue(path, value, 'an object');
    else if (known.includes(path)) yield* checkValue(path, value, rows.get(path) ?? others[path] ?? anything);
    else yield unknownMember(path, known, rows);
  }
  for (const path of membersOf(defaults, defaults).keys()) {
    if (given.has(path) || given.has(path.split('.')[0] ?? '')) continue;
    yield usageError.VALUE_MISSING(`${path} is missing: take it from the default settings.`);
  }
}

/** Maps of names of the caller's own, which are one value. */
const MAPS: readonly string[] = ['levels', 'fedBy'];

function isGroup(name: string, defaults: object): boolean {
  return isObject(memberOf(defaults, name)) && !MAPS.includes(name);
}

/** What is given, that of a group such as `timeouts` by its path. */
function membersOf(settings: object, defaults: object): ReadonlyMap<string, unknown> {
  const members = Object.entries(settings).flatMap(([name, value]: [string, unknown]) =>
    isGroup(name, defaults) && isObject(value)
      ? Object.entries(value).map(([member, each]): [string, unknown] => [`${name}.${member}`, each])
      : [[name, value] satisfies [string, unknown]],
  );
  return new Map(members.filter(([, value]) => value !== undefined));
}

/** The config file has some of them by other names. */
function unknownMember(path: string, known: readonly string[], rows: Members['rows']): UsageError {
  const [other] = [...rows].find(([, name]) => inFileOf(name)?.key === path) ?? [];
  const guess = other === undefined ? didYouMean(path, known) : ` Did you mean "${other}"?`;
  return usageError.UNKNOWN_NAME(`Unknown setting "${inert(path, 100)}".${guess}`);
}

function* checkValue(path: string, value: unknown, rule: SettingName | Demand): Generator<UsageError> {
  if (typeof rule === 'function') {
    const demand = rule(value);
    if (demand !== undefined) yield wrongValue(path, value, demand);
    return;
  }
  const { several, type, mayHold } = settingOf(rule);
  // In place of its file.
  if (mayHold === 'PEM text' && typeof value === 'string' && value.includes('-----BEGIN')) return;
  const isList = several !== undefined;
  if (isList && !Array.isArray(value)) return yield wrongValue(path, value, 'a list');
  for (const each of isList ? (value as readonly unknown[]) : [value]) {
    const demand = findDemand(type, each);
    if (demand !== undefined) return yield wrongValue(path, mayHold ? undefined : each, demand);
  }
}

/** `value`: undefined if it may be secret. */
function wrongValue(path: string, value: unknown, demand: string): UsageError {
  return new UsageError(`${path} is ${describe(value)}: it must be ${demand}.`);
}

function describe(value: unknown): string {
  if (value === undefined) return 'not valid';
  if (typeof value === 'string') return value.trim() === '' ? 'empty' : `"${inert(value, 80)}"`;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`;
}

function checkContract({ levels, profile }: Pick<ClientSettings, 'levels' | 'profile'>, mistakes: Mistakes): void {
  const changed = Object.entries(levels);
  for (const [clause, level] of changed) {
    if (LEVELS.includes(level)) continue;
    mistakes.add(wrongValue(`levels["${clause}"]`, level, `one of ${LEVELS.join(', ')}`));
  }
  mistakes.attempt(() => checkLevels(Object.keys(levels), () => undefined));
  if (profile && changed.length > 0)
    mistakes.add(usageError.CONFLICT('levels cannot be used with a profile. Make them changes of the profile.'));
}

/** Looks up the names of cases. Without any, there is no need to load the cases. */
function choose<Of extends Pick<Settings, 'only' | 'skip'>>(
  settings: Of,
  subject: 'gateway' | 'client' | 'relay',
  load: () => readonly AnyCase[],
): Of {
  const { only: given, skip } = settings;
  if (given.length + skip.length === 0) return settings;
  const cases = load();
  const globs: Globs = { only: given, skip, originOf: (name) => ({ label: name }), skipLabel: 'skip' };
  return { ...settings, only: selectCases(globs, cases, subject).only };
}

export interface Globs {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** The text as the user wrote it, and where. */
  readonly originOf: (name: 'only' | 'skip', index: number) => Origin;
  /** How people give `skip`. */
  readonly skipLabel: string;
}

interface Origin {
  readonly label: string;
  readonly at?: { readonly file: string; readonly line: number };
}

/** `only`: the id of a clause stands for the cases that judge it. */
export function selectCases(
  globs: Globs,
  cases: readonly AnyCase[],
  subject: SubjectName,
): { readonly only: readonly string[]; readonly selected: readonly string[] } {
  checkGlobs(globs, cases, subject);
  const only = globs.only.flatMap((glob) => {
    if (cases.some(({ id }) => matchesCase(glob, id))) return [glob];
    return cases.filter(({ expect }) => expect.some(({ clause }) => matchesGlob(glob, clause))).map(({ id }) => id);
  });
  const selected = cases.map(({ id }) => id).filter((id) => isSelected({ only, skip: globs.skip }, id));
  if (selected.length > 0) return { only, selected };
  const { caseWord } = SUBJECT_TRAITS[subject];
  throw usageError.NO_CASES(`No ${caseWord}s to run: ${globs.skipLabel} matches every selected ${caseWord}.`);
}

/** A glob that matches nothing is a typing error: the run would check something else than was meant. */
export function checkGlobs(globs: Globs, cases: readonly AnyCase[], subject: SubjectName): void {
  const { caseWord, list } = SUBJECT_TRAITS[subject];
  const ids = cases.map(({ id }) => id);
  const clauses = [...new Set(cases.flatMap(({ expect }) => expect.map(({ clause }) => clause)))];
  const mistakes = new Mistakes();
  for (const name of ['only', 'skip'] as const) {
    for (const [index, glob] of globs[name].entries()) {
      const known = name === 'only' ? [...ids, ...clauses] : ids;
      if (known.some((id) => matchesCase(glob, id))) continue;
      // `auht/*` is like no case id, but it is like `auth/*`.
      const names = [...new Set(ids.map((id) => id.split('/')[0] ?? id))].map((suite) => `${suite}/*`);
      const suite = names.find((each) => each === `${glob}/*`);
      const guess =
        (suite && ` Did you mean "${suite}"?`) ||
        nameOtherSide(glob, subject) ||
        didYouMean(glob, [...known, ...names]) ||
        ` \`${COMMAND} list ${list}\` lists the ids.`;
      const { label, at } = globs.originOf(name, index);
      const text = `${label} ${inert(glob, 100)} matches no ${caseWord}.${guess}`;
      mistakes.add(usageError.NO_CASES(text, at));
    }
  }
  mistakes.throwAny();
}

/** The side of the wire that has such a case. */
function nameOtherSide(glob: string, subject: SubjectName): string | undefined {
  const has = (name: SubjectName) => SUBJECTS[name].cases([]).some(({ id }) => matchesCase(glob, id));
  const other = SUBJECT_NAMES.find((name) => name !== subject && has(name));
  if (!other) return undefined;
  const { caseWord, command } = SUBJECT_TRAITS[other];
  return ` It is a ${other}'s ${caseWord}: \`wirecheck ${command}\` has it.`;
}

/** One config file serves gateways, clients and relays. `placeOf`: the line of a clause. */
export function checkLevels(
  changed: readonly string[],
  placeOf: (clause: string) => { readonly file: string; readonly line: number } | undefined,
): void {
  if (changed.length === 0) return;
  const ids = loadAllClauses().map(({ id }) => id);
  const mistakes = new Mistakes();
  for (const id of changed) {
    if (ids.includes(id)) continue;
    const guess = didYouMean(id, ids) || ` \`${COMMAND} list clauses\` lists the ids.`;
    mistakes.add(usageError.UNKNOWN_NAME(`unknown clause "${inert(id, 100)}".${guess}`, placeOf(id)));
  }
  mistakes.throwAny();
}
