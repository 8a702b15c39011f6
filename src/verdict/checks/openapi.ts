/** Finds contradictions between a description and the contract: required statements (part 9.8), bodies, parameters, paths. */
import { oncePer } from '../../once-per.ts';
import { type JsonObject, typeOf } from '../../json.ts';
import { cutText, quoteText, quoteValue } from '../../text/quote.ts';
import { type Check, textOption } from '../check.ts';
import { HOLDS, inconclusive, skipped } from '../check-result.ts';
import { broken, mergeFindings, typedValue, valueFound } from '../finding.ts';
import { compareSchemas, type Contradiction, type Shape, shapeOf, type Side } from '../openapi/compare-schemas.ts';
import { DescriptionReader, items, member, members, type PlacedValue, type Spot } from '../openapi/reader.ts';
import type { Reason } from '../reason.ts';
import type { CheckResult, Finding } from '../verdict.ts';

function compareConstant({ value, pointer }: PlacedValue, expected: string): readonly Contradiction[] {
  if (value === expected) return [];
  const mismatch = value === undefined ? 'absent' : 'value';
  const actualType = typeof value === 'string' ? 'other-text' : typeOf(value);
  return [
    { pointer, mismatch, expected: { kind: 'constant', value: expected }, actualType, actual: valueFound(value) },
  ];
}

function operationContradictions(reader: DescriptionReader, contract: JsonObject): readonly Contradiction[] {
  return pairOperations(reader, contract).flatMap(({ own, found }) => {
    if (found) return compareConstant(member(found.spot, 'operationId'), own.id);
    noteUnread(reader, own);
    const expected = { kind: 'operation', id: own.id, method: own.method, path: own.path } as const;
    const actual = { kind: 'no-operation' } as const;
    return [{ pointer: '/paths', mismatch: 'absent', expected, actualType: 'absent', actual }];
  });
}

function bearerContradictions(reader: DescriptionReader, contract: JsonObject): readonly Contradiction[] {
  const schemes = member(member(reader.root, 'components'), 'securitySchemes');
  const bearers = new Set<string>();
  for (const [name, place] of members(schemes)) {
    if (!reader.spend()) break;
    const { type, scheme } = reader.peek(place)?.value ?? {};
    // RFC 9110 section 11.1: scheme names are case-insensitive.
    if (type === 'http' && typeof scheme === 'string' && scheme.toLowerCase() === 'bearer') bearers.add(name);
  }
  if (bearers.size === 0) {
    for (const [, place] of members(schemes)) reader.follow(place);
    const expected = { kind: 'bearer-scheme' } as const;
    const actual = { kind: 'no-scheme' } as const;
    return [{ pointer: schemes.pointer, mismatch: 'absent', expected, actualType: 'absent', actual }];
  }
  const applies = (security: PlacedValue): boolean =>
    [...items(security)].some((requirement) => [...members(requirement)].some(([name]) => bearers.has(name)));
  return pairOperations(reader, contract).flatMap(({ own, found }) => {
    if (!found) return [];
    // The security of an operation overrides that of the document.
    const of = member(found.spot, 'security');
    const security = of.value === undefined ? member(reader.root, 'security') : of;
    if (applies(security)) return [];
    const expected = { kind: 'bearer-on', operation: own.id } as const;
    return [{ pointer: security.pointer, mismatch: 'security', expected, ...typedValue(security.value) }];
  });
}

/** Paths, parameters and bodies. A result says why there was nothing to judge. */
function compareOperations(reader: DescriptionReader, contract: JsonObject): readonly Contradiction[] | CheckResult {
  const described = operationsOf(reader);
  const pairs = pairOperations(reader, contract, described);
  for (const { own, found } of pairs) if (!found) noteUnread(reader, own);
  const contradictions = pairs.flatMap(({ own, found }) =>
    found ? compareOperation(reader, own, found) : findMisplaced(own, described),
  );
  if (contradictions.length > 0) return contradictions;
  if (pairs.every(({ found }) => !found)) return skipped('no-operations');
  const bodies = pairs.flatMap(({ own, found }) => (found ? listUncompared(reader, own, found) : []));
  return bodies.length === 0 ? contradictions : inconclusive({ kind: 'no-json-schema', bodies });
}

/** The same operationId at another path or method. */
function findMisplaced(own: ContractOperation, described: readonly Operation[]): readonly Contradiction[] {
  return described
    .filter(({ id }) => id === own.id)
    .map(({ spot, method, path }) => ({
      pointer: spot.pointer,
      mismatch: 'place',
      expected: { kind: 'operation', method: own.method, path: own.path },
      actualType: method === own.method ? 'other-path' : 'other-method',
      actual: { kind: 'operation', method, path: quoteText(path) },
    }));
}

