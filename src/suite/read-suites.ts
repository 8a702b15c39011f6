/** Reads suites: built-in ones by name, others from a file. */

import { oncePer } from '../once-per.ts';
import { readFileSync, statSync } from 'node:fs';
import { REQUEST_SCHEMA } from '../contract/assemble-contract.ts';
import type { Contract, ContractSuite, RequestRules } from '../contract/contract.ts';
import { checkFile, checkForm } from '../contract/file-schema.ts';
import { readPackageFile } from '../contract/package-files.ts';
import { type ChosenContract, contractAsWritten, contractOf } from '../contract/profile/apply-profile.ts';
import { checkNames, isCheckName } from '../contract/profile/own-clauses.ts';
import { readSuiteBytes } from '../contract/suite-bytes.ts';
import { parseYaml, placeOf, type YamlDocument } from '../contract/yaml/yaml-document.ts';
import { isObject, type Json, type JsonObject, memberOf, parseJson, pointerTokens } from '../json.ts';
import { Mistakes } from '../mistakes.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import { type BaseRequests, type Case, SELECTIONS, type Suite } from './case.ts';
import { expandCase } from './expand-case.ts';
import { type EntryPlace, type IsUnread, readCases } from './read-cases.ts';
import type { CaseEntry, RequestFile, SuiteFile } from './suite-file.ts';
import { loadContract } from '../contract/read-contract.ts';
import { fitBrief, nearest } from './fill-limits.ts';
import { BUILT_IN_SUITES, isBuiltInSuite, requireSuite } from './suite-names.ts';

/** All built-in suites, which never change: a command needs them several times, and a fleet for every target. */
const builtInSuites = oncePer((contract: Contract) => readSuites(BUILT_IN_SUITES, contract));

/**
 * `names` are built-in suites or paths of YAML files; an empty list means all built-in suites. With all of them come the
 * suites that only this contract has.
 */
export function loadSuites(names: readonly string[], contract: Contract): readonly Suite[] {
  return names.length > 0 ? readSuites(names, contract) : builtInSuites(contract);
}

/**
 * The contract with the clauses that suites bring along. It is needed before their cases can be read, so if it has
 * mistakes, those of the cases are told with them.
 */
export function contractOfSuites(chosen: ChosenContract): Contract {
  const mistakes = new Mistakes();
  const contract = mistakes.attempt(() => contractOf(chosen));
  if (contract) return contract;
  // The form of these files was said.
  const form = new Mistakes();
  if (!chosen.profile) mistakes.attempt(() => readSuites(chosen.suites ?? [], contractAsWritten(chosen), form));
  mistakes.throwAny();
  throw new Error('A contract that cannot be made has a mistake.');
}

function readSuites(names: readonly string[], contract: Contract, formMistakes?: Mistakes): readonly Suite[] {
  const cases = new Map<string, Case>();
  const chosen = new Set(names);
  const own = BUILT_IN_SUITES.every((name) => chosen.has(name)) ? ownSuites(contract) : [];
  // Built-in cases start from each other, and those of a file from any of them, in whatever order the user names them.
  const ours = BUILT_IN_SUITES.filter((name) => chosen.has(name));
  const mistakes = new Mistakes();
  const form = formMistakes ?? mistakes;
  const read = [...new Set([...ours, ...chosen])].map((name) => readSuiteFile(name, form));
  const all = [...read, ...own.map((document) => checkedOwn(document.file, document, form))];
  const suites = all.flatMap((each) => mistakes.attempt(() => readSuite(each, contract, cases, chosen)) ?? []);
  // A case with a mistake is not read, but it can be named.
  const writtenIds = ({ document: { value } }: (typeof all)[number]): readonly string[] =>
    listIn(value, 'cases').map((entry) => `${textIn(value, 'suite')}/${textIn(entry, 'id')}`);
  const written = mistakes.isEmpty && form.isEmpty ? [] : all.flatMap(writtenIds);
  const named = all.filter(({ document }) => textIn(document.value, 'suite') !== '');
  for (const { document } of named) checkOver(document, [...cases.keys()], written, mistakes);
  mistakes.throwAny();
  return suites;
}

/** The ids of all the cases that an entry makes. */
function idsIn(suite: string, entry: unknown): readonly string[] {
  const id = textIn(entry, 'id');
  if (id === '') return [];
  const [each, bases] = [memberOf(entry, 'each'), memberOf(entry, 'for')];
  const labels = isObject(each) ? Object.keys(each) : Array.isArray(bases) ? bases.map(String) : [];
  return labels.length === 0 ? [`${suite}/${id}`] : labels.map((label) => `${suite}/${id}[${label}]`);
}

