/** Validates the project's own files. */

import { runInThisContext } from 'node:vm';
import type { Ajv2020, AnySchemaObject, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { pointerTokens, valueAt } from '../json.ts';
import type { Mistakes } from '../mistakes.ts';
import { inert } from '../text/layout.ts';
import { shortJson } from '../text/quote.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import { addFormatsTo, createAjv } from './ajv.ts';
import { findPackageFile, readPackageFile } from './package-files.ts';
import { hashOfText, type Path, type YamlDocument } from './yaml/yaml-document.ts';

/** Files that people write by hand, and whose lines do not depend on each other. */
const WRITTEN_BY_HAND = ['config', 'targets', 'suite', 'profile', 'waivers', 'clients'] as const;
type BuiltInFile = 'clauses' | 'client-suite' | 'relay-suite' | 'load-suite' | 'explore-suite' | 'requests';
/** `traffic` is what reports and recordings share. No file has this shape. */
type MadeFile = 'report' | 'recording' | 'traffic' | 'comparison' | 'board' | 'verification';
export type FileSchemaName = (typeof WRITTEN_BY_HAND)[number] | BuiltInFile | MadeFile;

/** Schemas whose definitions a schema refers to. */
const REFERS_TO: Readonly<Partial<Record<FileSchemaName, readonly FileSchemaName[]>>> = {
  report: ['traffic'],
  recording: ['traffic'],
  comparison: ['traffic', 'report'],
};

const compiled = new Map<FileSchemaName, ValidateFunction>();
const built = new Map<FileSchemaName, IsSoundValue | undefined>();

/** Throws a UsageError with file, line and what to do. */
export function checkFile(name: FileSchemaName, document: ParsedFile): void {
  refuseAny(name, document, findProblems(name, document));
}

/** Says whether nothing is wrong at a path or below it. */
export type IsSound = (...path: Path) => boolean;

/**
 * Keeps the mistakes in the form of a file, and says which of its parts have none: their meaning can be checked too.
 * `isName`: whether a path leads to a name, which hinders nobody from reading the rest.
 */
export function checkForm(
  name: FileSchemaName,
  document: ParsedFile,
  mistakes: Mistakes,
  isName: (path: Path) => boolean = () => false,
): IsSound {
  const problems = findProblems(name, document);
  mistakes.attempt(() => refuseAny(name, document, problems));
  const wrong = problems.filter((problem) => !isName(problem.path));
  return (...path) => !wrong.some((problem) => path.every((key, at) => String(key) === problem.path[at]));
}

function findProblems(name: FileSchemaName, document: ParsedFile): readonly Problem[] {
  // Validated during the build, against the same schema.
  if (document.fits !== undefined && document.fits === hashOfText(fileSchema(name))) return [];
  if (builtValidator(name)?.(document.value)) return [];
  // Used for few values: faster code is not worth the time that ajv takes to make it.
  const options = { verbose: true, inlineRefs: false, code: { optimize: false } };
  const validate = compiled.get(name) ?? compileWith(name, options).validate;
  compiled.set(name, validate);
  if (validate(document.value)) return [];
  const errors = withoutEchoes(validate.errors ?? []);
  const problems = errors.map((error) => problemOf(error, document)).toSorted((a, b) => a.line - b.line);
  if (problems.length === 0)
    throw new Error(`${document.file} does not match the schema ${name}, but there is no error.`);
  return problems;
}

function refuseAny(name: FileSchemaName, document: ParsedFile, problems: readonly Problem[]): void {
  const [first] = problems;
  if (!first) return;
  const isByHand = WRITTEN_BY_HAND.some((each) => each === name);
  const others = isByHand ? listOthers(first, problems, document.file) : [];
  throw new UsageError([first.message, ...others].join('\n'), {
    file: document.file,
    ...(document.lineOf && { line: first.line }),
  });
}

const MAX_PROBLEMS = 20;

/** One for each further line: a second error in a line mostly follows from the first. */
function listOthers({ line: first }: Problem, problems: readonly Problem[], file: string): readonly string[] {
  const firsts = problems.filter(({ line }, at) => line !== first && problems[at - 1]?.line !== line);
  const more = firsts.length - MAX_PROBLEMS;
  return [
    ...firsts.slice(0, MAX_PROBLEMS).map(({ line, message }) => `${file}:${line}: ${message}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

/** The text of the schema. */
export function fileSchema(name: FileSchemaName): string {
  return readPackageFile(`schemas/files/${name}.schema.json`);
}

/** A validator as ajv makes it, and the ajv that made it. */
export function compileWith(
  name: FileSchemaName,
  options: Options,
): { readonly validate: ValidateFunction; readonly ajv: Ajv2020 } {
  const ajv = addFormatsTo(createAjv({ discriminator: true, ...options }));
  const [own, ...others] = schemasOf(name).map((text): AnySchemaObject => JSON.parse(text));
  ajv.addSchema(others);
  return { validate: ajv.compile(own ?? {}), ajv };
}

function builtValidator(name: FileSchemaName): IsSoundValue | undefined {
  if (!built.has(name)) built.set(name, findBuiltValidator(name, schemasOf(name)));
  return built.get(name);
}

/** The texts of a schema and of those that it refers to. */
export function schemasOf(name: FileSchemaName): readonly string[] {
  return [name, ...(REFERS_TO[name] ?? [])].map(fileSchema);
}

// Says in a sentence each what is wrong with a file, from the errors that ajv found.

/** A parsed file. Only YAML has lines. */
type ParsedFile = Pick<YamlDocument, 'file' | 'value'> & Partial<YamlDocument>;

export interface Problem {
  readonly path: readonly string[];
  readonly message: string;
  readonly line: number;
}

/** Keywords that only repeat errors of others. */
const SUMMARIES = new Set(['if', 'propertyNames']);

/** Keywords that report a missing key. */
const ECHOES = new Set(['required', 'not']);

/** A mistyped key is also reported as missing, but the mistyped one is the more useful message. */
function withoutEchoes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unknownKeys = errors.filter(({ keyword }) => keyword === 'additionalProperties');
  const mistyped = new Set(unknownKeys.map(({ instancePath }) => instancePath));
  return errors.filter(
    ({ keyword, instancePath }) => !SUMMARIES.has(keyword) && !(ECHOES.has(keyword) && mistyped.has(instancePath)),
  );
}

function problemOf(error: ErrorObject, document: ParsedFile): Problem {
  const tokens = pointerTokens(error.instancePath);
  const key =
    error.keyword === 'additionalProperties' ? String(error.params['additionalProperty']) : error.propertyName;
  const path = key === undefined ? tokens : [...tokens, key];
  return {
    path,
    message: formatError(error, tokens, key, valueAt(document.value, error.instancePath)),
    line: document.lineOf?.(path) ?? 0,
  };
}

function formatError(error: ErrorObject, tokens: readonly string[], key: string | undefined, value: unknown): string {
  const schema = error.parentSchema ?? {};
  const subject = subjectOf(tokens);
  // The schema's own words take precedence over a sentence made from its keywords.
  const ownWords: unknown = schema['x-message'];
  if (error.keyword === 'additionalProperties') {
    const properties: object = schema['properties'] ?? {};
    return `unknown key "${key ?? ''}" in ${nameOf(schema, subject)}.${didYouMean(key ?? '', Object.keys(properties))}`;
  }
  if (key !== undefined)
    return `"${key}" in ${subject} must be ${typeof ownWords === 'string' ? ownWords : 'a different name'}.`;
  if (error.keyword === 'required')
    return `${nameOf(schema, subject)} needs ${String(error.params['missingProperty'])}.`;
  if (typeof ownWords === 'string') {
    // `not` forbids the key, so its value adds nothing.
    const isQuoted = error.keyword !== 'not' && schema['x-secret'] !== true;
    const examples: readonly string[] = schema['examples'] ?? [];
    const guess = typeof value === 'string' ? didYouMean(value, examples) : '';
    return `${subject} must be ${ownWords}${isQuoted ? `, not ${inert(shortJson(value, 60))}` : ''}.${guess}`;
  }
  const named = error.keyword === 'discriminator' ? nameOf(schema, subject) : subject;
  return `${named} must ${formatDemand(error, value)}.`.replace(/\?\.$/, '?');
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'a map',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

function formatDemand({ keyword, params }: ErrorObject, value: unknown): string {
  return DEMANDS[keyword]?.(params, value) ?? `match the schema (${keyword})`;
}

const notEmpty = (): string => 'not be empty';

const DEMANDS: Readonly<Record<string, (params: ErrorObject['params'], value: unknown) => string>> = {
  type: ({ type }) =>
    `be ${[type]
      .flat()
      .map((name) => TYPES[name] ?? name)
      .join(' or ')}`,
  enum: ({ allowedValues }, value) => {
    const allowed: readonly unknown[] = allowedValues;
    const guess = typeof value === 'string' ? didYouMean(value, allowed.map(String)) : '';
    return `be one of ${allowed.join(', ')}, not ${shortJson(value, 60)}${guess && `.${guess}`}`;
  },
  const: ({ allowedValue }, value) => `be ${shortJson(allowedValue)}, not ${shortJson(value, 60)}`,
  minimum: ({ limit }) => `be ${String(limit)} or more`,
  maximum: ({ limit }) => `be ${String(limit)} or less`,
  minLength: notEmpty,
  minItems: notEmpty,
  minProperties: notEmpty,
  discriminator: ({ tagValue }) => `be of a known kind, not ${shortJson(tagValue, 60)}`,
  uniqueItems: () => 'not contain duplicates',
  pattern: ({ pattern }) => `match ${String(pattern)}`,
};

/** `control`, `an item of over`, or `the file`. */
function subjectOf(tokens: readonly string[]): string {
  const last = tokens.at(-1);
  if (last === undefined) return 'the file';
  if (!/^\d+$/.test(last)) return last;
  const list = tokens.at(-2);
  return list === undefined || /^\d+$/.test(list) ? 'an item' : `an item of ${list}`;
}

/** The title of the schema, such as `a case`. */
function nameOf(schema: AnySchemaObject, subject: string): string {
  const title: unknown = schema['title'];
  return typeof title === 'string' ? title : subject;
}

// Validators of the files that wirecheck reads most, stored in `dist/` by the build: ajv takes more than a second to make
// the one of a report. They only say whether a value is sound; what is wrong with one, the validators of
// `file-schema.ts` tell.

type IsSoundValue = (value: unknown) => boolean;

export const builtValidatorFile = (name: string): string => `dist/validators/${name}.js`;

/** The first line of a built validator. A schema that was changed after the build has a different one. */
export function headOfValidator(schemas: readonly string[]): string {
  return `// ${hashOfText(schemas.join('\n'))}\n`;
}

/** Undefined if the build made none from these schemas. */
export function findBuiltValidator(name: string, schemas: readonly string[]): IsSoundValue | undefined {
  const text = findPackageFile(builtValidatorFile(name));
  if (!text?.startsWith(headOfValidator(schemas))) return undefined;
  // As text, since the one-file bundle has no modules that it could load.
  return runInThisContext(`(() => {${text}\nreturn validator.default;})()`) as IsSoundValue;
}
