/**
 * What an edition freezes: ids, levels, requests, expectations, schemas and the numbers of readings. Prose is left out, so
 * that a better sentence needs no new edition.
 */
import { isObject, type Json, type JsonObject } from '../json.ts';
import { type Clause, CONTRACT_SUBJECTS } from './contract.ts';
import { digestOf } from './digest.ts';
import { loadContract } from './load-contract.ts';
import { listPackageFiles, readPackageFile } from './package-files.ts';
import { OPENAPI, schemaNames, schemaValue } from './published-schemas.ts';
import { loadReadings } from './readings.ts';
import { parseYaml } from './yaml/yaml-document.ts';

export const EDITION_PARTS = ['clauses', 'requests', 'cases', 'schemas', 'readings'] as const;
export type EditionPart = (typeof EDITION_PARTS)[number];

export interface EditionDigest {
  readonly digest: string;
  /** Of each part, to tell which one changed. */
  readonly parts: Readonly<Record<EditionPart, string>>;
}

const REQUESTS = 'suites/requests.yaml';

/** The built-in files as they are now. Suites of users belong to no edition. */
export function loadEditionContents(): Readonly<Record<EditionPart, unknown>> {
  const suites = listPackageFiles('suites').filter((file) => file !== REQUESTS);
  const schemas = schemaNames().filter((name) => name === OPENAPI || /^(?:v1|wire)\//.test(name));
  return {
    clauses: [undefined, ...CONTRACT_SUBJECTS].flatMap((side) => loadContract(side).clauses.map(clauseWithoutProse)),
    requests: valueOf(REQUESTS),
    cases: suites.map((file) => suiteWithoutProse(valueOf(file))),
    schemas: schemas.map((name) => [name, schemaWithoutProse(schemaValue(name) as Json)]),
    readings: loadReadings().map(({ number }) => number),
  };
}

export function digestContents(contents: Readonly<Record<EditionPart, unknown>>): EditionDigest {
  const parts = Object.fromEntries(EDITION_PARTS.map((part) => [part, digestOf(contents[part])]));
  return { digest: digestOf(parts), parts: parts as EditionDigest['parts'] };
}

function valueOf(file: string): Json {
  return parseYaml(readPackageFile(file), file).value as Json;
}

function clauseWithoutProse({ id, level, scope, tally }: Clause) {
  return { id, level, scope, tally };
}

/** The lists in a suite whose entries have titles. */
const ENTRIES = ['cases', 'areas', 'scenarios'];

/** Titles within a request are part of it. */
export function suiteWithoutProse(value: Json): Json {
  if (Array.isArray(value)) return value.map(suiteWithoutProse);
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) => {
    if (name === 'title') return undefined;
    return ENTRIES.includes(name) ? suiteWithoutProse(member) : member;
  });
}

const ANNOTATIONS = ['title', 'description', 'summary', '$comment'];
/** Their members are named by the contract, not by JSON Schema. */
const NAMED = ['properties', 'patternProperties', '$defs', 'schemas'];

export function schemaWithoutProse(value: Json): Json {
  if (Array.isArray(value)) return value.map(schemaWithoutProse);
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) => {
    if (ANNOTATIONS.includes(name) && typeof member === 'string') return undefined;
    return NAMED.includes(name) && isObject(member)
      ? mapMembers(member, schemaWithoutProse)
      : schemaWithoutProse(member);
  });
}

/** A member without a new value is dropped. */
function mapMembers(value: JsonObject, change: (member: Json, name: string) => Json | undefined): JsonObject {
  const members = Object.entries(value).flatMap(([name, member]) => {
    const changed = change(member, name);
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return Object.fromEntries(members);
}