function compareOperation(
  reader: DescriptionReader,
  own: ContractOperation,
  found: Operation,
): readonly Contradiction[] {
  const body = (shape: Shape | undefined, holder: PlacedValue, side: Side): readonly Contradiction[] => {
    const schema = shape && jsonSchemaOf(reader, holder);
    return schema?.value === undefined ? [] : compareSchemas(reader, shape as Shape, [schema], { side });
  };
  const responses = responsesOf(found.spot);
  const hasSuccess = responses.some(([status]) => isSuccess(status));
  return [
    ...requiredParameters(reader, found),
    ...body(own.request, member(found.spot, 'requestBody'), 'request'),
    ...responses.flatMap(([status, response]) => {
      if (isSuccess(status)) return body(own.answer, response, 'answer');
      // If a success is described, `default` means the errors.
      const isError = /^[45]([0-9]{2}|XX)$/i.test(status) || (status === 'default' && hasSuccess);
      return isError ? body(own.error, response, 'answer') : [];
    }),
  ];
}

function listUncompared(reader: DescriptionReader, own: ContractOperation, { spot }: Operation): readonly string[] {
  const hasSchema = (holder: PlacedValue): boolean => jsonSchemaOf(reader, holder)?.value !== undefined;
  const successes = responsesOf(spot).filter(([status]) => isSuccess(status));
  return [
    ...(own.request && !hasSchema(member(spot, 'requestBody')) ? [`the request of ${formatOperation(own)}`] : []),
    ...(successes.some(([, response]) => hasSchema(response)) ? [] : [`the 200 of ${formatOperation(own)}`]),
  ];
}

function responsesOf(spot: Operation['spot']): readonly (readonly [string, PlacedValue])[] {
  return [...members(member(spot, 'responses'))].slice(0, MAX_RESPONSES);
}

/** The most per operation. There are fewer statuses than that. */
const MAX_RESPONSES = 600;

function isSuccess(status: string): boolean {
  return status === '200' || /^2XX$/i.test(status);
}

/** OpenAPI 3.0.3, Parameter Object: header parameters with these names are ignored. */
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization'];

/** Existing clients send no parameters, so a required one breaks them. Path parameters belong to the base URL. */
function requiredParameters(reader: DescriptionReader, { item, spot }: Operation): readonly Contradiction[] {
  return [item, spot].flatMap((holder) =>
    [...items(member(holder, 'parameters'))].slice(0, MAX_PARAMETERS).flatMap((place): Contradiction[] => {
      const parameter = reader.follow(place);
      const { name, in: where, required } = parameter?.value ?? {};
      if (!parameter || required !== true || where === 'path') return [];
      if (where === 'header' && typeof name === 'string' && IGNORED_HEADERS.includes(name.toLowerCase())) return [];
      const pointer = member(parameter, 'required').pointer;
      const actual = { kind: 'parameter', name: quoteValue(name ?? null), in: quoteValue(where ?? null) } as const;
      const expected = { kind: 'no-required-parameter' } as const;
      return [{ pointer, mismatch: 'required', expected, actualType: 'parameter', actual }];
    }),
  );
}

const MAX_PARAMETERS = 100;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

interface Operation {
  readonly id: unknown;
  readonly method: string;
  readonly path: string;
  readonly item: Spot;
  readonly spot: Spot;
}

function operationsOf(reader: DescriptionReader): readonly Operation[] {
  const operations: Operation[] = [];
  for (const [path, place] of members(member(reader.root, 'paths'))) {
    if (!reader.spend(METHODS.length)) break;
    const item = reader.peek(place);
    if (!item) continue;
    for (const method of METHODS) {
      const spot = reader.peek(member(item, method));
      if (spot) operations.push({ id: member(spot, 'operationId').value, method, path, item, spot });
    }
  }
  return operations;
}

/** An operation of part 4 with its bodies. */
interface ContractOperation extends Operation {
  readonly id: string;
  readonly request?: Shape;
  readonly answer: Shape;
  readonly error: Shape;
}

/** The operations in the contract's own description. */
const contractOperations = oncePer((contract: JsonObject): readonly ContractOperation[] => {
  const reader = new DescriptionReader(contract);
  const shapeIn = (holder: PlacedValue): Shape | undefined => {
    const schema = jsonSchemaOf(reader, holder);
    return schema && shapeOf(reader, schema);
  };
  return operationsOf(reader).map((operation) => {
    const { id, spot } = operation;
    const responses = member(spot, 'responses');
    const request = shapeIn(member(spot, 'requestBody'));
    const answer = shapeIn(member(responses, '200'));
    const error = shapeIn(member(responses, '401'));
    if (typeof id !== 'string' || !answer || !error)
      throw new Error(`The contract does not describe ${formatOperation(operation)}.`);
    return { ...operation, id, answer, error, ...(request && { request }) };
  });
});