function textIn(holder: unknown, key: string): string {
  const text = memberOf(holder, key);
  return typeof text === 'string' ? text : '';
}

/** Its cases that judge every run are loaded with any suite. */
const SUITE_OF_EVERY_RUN = 'errors';

/** The suites of a run: those of `names`, and the built-in cases that judge every run. */
export function loadRunSuites(names: readonly string[], contract: Contract): readonly Suite[] {
  const suites = loadSuites(names, contract);
  if (names.length === 0 || names.includes(SUITE_OF_EVERY_RUN)) return suites;
  const added = loadSuites([SUITE_OF_EVERY_RUN], contract).map((suite): Suite => ({
    ...suite,
    cases: suite.cases.filter(({ always }) => always),
    added: true,
  }));
  return [...suites, ...added];
}

function readSuite(
  { name, document, isSound }: ReturnType<typeof checkedOwn>,
  contract: Contract,
  cases: Map<string, Case>,
  chosen: ReadonlySet<string>,
): Suite | undefined {
  const { suite, title, cases: entries } = (document.value ?? {}) as Partial<SuiteFile>;
  // The form of the file is wrong, which was said.
  if (typeof suite !== 'string' || title === undefined || !Array.isArray(entries)) return undefined;
  // Of some built-in suites, whatever rests on another is left out. A file of the user names what it needs, so that a case
  // that is missing there is a mistake.
  const isPart = isBuiltInSuite(name) && !BUILT_IN_SUITES.every((other) => chosen.has(other));
  const isLeftOut = (id: string): boolean => isPart && !cases.has(id);
  const known = { contract, requests: loadRequests(contract), cases, isLeftOut };
  const located = entries.map((entry: CaseEntry, index) => {
    const path = ['cases', index];
    return { entry, path, ids: idsIn(suite, entry), isSound: isSound(...path) };
  });
  const read = (entry: CaseEntry, place: EntryPlace, isUnread: IsUnread): readonly Case[] =>
    expandCase(suite, entry, place, { ...known, isUnread });
  return { name: suite, title, cases: readCases(document, located, read, cases) };
}

function readSuiteFile(name: string, mistakes: Mistakes) {
  requireSuite(name);
  const isOurs = isBuiltInSuite(name);
  const file = isOurs ? `suites/${name}.yaml` : name;
  const document = parseYaml(isOurs ? readPackageFile(file) : readSuiteBytes(name).toString('utf8'), file);
  if (!isOurs) return checkedOwn(name, document, mistakes);
  checkFile('suite', document);
  return { name, document, isSound: () => true };
}

function checkedOwn(name: string, document: YamlDocument, mistakes: Mistakes) {
  checkNames(document, mistakes);
  return { name, document, isSound: checkForm('suite', document, mistakes, isCheckName) };
}

/** Suites that only this contract has: for the fields that it requires, and the file that came with it. */
function ownSuites(contract: Contract): readonly YamlDocument[] {
  return [suiteOfRequired(contract), contract.suite && recallSuite(contract.suite)].filter(
    (each) => each !== undefined,
  );
}

/** The document has its lines if the file is still what it was. A recording of a stranger may name any path. */
function recallSuite({ file, value }: ContractSuite): YamlDocument {
  const recorded = { file, value, lineOf: () => 1 };
  try {
    const read = statSync(file).isFile() ? parseYaml(readFileSync(file, 'utf8'), file) : recorded;
    return JSON.stringify(read.value) === JSON.stringify(value) ? read : recorded;
  } catch {
    return recorded;
  }
}

// `over` may name cases of any suite, so it is checked after all of them are read.

