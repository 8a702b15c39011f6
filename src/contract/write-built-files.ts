/** Run by the build: stores the parsed YAML files of the package. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type standaloneCode from 'ajv/dist/standalone/index.js';
import { isObject, pointerOf } from '../json.ts';
import { CONTRACT_SUBJECTS } from './contract.ts';
import { EDITIONS_FILE } from './editions.ts';
import { checkFile, compileWith, fileSchema, type FileSchemaName, headOfValidator, schemasOf } from './file-schema.ts';
import { packageRoot } from './package-root.ts';
import { OPENAPI_FILE } from './published-schemas.ts';
import { READINGS_FILE, SENTENCES_FILE } from './explanations.ts';
import { hashOfText, type ParsedText, readYaml, SNAPSHOT, type YamlDocument } from './yaml/yaml-document.ts';

const SIDES = ['v1', ...CONTRACT_SUBJECTS];

/** The files that every run reads, and their schemas. */
function builtInFiles(root: string): readonly (readonly [file: string, schema: FileSchemaName])[] {
  const suites = readdirSync(join(root, 'suites')).filter((file) => file.endsWith('.yaml'));
  return [
    ...SIDES.map((side) => [`schemas/${side}/clauses.yaml`, 'clauses'] as const),
    ...suites.map((file) => [`suites/${file}`, SCHEMA_OF[file] ?? 'suite'] as const),
  ];
}

/** Other files of `suites/` than suites for gateways. */
const SCHEMA_OF: Readonly<Partial<Record<string, FileSchemaName>>> = {
  'requests.yaml': 'requests',
  'client.yaml': 'client-suite',
  'relay.yaml': 'relay-suite',
  'load.yaml': 'load-suite',
  'explore.yaml': 'explore-suite',
};

export function makeYamlSnapshot(root: string): Record<string, ParsedText> {
  const snapshot: Record<string, ParsedText> = {};
  for (const [file, schema] of builtInFiles(root)) {
    const text = readFileSync(join(root, file), 'utf8');
    const document = readYaml(text, file);
    checkFile(schema, document);
    snapshot[hashOfText(text)] = {
      value: document.value,
      lines: Object.fromEntries(linesOf(document, document.value, [])),
      fits: hashOfText(fileSchema(schema)),
    };
  }
  const proseFiles = SIDES.map((side) => `schemas/${side}/explanations.yaml`);
  for (const file of [...proseFiles, READINGS_FILE, SENTENCES_FILE, EDITIONS_FILE, OPENAPI_FILE]) {
    const text = readFileSync(join(root, file), 'utf8');
    // No message ever names a line of these.
    snapshot[hashOfText(text)] = { value: readYaml(text, file).value, lines: {} };
  }
  return snapshot;
}

/** Throws a UsageError for a wrong file, so the build fails. */
export function writeYamlSnapshot(): void {
  const root = packageRoot();
  writeFileSync(join(root, SNAPSHOT), JSON.stringify(makeYamlSnapshot(root)));
}

function* linesOf(
  document: YamlDocument,
  value: unknown,
  path: readonly (string | number)[],
): Generator<[pointer: string, line: number]> {
  yield [pointerOf(path), document.lineOf(path)];
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* linesOf(document, item, [...path, index]);
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) yield* linesOf(document, member, [...path, name]);
}

// Run by the build: the code of the built validators.

/** Those whose making takes longest. People read the mistakes of the others. */
export const BUILT: readonly FileSchemaName[] = ['report', 'recording'];

/** `code`: a module whose default export is the validator. It imports parts of ajv. */
export function validatorCode(name: FileSchemaName): { readonly head: string; readonly code: string } {
  const require = createRequire(import.meta.url);
  const module: { readonly default: typeof standaloneCode.default } = require('ajv/dist/standalone');
  // It only says yes or no, so the first error is enough.
  const { ajv, validate } = compileWith(name, {
    allErrors: false,
    messages: false,
    inlineRefs: false,
    code: { source: true, esm: true },
  });
  return { head: headOfValidator(schemasOf(name)), code: module.default(ajv, validate) };
}
