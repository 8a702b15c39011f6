/** Loads the contract from `schemas/`. Everything that the first request does not need is loaded on first use. */
import { createHash } from 'node:crypto';
import type { Contract, Subject } from './contract.ts';
import { listPackageFiles, readPackageFile } from './package-files.ts';
import { readClauses } from './read-clauses.ts';
import { SchemaStore } from './schema-store.ts';
import { SchemaValidator } from './schema-validator.ts';
import { parseYaml } from './yaml/yaml-document.ts';

/** The schemas that answers are judged by. */
const SCHEMA_FOLDERS = ['v1', 'wire'];
const HASHED_FOLDERS = ['schemas', 'suites'];
/** They decide nothing: a new measurement of clients is not a new contract, and neither is a name for this one. */
const NOT_HASHED = ['schemas/clients.json', 'schemas/editions.yaml'];
/** Per clause. */
const MAX_ISSUES = 20;

/** What all sides share. */
type Shared = Omit<Contract, 'clauses' | 'clause'>;

let shared: Shared | undefined;
const loaded = new Map<Subject | 'gateway', Contract>();

/** Loaded once per process. Without a subject: the clauses of a gateway's front. */
export function loadContract(subject?: Subject): Contract {
  const side = subject ?? 'gateway';
  const known = loaded.get(side);
  if (known) return known;
  shared ??= loadShared();
  const contract = withClauses(shared, `schemas/${subject ?? 'v1'}/clauses.yaml`);
  loaded.set(side, contract);
  return contract;
}

function withClauses(from: Shared, file: string): Contract {
  const clauses = readClauses(parseYaml(readPackageFile(file), file));
  const byId = new Map(clauses.map((clause) => [clause.id, clause]));
  return {
    clauses,
    clause: (id) => byId.get(id),
    get hash() {
      return from.hash;
    },
    get schemaNames() {
      return from.schemaNames;
    },
    clausesOf: from.clausesOf,
    validate: from.validate,
  };
}

function loadShared(): Shared {
  const store = new SchemaStore(SCHEMA_FOLDERS);
  const validator = new SchemaValidator(store);
  let hash: string | undefined;
  return {
    get hash() {
      return (hash ??= hashFiles());
    },
    get schemaNames() {
      return store.names;
    },
    clausesOf: (schema) => store.clausesOf(schema),
    validate: (schema, value, most = MAX_ISSUES) => validator.validate(schema, value, most),
  };
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