/** Checks every entry, also one that has another mistake. `written`: ids that may not be read, without labels. */
function checkOver(document: YamlDocument, ids: readonly string[], written: readonly string[], mistakes: Mistakes) {
  const known = [...SELECTIONS, ...ids];
  for (const [at, entry] of listIn(document.value, 'cases').entries()) {
    for (const [index, name] of listIn(entry, 'over').entries()) {
      if (typeof name !== 'string' || known.includes(name) || written.includes(name.replace(/\[.*$/, ''))) continue;
      const message = `over names "${name}", which is not a case.${didYouMean(name, known)}`;
      mistakes.note(new UsageError(message, placeOf(document, 'cases', at, 'over', index)));
    }
  }
}

function listIn(holder: unknown, key: string): readonly unknown[] {
  const list = memberOf(holder, key);
  return Array.isArray(list) ? list : [];
}

// A contract that requires more fields than v1 does has a case for each: a request without the field is refused.

const REQUIRED_SUITE = 'required';

/** Those of v1 have cases of their own. */
const OF_V1 = ['model', 'messages'];

function suiteOfRequired({ rules, schemas }: Contract): YamlDocument | undefined {
  const { properties = {} } = schemas.get(REQUEST_SCHEMA) ?? {};
  const cases = rules.required.flatMap((field): CaseEntry[] => {
    const named = properties[field]?.['x-clause'];
    const clause = typeof named === 'string' ? undefined : named?.absent;
    if (OF_V1.includes(field) || clause === undefined) return [];
    const id = `without-${field.replaceAll('_', '-')}`;
    const title = `A request without ${field} is not answered with a completion`;
    // Streamed, so that a reply without a limit can be ended at its first text.
    const control = field === 'max_tokens' ? 'chat-stream' : 'chat';
    return [{ id, title, control, remove: `/${field}`, expect: [{ clause, check: 'refused' }] }];
  });
  if (cases.length === 0) return undefined;
  const value: SuiteFile = { suite: REQUIRED_SUITE, title: 'Fields that the profile requires', cases };
  return { file: 'profile', value, lineOf: () => 1 };
}

// Loads the base requests from `suites/requests.yaml`, by name.

const FILE = 'suites/requests.yaml';

const CHAT = '/chat/completions';

const requestsOf = oncePer(({ rules }: Contract) => readRequests(parseYaml(readPackageFile(FILE), FILE), rules));

/** The base requests, with everything that the contract requires. */
export function loadRequests(contract: Contract = loadContract()): BaseRequests {
  return requestsOf(contract);
}

export function readRequests(document: YamlDocument, rules?: RequestRules): BaseRequests {
  checkFile('requests', document);
  const entries = Object.entries(document.value as RequestFile);
  const mixed = entries.find(([, { body, raw }]) => body !== undefined && raw !== undefined);
  if (mixed) throw new UsageError('raw must be left out if body is given.', placeOf(document, mixed[0], 'raw'));
  return new Map(
    entries.map(([name, { headers = {}, ...entry }]) => {
      const { path, body } = entry;
      const whole = rules && path === CHAT && isObject(body) && { body: completeRequest(body, rules) };
      return [name, { name, headers, ...entry, ...whole }];
    }),
  );
}

// Adds to a chat request what the contract requires of every one, and what is sent along.

/** `tokens`: the usual max_tokens. */
export function completeRequest(
  body: JsonObject,
  { required, limits, added }: RequestRules,
  tokens: Json = '${replyTokens}',
): JsonObject {
  const missing = required.filter((field) => !Object.hasOwn(body, field));
  const usual = (field: string): Json => (field === 'stream' ? false : nearest(1, limits[field]));
  const filled = missing.map((field) => [field, field === 'max_tokens' ? tokens : usual(field)] as const);
  const whole: JsonObject = { ...body, ...Object.fromEntries(filled) };
  const { max_tokens: most } = whole;
  const asked = most === undefined ? whole : { ...whole, max_tokens: fitBrief(most, limits) };
  return Object.entries(added).reduce(
    (made, [pointer, value]) => withValue(made, pointerTokens(pointer), value) as JsonObject,
    asked,
  );
}

/** The text of a request that is to be answered: complete, and with every parameter within its limits. */
export function fitRequest(text: string, rules: RequestRules, tokens: number): string {
  const body = parseJson(text);
  if (!isObject(body)) return text;
  const fitting = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'number' ? nearest(value, rules.limits[name]) : value,
  ]);
  const most = nearest(tokens, rules.limits['max_tokens']);
  return JSON.stringify(completeRequest(Object.fromEntries(fitting), rules, most));
}

/** Objects on the way are made. */
function withValue(document: Json | undefined, tokens: readonly string[], value: Json): Json {
  const [first, ...rest] = tokens;
  if (first === undefined) return value;
  const here = isObject(document) ? document : {};
  return { ...here, [first]: withValue(Object.hasOwn(here, first) ? here[first] : undefined, rest, value) };
}
