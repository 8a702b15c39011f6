/** The operations of a description: those of the contract, and where they stand in another one. */
import { type DescriptionReader, member, members, type Place, type Spot } from './reader.ts';

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

/** An operation of the contract. */
export interface KnownOperation extends Operation {
  readonly id: string;
}

/** The operation that stands at the place of a known one; its name may be another. */
export function findOperation(known: KnownOperation, operations: readonly Operation[]): Operation | undefined {
  return operations
    .filter(({ method, path }) => method === known.method && isPathOf(known, path))
    .toSorted((a, b) => distance(known, a) - distance(known, b))[0];
}

/** For an operation that was not found: makes a note of paths that it may stand behind, but that cannot be read. */
export function noteUnread(reader: DescriptionReader, known: KnownOperation): void {
  for (const [path, place] of members(member(reader.root, 'paths'))) if (isPathOf(known, path)) reader.follow(place);
}

/** The version segment stands in the path or in `servers`, and a gateway may have a prefix of its own before it. */
function isPathOf(known: KnownOperation, path: string): boolean {
  return path.endsWith(known.path);
}

/** Where several paths end alike, the name decides, then whether it is the path of this major version. */
function distance(known: KnownOperation, { id, path }: Operation): number {
  const byPath = path === known.path ? 0 : path.endsWith(`/v1${known.path}`) ? 1 : 2;
  return (id === known.id ? 0 : 10) + byPath;
}

/** `POST /chat/completions` */
export function formatOperation({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

/** The schema of the JSON body below a request or an answer. */
export function jsonSchemaOf(reader: DescriptionReader, holder: Place): Place | undefined {
  const content = reader.at(holder, 'content');
  if (!content) return undefined;
  const types = [...members(content)].slice(0, MOST_TYPES);
  for (const wanted of JSON_TYPES) {
    const found = types.find(([name]) => wanted === name.split(';', 1)[0]?.trim().toLowerCase());
    const media = found && reader.follow(found[1]);
    if (media) return member(media, 'schema');
  }
  return undefined;
}

const JSON_TYPES = ['application/json', 'application/*', '*/*'];
const MOST_TYPES = 100;
