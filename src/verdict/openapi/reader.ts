/** Finds its way in a description that nobody vouches for: local references only, and an end to every walk. */
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../../json.ts';

/** A value, wherever it was found, and its JSON pointer. */
export interface Place {
  readonly value: unknown;
  readonly pointer: string;
}

/** An object that is no reference. */
export interface Spot extends Place {
  readonly value: JsonObject;
}

/** References that lead to references. Nobody needs more than two or three. */
const MAX_HOPS = 32;
/** Places looked at in one document: many times what a description of a whole platform takes. */
const MAX_STEPS = 100_000;

export class DescriptionReader {
  readonly root: Place;
  /** Where something was not looked at: references out of the document, to nothing or in circles, and whatever is too large. */
  readonly leftAlone = new Set<string>();
  #steps = 0;

  constructor(document: Json) {
    this.root = { value: document, pointer: '' };
  }

  /** False once the document has had its share of attention. */
  spend(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps <= MAX_STEPS) return true;
    this.leftAlone.add('#');
    return false;
  }

  leave({ pointer }: Place): undefined {
    this.leftAlone.add(pointer);
  }

  /** The object that stands there or is referred to from there. */
  follow(start: Place): Spot | undefined {
    return this.peek(start) ?? (isObject(start.value) ? this.leave(start) : undefined);
  }

  /** The same, where it does not matter whether a reference can be followed. */
  peek(start: Place): Spot | undefined {
    let here = start;
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const { value, pointer } = here;
      if (!isObject(value)) return undefined;
      const reference = Object.hasOwn(value, '$ref') ? value['$ref'] : undefined;
      // A member that is merely called `$ref` holds something else than a text.
      if (typeof reference !== 'string') return { value, pointer };
      const target = localPointer(reference);
      if (target === undefined) return undefined;
      here = { value: valueAt(this.root.value, target), pointer: target };
    }
    return undefined;
  }
}

export function member({ value, pointer }: Place, name: string): Place {
  const found = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { value: found, pointer: pointer + pointerOf([name]) };
}

/** Members of an object in their order; nothing for anything else. */
export function* members(place: Place): Generator<readonly [name: string, place: Place]> {
  if (!isObject(place.value)) return;
  for (const name of Object.keys(place.value)) yield [name, member(place, name)];
}

/** Items of an array; nothing for anything else. */
export function* items({ value, pointer }: Place): Generator<Place> {
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
