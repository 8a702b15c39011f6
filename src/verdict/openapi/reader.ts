/** Reads an untrusted description: follows local references only, with a limit on every walk. */
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../../json.ts';

/** A value and its JSON pointer. */
export interface PlacedValue {
  readonly value: unknown;
  readonly pointer: string;
}

/** An object that is not a reference. */
export interface Spot extends PlacedValue {
  readonly value: JsonObject;
}

/** Length of a chain of references. In practice two or three. */
const MAX_HOPS = 32;
/** Places visited per document: many times what the description of a whole platform needs. */
const MAX_STEPS = 100_000;

export class DescriptionReader {
  readonly root: PlacedValue;
  /** Pointers that were not read: external, dangling or circular references, and parts that are too large. */
  readonly leftAlone = new Set<string>();
  #steps = 0;

  constructor(document: Json) {
    this.root = { value: document, pointer: '' };
  }

  /** False once the limit is reached. */
  spend(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps <= MAX_STEPS) return true;
    this.leftAlone.add('#');
    return false;
  }

  leave({ pointer }: PlacedValue): undefined {
    this.leftAlone.add(pointer);
  }

  /** Resolves references, and records those that cannot be resolved. */
  follow(start: PlacedValue): Spot | undefined {
    return this.peek(start) ?? (isObject(start.value) ? this.leave(start) : undefined);
  }

  /** Like `follow`, but without recording unresolved references. */
  peek(start: PlacedValue): Spot | undefined {
    let here = start;
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const { value, pointer } = here;
      if (!isObject(value)) return undefined;
      const reference = Object.hasOwn(value, '$ref') ? value['$ref'] : undefined;
      // A field that happens to be called `$ref` is not a string.
      if (typeof reference !== 'string') return { value, pointer };
      const target = localPointer(reference);
      if (target === undefined) return undefined;
      here = { value: valueAt(this.root.value, target), pointer: target };
    }
    return undefined;
  }
}

export function member({ value, pointer }: PlacedValue, name: string): PlacedValue {
  const found = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { value: found, pointer: pointer + pointerOf([name]) };
}

/** Empty for anything but an object. */
export function* members(place: PlacedValue): Generator<readonly [name: string, place: PlacedValue]> {
  if (!isObject(place.value)) return;
  for (const name of Object.keys(place.value)) yield [name, member(place, name)];
}

/** Empty for anything but an array. */
export function* items({ value, pointer }: PlacedValue): Generator<PlacedValue> {
  if (!Array.isArray(value)) return;
  for (const [index, item] of (value as readonly unknown[]).entries())
    yield { value: item, pointer: `${pointer}/${index}` };
}

/** RFC 6901 section 6: behind `#`, percent-encoded. */
function localPointer(reference: string): string | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}
