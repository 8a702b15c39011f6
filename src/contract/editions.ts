/** The editions of the tests. A report names the one that it was made by, so that two reports can be set side by side. */

import { isObject, type Json, type JsonObject } from '../json.ts';
import { once } from '../once-per.ts';
import { CONTRACT_SUBJECTS } from './contract.ts';
import { digestOf } from './digest.ts';
import { loadStatedClauses } from './read-contract.ts';
import { listPackageFiles } from './package-files.ts';
import { contractSchemaNames, OPENAPI, schemaValue } from './published-schemas.ts';
import { loadReadings } from './explanations.ts';
import { loadPackageYaml } from './yaml/yaml-document.ts';

export const EDITIONS_FILE = 'schemas/editions.yaml';

/** An entry of the file. */
export interface Edition {
  /** Such as `2026.1`. */
  readonly edition: string;
  /** Absent for a draft, which changes freely. Only the newest can be one. */
  readonly cut?: EditionDigest & { readonly date: string };
  /** What changed since the edition before, for people. */
  readonly changes: readonly string[];
}

/** Newest first. */
export function loadEditions(): readonly Edition[] {
  return loadPackageYaml(EDITIONS_FILE) as readonly Edition[];
}

/** The digest of the built-in files, made when it is first asked for: no request waits for it. */
export const digestNow = once(() => digestContents(loadEditionContents()));

/** The edition that this version of wirecheck judges by. */
export function currentEdition(): { readonly edition: string; readonly editionDigest: string } {
  const [newest] = loadEditions();
  return { edition: newest ? nameOfEdition(newest) : '', editionDigest: digestNow().digest };
}

/** `2026.1`, or `2026.1-draft` until it is cut. */
export function nameOfEdition({ edition, cut }: Edition): string {
  return cut ? edition : `${edition}-draft`;
}

/** The parts that differ between two digests. */
export function changedParts(before: EditionDigest, now: EditionDigest): readonly EditionPart[] {
  return EDITION_PARTS.filter((part) => before.parts[part] !== now.parts[part]);
}

/** Why the newest edition may not stay as it is: what it covers has changed since it was cut. */
export function findEditionProblem(editions: readonly Edition[], now: EditionDigest): string | undefined {
  const [newest] = editions;
  if (newest?.cut === undefined || newest.cut.digest === now.digest) return undefined;
  const parts = changedParts(newest.cut, now).join(', ');
  return `Edition ${newest.edition} was cut on ${newest.cut.date}, and has changed since: ${parts}. Add a new edition at the top of ${EDITIONS_FILE}.`;
}

// What an edition freezes: ids, levels, requests, expectations, schemas and the numbers of readings. Prose is left out, so
// that a better sentence needs no new edition.

export const EDITION_PARTS = ['clauses', 'requests', 'cases', 'schemas', 'readings'] as const;
export type EditionPart = (typeof EDITION_PARTS)[number];

export interface EditionDigest {
  readonly digest: string;
  /** The digest of each part, to tell which one changed. */
  readonly parts: Readonly<Record<EditionPart, string>>;
}

const REQUESTS = 'suites/requests.yaml';

/** The built-in files as they are now. Suites of users belong to no edition. */
export function loadEditionContents(): Readonly<Record<EditionPart, unknown>> {
  const suites = listPackageFiles('suites').filter((file) => file !== REQUESTS);
  return {
    clauses: (['gateway', ...CONTRACT_SUBJECTS] as const).flatMap((side) =>
      loadStatedClauses(side).map(({ id, level, scope, tally }) => ({ id, level, scope, tally })),
    ),
    requests: loadPackageYaml(REQUESTS),
    cases: suites.map((file) => suiteWithoutProse(loadPackageYaml(file) as Json)),
    schemas: [OPENAPI, ...contractSchemaNames()].map((name) => [name, schemaWithoutProse(schemaValue(name) as Json)]),
    readings: loadReadings().map(({ number }) => number),
  };
}

export function digestContents(contents: Readonly<Record<EditionPart, unknown>>): EditionDigest {
  const parts = Object.fromEntries(EDITION_PARTS.map((part) => [part, digestOf(contents[part])]));
  return { digest: digestOf(parts), parts: parts as EditionDigest['parts'] };
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
