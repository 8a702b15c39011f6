/** "Did you mean": the known name closest to a mistyped one. */
import { usageError } from '../usage-error.ts';
import { inert } from './layout.ts';

/** Longer names were not typed by hand, and the cost of `distance` is the product of both lengths. */
const MAX_LENGTH = 100;

/** Fewer letters begin too many names. */
const MIN_PART = 3;

/** Damerau-Levenshtein distance in its restricted form: insert, delete, replace, or swap two neighbours, each costing one. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replace = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let least = Math.min(replace, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

/** Case and separators do not count: `base_url`, `base-url` and `baseUrl` are the same name. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** The closest known name, or undefined if none is close. The first one wins a tie. */
export function findClosest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const wanted = plain(name);
  let best: string | undefined;
  // A name that shares less than about two thirds of its letters is a different word, not a typo.
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    if (candidate.length > MAX_LENGTH) continue;
    const steps = distance(wanted, plain(candidate));
    // If every letter has to change, the words have nothing in common.
    if (steps < least && steps < candidate.length) {
      best = candidate;
      least = steps;
    }
  }
  // One wrong letter is a typo; with more of them, an abbreviation is likelier.
  return least <= 1 ? best : (findLonger(wanted, known) ?? best);
}

/** The shortest name that begins with it, or whose last part does: `temp` for `limits.temperature`. */
function findLonger(wanted: string, known: readonly string[]): string | undefined {
  if (wanted.length < MIN_PART) return undefined;
  const longer = known.filter((name) =>
    [name, name.split(/[./]/).at(-1) ?? name].some((each) => plain(each).startsWith(wanted)),
  );
  return longer.toSorted((a, b) => a.length - b.length)[0];
}

interface UnknownName {
  /** What follows the name, such as ` for a board`. */
  readonly whose?: string;
  /** What the message ends with if no name is close. */
  readonly otherwise?: string;
  readonly at?: Parameters<typeof usageError.UNKNOWN_NAME>[1];
}

/** The one of `names` that is called `name`; refuses any other. `what`: how the message begins. */
export function requireName<Name extends string>(
  what: string,
  name: string,
  names: readonly Name[],
  { whose = '', otherwise = `Use one of ${names.join(', ')}.`, at }: UnknownName = {},
): Name {
  const found = names.find((each) => each === name);
  if (found !== undefined) return found;
  const guess = didYouMean(name, names) || ` ${otherwise}`;
  throw usageError.UNKNOWN_NAME(`${what} "${inert(name, 60)}"${whose}.${guess}`, at);
}

/** ` Did you mean "x"?` with a leading space, or an empty string. */
export function didYouMean(name: string, known: readonly string[]): string {
  const guess = findClosest(name, known);
  return guess === undefined ? '' : ` Did you mean "${guess}"?`;
}
