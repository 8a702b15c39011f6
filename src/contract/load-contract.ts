/** Loads the contract from `schemas/`. Everything that the first request does not need is loaded on first use. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract, Subject } from './contract.ts';
import { packageRoot } from './package-root.ts';
import { readClauses } from './read-clauses.ts';
import { SchemaStore } from './schema-store.ts';
import { SchemaValidator } from './schema-validator.ts';
import { parseYaml } from './yaml/yaml-document.ts';

/** The schemas that answers are judged by. */
const SCHEMA_FOLDERS = ['v1', 'wire'];
const HASHED_FOLDERS = ['schemas', 'suites'];
/** Says who is affected, and decides nothing: a new measurement is not a new contract. */
const NOT_HASHED = 'schemas/clients.json';
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
  shared ??= loadShared(packageRoot());
  const contract = withClauses(shared, packageRoot(), `schemas/${subject ?? 'v1'}/clauses.yaml`);
  loaded.set(side, contract);
  return contract;
}

function withClauses(from: Shared, root: string, file: string): Contract {
  const clauses = readClauses(parseYaml(readFileSync(join(root, file), 'utf8'), file));
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

function loadShared(root: string): Shared {
  const store = new SchemaStore(join(root, 'schemas'), SCHEMA_FOLDERS);
  const validator = new SchemaValidator(store);
  let hash: string | undefined;
  return {
    get hash() {
      return (hash ??= hashOf(root, HASHED_FOLDERS));
    },
    get schemaNames() {
      return store.names;
    },
    clausesOf: (schema) => store.clausesOf(schema),
    validate: (schema, value, most = MAX_ISSUES) => validator.validate(schema, value, most),
  };
}

/** Includes the path and length of each file, so that no two sets of files produce the same bytes. */
function hashOf(root: string, folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll('\\', '/'),
      )
      .filter((file) => file !== NOT_HASHED)
      .toSorted();
    for (const file of files) {
      const bytes = readFileSync(join(root, file));
      hash.update(`${file}\n${bytes.length}\n`).update(bytes);
    }
  }
  return hash.digest('hex');
}
