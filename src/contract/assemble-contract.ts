/** Makes a contract of its clauses, its schemas and what belongs to them. Whatever a run may not need is made on first use. */

import { oncePer } from '../once-per.ts';
import { type JsonObject, withoutUndefined } from '../json.ts';
import type { Clause, Contract, ContractSuite, Explanation, JsonSchemas, Range, RequestRules } from './contract.ts';
import { SchemaStore, SchemaValidator } from './schema-validator.ts';

export interface ContractParts {
  hash(): string;
  schemas(): JsonSchemas;
  readonly added: RequestRules['added'];
  readonly suite?: ContractSuite | undefined;
  description(): JsonObject;
  explain(id: string): Explanation | undefined;
}

export const REQUEST_SCHEMA = 'v1/chat-completion-request';

/** Per clause. */
const MAX_ISSUES = 20;

/** Contracts of the same parts share their compiled schemas. */
const validatorOf = oncePer((parts: ContractParts) => new SchemaValidator(new SchemaStore(() => parts.schemas())));

export function assembleContract(clauses: readonly Clause[], parts: ContractParts): Contract {
  const byId = new Map(clauses.map((clause) => [clause.id, clause]));
  const validator = validatorOf(parts);
  const { store } = validator;
  let rules: RequestRules | undefined;
  return {
    clauses,
    clause: (id) => byId.get(id),
    get hash() {
      return parts.hash();
    },
    explain: (id) => parts.explain(id),
    ...(parts.suite && { suite: parts.suite }),
    get rules() {
      return (rules ??= { ...readRules(store.schemas), added: parts.added });
    },
    get description() {
      return parts.description();
    },
    get schemas() {
      return store.schemas;
    },
    get schemaNames() {
      return store.names;
    },
    clausesOf: (schema) => store.clausesOf(schema),
    validate: (schema, value, most = MAX_ISSUES) => validator.validate(schema, value, most),
    couldBreak: (schema, clause, value) => validator.couldBreak(schema, clause, value),
  };
}

/** The same contract with other clauses. Its lazy parts stay lazy. */
export function replaceClauses(contract: Contract, clauses: readonly Clause[]): Contract {
  const byId = new Map(clauses.map((clause) => [clause.id, clause]));
  return Object.defineProperties({} as Contract, {
    ...Object.getOwnPropertyDescriptors(contract),
    clauses: { value: clauses, enumerable: true },
    clause: { value: (id: string) => byId.get(id), enumerable: true },
  });
}

function readRules(schemas: JsonSchemas): Omit<RequestRules, 'added'> {
  const { properties = {}, required = [] } = schemas.get(REQUEST_SCHEMA) ?? {};
  const limits = Object.entries(properties).flatMap(([field, { minimum, maximum }]): [string, Range][] =>
    minimum === undefined && maximum === undefined ? [] : [[field, withoutUndefined({ minimum, maximum })]],
  );
  return { limits: Object.fromEntries(limits), required };
}
