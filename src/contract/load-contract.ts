/** Loads the contract from `schemas/`. Everything that the first request does not need is loaded on first use. */
import { createHash } from 'node:crypto';
import { assembleContract, type ContractParts } from './assemble-contract.ts';
import type { Clause, Contract, Subject } from './contract.ts';
import { loadExplanation } from './explanations.ts';
import type { JsonSchema, JsonSchemas } from './json-schema.ts';
import { listPackageFiles, readPackageFile } from './package-files.ts';
import { loadReferenceDescription } from './published-schemas.ts';
import { readClauses } from './read-clauses.ts';
import { parseYaml } from './yaml/yaml-document.ts';

/** The schemas that answers are judged by. */
const SCHEMA_FOLDERS = ['v1', 'wire'];
const HASHED_FOLDERS = ['schemas', 'suites'];
/** They decide nothing: a new measurement of clients is not a new contract, and neither is a name for this one. */
const NOT_HASHED = ['schemas/clients.json', 'schemas/editions.yaml'];
let shared: ContractParts | undefined;
const loaded = new Map<Subject | 'gateway', Contract>();

/** Loaded once per process. Without a subject: the clauses of a gateway's front. */
export function loadContract(subject: Subject | 'gateway' = 'gateway'): Contract {
  const known = loaded.get(subject);
  if (known) return known;
  const file = `schemas/${subject === 'gateway' ? 'v1' : subject}/clauses.yaml`;
  const contract = withClauses(readClauses(parseYaml(readPackageFile(file), file)));
  loaded.set(subject, contract);
  return contract;
}

/** Other clauses with the same schemas. */
export function withClauses(clauses: readonly Clause[]): Contract {
  return assembleContract(clauses, (shared ??= loadShared()));
}

function loadShared(): ContractParts {
  let hash: string | undefined;
  return {
    hash: () => (hash ??= hashFiles()),
    schemas: readSchemas,
    added: {},
    description: loadReferenceDescription,
    explain: loadExplanation,
  };
}

const SUFFIX = '.schema.json';

function readSchemas(): JsonSchemas {
  return new Map(
    SCHEMA_FOLDERS.flatMap((folder) =>
      listPackageFiles(`schemas/${folder}`)
        .filter((file) => file.endsWith(SUFFIX))
        .map((file) => file.slice('schemas/'.length, -SUFFIX.length))
        .toSorted()
        .map((name) => [name, JSON.parse(readPackageFile(`schemas/${name}${SUFFIX}`)) as JsonSchema] as const),
    ),
  );
}

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
