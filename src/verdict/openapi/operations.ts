/** Finds the contract's operations in a description. */
import type { JsonObject } from '../../json.ts';
import { DescriptionReader, member, members, type Place, type Spot } from './reader.ts';
import { type Shape, shapeOf } from './shape.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

export interface Operation {
  readonly id: unknown;
  readonly method: string;
  readonly path: string;
  readonly item: Spot;
  readonly spot: Spot;
}

export function operationsOf(reader: DescriptionReader): readonly Operation[] {
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
export interface ContractOperation extends Operation {
  readonly id: string;
  readonly request?: Shape;
  readonly answer: Shape;
  readonly error: Shape;
}

const known = new WeakMap<object, readonly ContractOperation[]>();

/** From the contract's own description. */
function contractOperations(contract: JsonObject): readonly ContractOperation[] {
  const before = known.get(contract);
  if (before) return before;
  const reader = new DescriptionReader(contract);
  const shapeIn = (holder: Place): Shape | undefined => {
    const schema = jsonSchemaOf(reader, holder);
    return schema && shapeOf(reader, schema);
  };
  const made = operationsOf(reader).map((operation) => {
    const { id, spot } = operation;
    const responses = member(spot, 'responses');
    const request = shapeIn(member(spot, 'requestBody'));
    const answer = shapeIn(member(responses, '200'));
    const error = shapeIn(member(responses, '401'));
    if (typeof id !== 'string' || !answer || !error)
      throw new Error(`The contract does not describe ${formatOperation(operation)}.`);
    return { ...operation, id, answer, error, ...(request && { request }) };
  });
  known.set(contract, made);
  return made;
}

interface OperationPair {
  readonly own: ContractOperation;
  /** The operation at the same path; its operationId may differ. */
  readonly found?: Operation;
}

/** `contract`: the contract's own description. */
export function pairOperations(
  reader: DescriptionReader,
  contract: JsonObject,
  described = operationsOf(reader),
): readonly OperationPair[] {
  return contractOperations(contract).map((own) => {
    const [found] = described
      .filter(({ method, path }) => method === own.method && isPathOf(own, path))
      .toSorted((a, b) => distance(own, a) - distance(own, b));
    return { own, ...(found && { found }) };
  });
}

/** For an operation that was not found: records matching paths that cannot be resolved. */
export function noteUnread(reader: DescriptionReader, own: Operation): void {
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
export function formatOperation({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** The schema of the JSON body below a request or an answer. */
export function jsonSchemaOf(reader: DescriptionReader, holder: Place): Place | undefined {
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
