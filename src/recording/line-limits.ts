/** What is refused in a recording, since it may come from anybody. */
import { hasRepeatedMember, isDeeperThan, walkJson } from '../exchange/reading/json-text.ts';

/** Bodies are strings, so lines are flat. The settings of a profile are the deepest part. */
const MAX_DEPTH = 2_000;
/** Characters. A shorter line cannot hold too many values. */
const LONG = 8 * 1024 ** 2;
const MAX_VALUES = 1_000_000;

/** Whether a line, or a whole HAR file, would take too much memory. It is refused before it is parsed. */
export function isBeyondLimits(text: string, mostValues = MAX_VALUES): boolean {
  return isDeeperThan(text, MAX_DEPTH) || (text.length > LONG && countValues(text) > mostValues);
}

/** Counts commas outside strings: a body of megabytes has many inside. */
function countValues(text: string): number {
  let values = 0;
  walkJson(text, { comma: () => (values += 1) });
  return values;
}

/** A run has far fewer. */
const MAX_EXCHANGES = 200_000;
/** A run writes an exchange again when it learns more about it. */
const MAX_AGAIN = 100;

/**
 * What is refused in a recording of a stranger besides: lines that two readers could read differently, and copies of lines,
 * which cost minutes and fit into a small file.
 */
export class UntrustedFileLimits {
  readonly #written = new Map<string, number>();

  /** Why a line is refused. */
  findWrongText(text: string): string | undefined {
    // `JSON.parse` takes the last of them, and other readers the first.
    return hasRepeatedMember(text) ? 'an object has a member twice. Record again.' : undefined;
  }

  /** Why an exchange is refused. */
  findWrongExchange(id: string, again: boolean): string | undefined {
    const times = this.#written.get(id) ?? 0;
    this.#written.set(id, times + 1);
    if (times > 0 && !again) return 'an exchange with this id is already there. Record again.';
    if (times > MAX_AGAIN) return 'this exchange is there too often. Record again.';
    return this.#written.size > MAX_EXCHANGES ? 'the recording has too many exchanges. Pass a smaller one.' : undefined;
  }
}
