/** Says in a sentence each what is wrong with a file, from the errors that ajv found. */
import type { AnySchemaObject, ErrorObject } from 'ajv/dist/2020.js';
import { pointerTokens, valueAt } from '../json.ts';
import { inert } from '../text/inert.ts';
import { shortJson } from '../text/short-json.ts';
import { didYouMean } from '../text/suggestion.ts';
import type { YamlDocument } from './yaml/yaml-document.ts';

/** A parsed file. Only YAML has lines. */
export type ParsedFile = Pick<YamlDocument, 'file' | 'value'> & Partial<YamlDocument>;

export interface Problem {
  readonly path: readonly string[];
  readonly message: string;
  readonly line: number;
}

/** In the order of lines. */
export function listProblems(errors: readonly ErrorObject[], document: ParsedFile): readonly Problem[] {
  return withoutEchoes(errors)
    .map((error) => problemOf(error, document))
    .toSorted((a, b) => a.line - b.line);
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
  if (error.keyword === 'required') {
    return `${nameOf(schema, subject)} needs ${String(error.params['missingProperty'])}.`;
  }
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
  switch (keyword) {
    case 'type': {
      const type: string | readonly string[] = params['type'];
      const types = typeof type === 'string' ? [type] : type;
      return `be ${types.map((name) => TYPES[name] ?? name).join(' or ')}`;
    }
    case 'enum': {
      const allowed: readonly unknown[] = params['allowedValues'];
      const guess = typeof value === 'string' ? didYouMean(value, allowed.map(String)) : '';
      return `be one of ${allowed.join(', ')}, not ${shortJson(value, 60)}${guess && `.${guess}`}`;
    }
    case 'const':
      return `be ${shortJson(params['allowedValue'])}, not ${shortJson(value, 60)}`;
    case 'minimum':
      return `be ${String(params['limit'])} or more`;
    case 'maximum':
      return `be ${String(params['limit'])} or less`;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return 'not be empty';
    case 'discriminator':
      return `be of a known kind, not ${shortJson(params['tagValue'], 60)}`;
    case 'uniqueItems':
      return 'not contain duplicates';
    case 'pattern':
      return `match ${String(params['pattern'])}`;
    default:
      return `match the schema (${keyword})`;
  }
}

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
