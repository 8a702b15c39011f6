/** Where the description of the two operations contradicts the contract: bodies, parameters, place. */
import { loadReferenceDescription } from '../../contract/published-schemas.ts';
import { quoteText, quoteValue } from '../../text/quote.ts';
import { compare } from './compare.ts';
import type { Contradiction } from './contradiction.ts';
import {
  findOperation,
  formatOperation,
  jsonSchemaOf,
  type KnownOperation,
  noteUnread,
  type Operation,
  operationsOf,
} from './operations.ts';
import { DescriptionReader, items, member, members, type Place } from './reader.ts';
import { type Shape, shapeOf, type Side } from './shape.ts';

interface ContractOperation extends KnownOperation {
  readonly request?: Shape;
  readonly answer: Shape;
  readonly error: Shape;
}

let known: readonly ContractOperation[] | undefined;

/** The two operations of part 4 with their bodies, from the contract's own description. */
export function contractOperations(): readonly ContractOperation[] {
  if (known) return known;
  const reader = new DescriptionReader(loadReferenceDescription());
  const shapeIn = (holder: Place): Shape | undefined => {
    const schema = jsonSchemaOf(reader, holder);
    return schema && shapeOf(reader, schema);
  };
  known = operationsOf(reader).map((operation) => {
    const { id, spot } = operation;
    const responses = member(spot, 'responses');
    const request = shapeIn(member(spot, 'requestBody'));
    const answer = shapeIn(member(responses, '200'));
    const error = shapeIn(member(responses, '401'));
    if (typeof id !== 'string' || !answer || !error)
      throw new Error(`The contract does not describe ${formatOperation(operation)}.`);
    return { ...operation, id, answer, error, ...(request && { request }) };
  });
  return known;
}

export interface Agreement {
  readonly contradictions: readonly Contradiction[];
  /** How many of the two operations there were to look at. */
  readonly operations: number;
  /** Bodies of these that the description leaves out, or has in another form than JSON. */
  readonly uncompared: readonly string[];
}

export function compareOperations(reader: DescriptionReader): Agreement {
  const described = operationsOf(reader);
  const pairs = contractOperations().map((own) => ({ own, found: findOperation(own, described) }));
  for (const { own, found } of pairs) if (!found) noteUnread(reader, own);
  return {
    contradictions: pairs.flatMap(({ own, found }) =>
      found ? compareOperation(reader, own, found) : misplaced(own, described),
    ),
    operations: pairs.filter(({ found }) => found).length,
    uncompared: pairs.flatMap(({ own, found }) => (found ? uncompared(reader, own, found) : [])),
  };
}

/** Known by its name, but to be called in another way. */
function misplaced(own: ContractOperation, described: readonly Operation[]): readonly Contradiction[] {
  return described
    .filter(({ id }) => id === own.id)
    .map(({ spot, method, path }) => ({
      pointer: spot.pointer,
      mismatch: 'place',
      expected: { kind: 'operation', method: own.method, path: own.path },
      actualType: method === own.method ? 'another path' : 'another method',
      actual: { kind: 'operation', method, path: quoteText(path) },
    }));
}

function compareOperation(
  reader: DescriptionReader,
  own: ContractOperation,
  found: Operation,
): readonly Contradiction[] {
  const body = (shape: Shape | undefined, holder: Place, side: Side): readonly Contradiction[] => {
    const schema = shape && jsonSchemaOf(reader, holder);
    return schema?.value === undefined ? [] : compare(reader, shape as Shape, [schema], side);
  };
  const responses = responsesOf(found.spot);
  const hasSuccess = responses.some(([status]) => isSuccess(status));
  return [
    ...requiredParameters(reader, found),
    ...body(own.request, member(found.spot, 'requestBody'), 'request'),
    ...responses.flatMap(([status, response]) => {
      if (isSuccess(status)) return body(own.answer, response, 'answer');
      // Beside a success, `default` is what comes instead of one.
      const isError = /^[45]([0-9]{2}|XX)$/i.test(status) || (status === 'default' && hasSuccess);
      return isError ? body(own.error, response, 'answer') : [];
    }),
  ];
}

function uncompared(reader: DescriptionReader, own: ContractOperation, { spot }: Operation): readonly string[] {
  const hasSchema = (holder: Place): boolean => jsonSchemaOf(reader, holder)?.value !== undefined;
  const successes = responsesOf(spot).filter(([status]) => isSuccess(status));
  return [
    ...(own.request && !hasSchema(member(spot, 'requestBody')) ? [`the request of ${formatOperation(own)}`] : []),
    ...(successes.some(([, response]) => hasSchema(response)) ? [] : [`the 200 of ${formatOperation(own)}`]),
  ];
}

function responsesOf(spot: Operation['spot']): readonly (readonly [string, Place])[] {
  return [...members(member(spot, 'responses'))].slice(0, MOST_RESPONSES);
}

/** Of one operation; there are no more statuses. */
const MOST_RESPONSES = 600;

function isSuccess(status: string): boolean {
  return status === '200' || /^2XX$/i.test(status);
}

/** OpenAPI 3.0.3, Parameter Object: a header parameter with one of these names is to be ignored. */
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization'];

/** Existing clients send none, so one that is required breaks them. Parameters in the path belong to the base address. */
function requiredParameters(reader: DescriptionReader, { item, spot }: Operation): readonly Contradiction[] {
  return [item, spot].flatMap((holder) =>
    [...items(member(holder, 'parameters'))].slice(0, MOST_PARAMETERS).flatMap((place): Contradiction[] => {
      const parameter = reader.follow(place);
      const { name, in: where, required } = parameter?.value ?? {};
      if (!parameter || required !== true || where === 'path') return [];
      if (where === 'header' && typeof name === 'string' && IGNORED_HEADERS.includes(name.toLowerCase())) return [];
      const pointer = member(parameter, 'required').pointer;
      const actual = { kind: 'parameter', name: quoteValue(name ?? null), in: quoteValue(where ?? null) } as const;
      const expected = { kind: 'no-required-parameter' } as const;
      return [{ pointer, mismatch: 'required', expected, actualType: 'a parameter', actual }];
    }),
  );
}

const MOST_PARAMETERS = 100;