/** `contract`: the contract's own description. `found`: the operation at the same path; its operationId may differ. */
function pairOperations(reader: DescriptionReader, contract: JsonObject, described = operationsOf(reader)) {
  return contractOperations(contract).map((own) => {
    const [found] = described
      .filter(({ method, path }) => method === own.method && isPathOf(own, path))
      .toSorted((a, b) => distance(own, a) - distance(own, b));
    return { own, found };
  });
}

/** Records paths that match an operation that was not found and that cannot be resolved. */
function noteUnread(reader: DescriptionReader, own: Operation): void {
  for (const [path, place] of members(member(reader.root, 'paths'))) if (isPathOf(own, path)) reader.follow(place);
}

/** The version segment is in the path or in `servers`, and a gateway may add its own prefix. */
function isPathOf(own: Operation, path: string): boolean {
  return path.endsWith(own.path);
}

/** If several paths match, the operationId decides, then the path of this major version. */
function distance(own: Operation, { id, path }: Operation): number {
  const byPath = path === own.path ? 0 : path.endsWith(`/v1${own.path}`) ? 1 : 2;
  return (id === own.id ? 0 : 10) + byPath;
}

/** `POST /chat/completions` */
function formatOperation({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** The schema of the JSON body below a request or an answer. */
function jsonSchemaOf(reader: DescriptionReader, holder: PlacedValue): PlacedValue | undefined {
  const body = reader.follow(holder);
  const content = body && reader.follow(member(body, 'content'));
  if (!content) return undefined;
  const types = [...members(content)].slice(0, MAX_TYPES);
  for (const wanted of JSON_TYPES) {
    const found = types.find(([name]) => wanted === name.split(';', 1)[0]?.trim().toLowerCase());
    const media = found && reader.follow(found[1]);
    if (media) return member(media, 'schema');
  }
  return undefined;
}

const JSON_TYPES = ['application/json', 'application/*', '*/*'];
const MAX_TYPES = 100;

type Judge = (reader: DescriptionReader, contract: JsonObject) => readonly Contradiction[] | CheckResult;

const PARTS: Readonly<Record<string, Judge>> = {
  version: ({ root }) => compareConstant(member(root, 'openapi'), '3.0.3'),
  'interface-version': ({ root }) => compareConstant(member(member(root, 'info'), 'version'), '1.0.0'),
  operations: operationContradictions,
  bearer: bearerContradictions,
  agreement: compareOperations,
};

export const openapi: Check = {
  summary: 'The published OpenAPI description agrees with the contract.',
  options: { part: { type: 'string', enum: Object.keys(PARTS), default: 'agreement' } },
  needsNoExchange: true,
  execute: ({ options, run }) => {
    const { description } = run.traffic;
    if (!description) return inconclusive('description-not-read');
    if (description.kind === 'unavailable') {
      const { source, problem } = description;
      return inconclusive({ kind: 'description-unavailable', source, problem });
    }
    const part = textOption(options, 'part', 'agreement');
    const judge = PARTS[part];
    if (!judge) throw new Error(`A description has no part ${part}.`);
    const reader = new DescriptionReader(description.value);
    const found = judge(reader, run.contract.description);
    const [first, ...others] = reader.leftAlone;
    const whyLeft: Reason | undefined =
      first === undefined
        ? undefined
        : { kind: 'reference-not-followed', first: quoteText(first), more: others.length };
    if ('kind' in found) return whyLeft === undefined ? found : skipped(whyLeft);
    // It may be behind an unresolved reference, so it does not count as missing.
    const certain = whyLeft === undefined ? found : found.filter(({ mismatch }) => mismatch !== 'absent');
    if (certain.length > 0) return broken(findingsOf(certain));
    return whyLeft === undefined ? HOLDS : skipped(whyLeft);
  },
};

/** Used as the exchange id in findings, since the description is not an exchange. */
const DESCRIPTION = 'openapi';
const MAX_FINDINGS = 50;
/** Characters. The document chooses the names in a pointer. */
const MAX_POINTER_LENGTH = 300;

/** A schema that is referenced several times is reported once. */
function findingsOf(contradictions: readonly Contradiction[]): readonly Finding[] {
  const once = new Map(contradictions.map((contradiction) => [JSON.stringify(contradiction), contradiction]));
  const findings = [...once.values()].map((contradiction) => ({
    ...contradiction,
    pointer: cutPointer(contradiction.pointer),
    exchange: DESCRIPTION,
    attempt: 0,
    more: 0,
  }));
  const merged = mergeFindings(findings, []);
  const listed = merged.slice(0, MAX_FINDINGS);
  const last = listed.pop();
  return last ? [...listed, { ...last, more: last.more + merged.length - listed.length - 1 }] : [];
}

/** Part of fingerprints: this form must not change. */
function cutPointer(pointer: string): string {
  const start = cutText(pointer, MAX_POINTER_LENGTH);
  return start === pointer ? pointer : `${start}… (${pointer.length} characters)`;
}
