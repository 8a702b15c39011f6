/** The contract as an OpenAPI description: what the description of a deployment is held against. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../json.ts';
import { packageRoot } from './package-root.ts';
import { parseYaml } from './yaml/yaml-document.ts';

const FILE = 'schemas/v1/openapi.yaml';

let loaded: Json | undefined;

export function loadReferenceDescription(): Json {
  return (loaded ??= parseYaml(readFileSync(join(packageRoot(), FILE), 'utf8'), FILE).value as Json);
}
