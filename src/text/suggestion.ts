/** "Did you mean": the known name that a mistyped one most likely stands for. */

/** Names that share less than about two thirds of their letters are a different word, not a slip of the finger. */
function tolerance(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/** A name longer than this was not typed by hand, and the distance costs the product of both lengths. */
const LONGEST = 100;

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

/** Letters only, in lower case: `base_url`, `base-url` and `baseUrl` are slips of the same name. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** The nearest of the known names, or none if they are all far off. The first one wins a tie. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const wanted = plain(name);
  let best: string | undefined;
  let least = tolerance(name) + 1;
  for (const candidate of known) {
    if (candidate.length > LONGEST) continue;
    const steps = distance(wanted, plain(candidate));
    // Less than the whole word has to change, or `a` would be near `b`.
    if (steps < least && steps < candidate.length) {
      best = candidate;
      least = steps;
    }
  }
  return best;
}

/** ` Did you mean "x"?`, with its leading space, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const guess = nearest(name, known);
  return guess === undefined ? '' : ` Did you mean "${guess}"?`;
}
