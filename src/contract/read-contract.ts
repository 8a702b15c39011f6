/** Loads the contract from `schemas/`. Everything that the first request does not need is loaded on first use. */

import { createHash } from 'node:crypto';
import { once } from '../once-per.ts';
import { UsageError } from '../usage-error.ts';
import { assembleContract, type ContractParts } from './assemble-contract.ts';
import { type Clause, type Contract, type JsonSchema, type Scope, type Subject, USUAL_LEVEL } from './contract.ts';
import { CHALLENGES_FILE, excludeChallenged, loadChallenges } from './challenges.ts';
import { checkFile } from './file-schema.ts';
import { loadExplanation } from './explanations.ts';
import { listPackageFiles, readPackageFile } from './package-files.ts';
import { contractSchemaNames, loadReferenceDescription, schemaValue } from './published-schemas.ts';
import { parseYaml, placeOf, type YamlDocument } from './yaml/yaml-document.ts';

const HASHED_FOLDERS = ['schemas', 'suites'];
/** They decide nothing: a new measurement of clients is not a new contract, and neither is a name for this one. */
const NOT_HASHED = ['schemas/clients.json', 'schemas/editions.yaml', CHALLENGES_FILE];
const loaded = new Map<Subject | 'gateway', Contract>();

/** Loaded once per process. Without a subject: the clauses of a gateway's front. */
export function loadContract(subject: Subject | 'gateway' = 'gateway'): Contract {
  const known = loaded.get(subject);
  if (known) return known;
  const clauses = excludeChallenged(loadStatedClauses(subject), loadChallenges());
  const contract = assembleContract(clauses, loadShared());
  loaded.set(subject, contract);
  return contract;
}

/** As the edition has them, whatever is challenged. */
export function loadStatedClauses(subject: Subject | 'gateway'): readonly Clause[] {
  const file = `schemas/${subject === 'gateway' ? 'v1' : subject}/clauses.yaml`;
  return readClauses(parseYaml(readPackageFile(file), file));
}

const loadShared = once((): ContractParts => ({
  hash: once(hashFiles),
  schemas: () => new Map(contractSchemaNames().map((name) => [name, schemaValue(name) as JsonSchema])),
  added: {},
  description: loadReferenceDescription,
  explain: loadExplanation,
}));

/** Includes the path and length of each file, so that no two sets of files produce the same bytes. */
function hashFiles(): string {
  const hash = createHash('sha256');
  for (const file of HASHED_FOLDERS.flatMap(listPackageFiles)) {
    if (NOT_HASHED.includes(file)) continue;
    const text = readPackageFile(file);
    hash.update(`${file}\n${Buffer.byteLength(text)}\n`).update(text);
  }
  return hash.digest('hex');
}

/**
 * Clauses of the contract: schemas/v1/clauses.yaml.
 *
 * @public for `npm run schemas`
 */
export type ClauseFile = readonly ClauseEntry[];

/** @title a clause */
export interface ClauseEntry extends Omit<Clause, 'scope' | 'challenged'> {
  /** @default run */
  readonly scope?: Scope;
}

export function readClauses(document: YamlDocument): readonly Clause[] {
  checkFile('clauses', document);
  const lines = new Map<string, number>();
  return (document.value as ClauseFile).map(({ scope = 'run', tally, safety, summary, ...entry }, index) => {
    const { id, kind, level, why } = entry;
    const at = placeOf(document, index, 'id');
    const before = lines.get(id);
    if (before !== undefined)
      throw new UsageError(`the id ${id} is already used on line ${before}. Choose another.`, at);
    lines.set(id, at.line);
    const missing = why === undefined ? findMissingReason(kind, level) : undefined;
    if (missing !== undefined) throw new UsageError(`${id} ${missing}`, placeOf(document, index, 'level'));
    return { ...entry, scope, ...(tally && { tally }), ...(safety && { safety }), summary };
  });
}

function findMissingReason(kind: Clause['kind'], level: Clause['level']): string | undefined {
  if (kind === 'outside') return 'is outside. Add why: the reason why it does not show over the wire.';
  if (level === USUAL_LEVEL[kind]) return undefined;
  return `is ${kind}, which is usually ${USUAL_LEVEL[kind]}. Add why it is ${level}.`;
}
