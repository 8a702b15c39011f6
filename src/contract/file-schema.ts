/** Validates the project's own files. */
import type { Ajv2020, AnySchemaObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import type { Mistakes } from '../mistakes.ts';
import { UsageError } from '../usage-error.ts';
import { createAjv, addFormatsTo } from './ajv.ts';
import { findBuiltValidator, type IsSoundValue } from './built-validators.ts';
import { listProblems, type ParsedFile, type Problem } from './file-problems.ts';
import { readPackageFile } from './package-files.ts';
import type { Path } from './yaml/yaml-document.ts';
import { hashOfText } from './yaml/yaml-snapshot.ts';

export type FileSchemaName =
  | 'clauses'
  | 'profile'
  | 'suite'
  | 'client-suite'
  | 'clients'
  | 'relay-suite'
  | 'load-suite'
  | 'explore-suite'
  | 'requests'
  | 'targets'
  | 'config'
  | 'waivers'
  | 'report'
  | 'recording'
  /** What reports and recordings share. No file has this shape. */
  | 'traffic'
  | 'comparison'
  | 'board'
  | 'verification';

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
  const validate = compiled.get(name) ?? compile(name);
  if (validate(document.value)) return [];
  const problems = listProblems(validate.errors ?? [], document);
  if (problems.length === 0)
    throw new Error(`${document.file} does not match the schema ${name}, but there is no error.`);
  return problems;
}

function refuseAny(name: FileSchemaName, document: ParsedFile, problems: readonly Problem[]): void {
  const [first] = problems;
  if (!first) return;
  const others = SAYS_ALL.has(name) ? listOthers(first, problems, document.file) : [];
  throw new UsageError([first.message, ...others].join('\n'), {
    file: document.file,
    ...(document.lineOf && { line: first.line }),
  });
}

/** Files that people write by hand, and whose lines do not depend on each other. */
const SAYS_ALL: ReadonlySet<FileSchemaName> = new Set(['config', 'targets', 'suite', 'profile', 'waivers', 'clients']);
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

function compile(name: FileSchemaName): ValidateFunction {
  // Used for few values: faster code is not worth the time that ajv takes to make it.
  const { validate } = compileWith(name, { verbose: true, inlineRefs: false, code: { optimize: false } });
  compiled.set(name, validate);
  return validate;
}

/** A validator as ajv makes it, and the ajv that made it. */
export function compileWith(
  name: FileSchemaName,
  options: Options,
): { readonly validate: ValidateFunction; readonly ajv: Ajv2020 } {
  const ajv = addFormatsTo(createAjv({ discriminator: true, ...options }));
  for (const other of REFERS_TO[name] ?? []) ajv.addSchema(parseSchema(other));
  return { validate: ajv.compile(parseSchema(name)), ajv };
}

function builtValidator(name: FileSchemaName): IsSoundValue | undefined {
  if (!built.has(name)) built.set(name, findBuiltValidator(name, schemasOf(name)));
  return built.get(name);
}

/** The texts of a schema and of those that it refers to. */
export function schemasOf(name: FileSchemaName): readonly string[] {
  return [name, ...(REFERS_TO[name] ?? [])].map(fileSchema);
}

function parseSchema(name: FileSchemaName): AnySchemaObject {
  return JSON.parse(fileSchema(name));
}
