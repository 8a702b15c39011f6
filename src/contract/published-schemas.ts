/** The schemas that the package publishes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';
import type { Json } from '../json.ts';
import { parseYaml } from './yaml/yaml-document.ts';

const SUFFIX = '.schema.json';
/** The contract as an OpenAPI description. */
export const OPENAPI = 'openapi';
const OPENAPI_FILE = 'schemas/v1/openapi.yaml';

/** `v1/model`, `wire/chunk`, `files/report`, …, and `openapi`. */
export function schemaNames(): readonly string[] {
  const files = readdirSync(join(packageRoot(), 'schemas'), { recursive: true, encoding: 'utf8' });
  const names = files.filter((file) => file.endsWith(SUFFIX)).map((file) => file.slice(0, -SUFFIX.length));
  return [OPENAPI, ...names.map((name) => name.replaceAll('\\', '/')).toSorted()];
}

export function schemaText(name: string): string {
  const file = name === OPENAPI ? OPENAPI_FILE : `schemas/${name}${SUFFIX}`;
  return readFileSync(join(packageRoot(), file), 'utf8');
}

export function schemaValue(name: string): unknown {
  const text = schemaText(name);
  return name === OPENAPI ? parseYaml(text, OPENAPI_FILE).value : JSON.parse(text);
}

let description: Json | undefined;

/** The OpenAPI description that those of deployments are compared with. */
export function loadReferenceDescription(): Json {
  return (description ??= schemaValue(OPENAPI) as Json);
}
