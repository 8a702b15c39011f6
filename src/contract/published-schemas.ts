/** The schemas that the package publishes. */
import { listPackageFiles, readPackageFile } from './package-files.ts';
import type { JsonObject } from '../json.ts';
import { loadPackageYaml } from './yaml/yaml-document.ts';

const SUFFIX = '.schema.json';
/** The contract as an OpenAPI description. */
export const OPENAPI = 'openapi';
export const OPENAPI_FILE = 'schemas/v1/openapi.yaml';

/** `v1/model`, `wire/chunk`, `files/report`, …, and `openapi`. */
export function schemaNames(): readonly string[] {
  const files = listPackageFiles('schemas').filter((file) => file.endsWith(SUFFIX));
  return [OPENAPI, ...files.map((file) => file.slice('schemas/'.length, -SUFFIX.length)).toSorted()];
}

export function schemaText(name: string): string {
  const file = name === OPENAPI ? OPENAPI_FILE : `schemas/${name}${SUFFIX}`;
  return readPackageFile(file);
}

export function schemaValue(name: string): unknown {
  return name === OPENAPI ? loadReferenceDescription() : JSON.parse(schemaText(name));
}

/** Names of the schemas that answers are judged by. */
export function contractSchemaNames(): readonly string[] {
  return schemaNames().filter((name) => /^(?:v1|wire)\//.test(name));
}

/** The OpenAPI description that those of deployments are compared with. */
export function loadReferenceDescription(): JsonObject {
  return loadPackageYaml(OPENAPI_FILE) as JsonObject;
}
