/** A recording may come from anybody: a line that would take too much memory is refused before it is parsed. */
import { isDeeperThan } from '../exchange/reading/json-text.ts';

/** Bodies are strings, so lines are flat. The settings of a profile are the deepest part. */
const MAX_DEPTH = 2_000;
/** Characters. A shorter line cannot hold too many values. */
const LONG = 8 * 1024 ** 2;
const MAX_VALUES = 1_000_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

export function isBeyondLimits(line: string): boolean {
  return isDeeperThan(line, MAX_DEPTH) || (line.length > LONG && hasTooManyValues(line));
}

/** Counts commas outside strings: a body of megabytes has many inside. */
function hasTooManyValues(line: string): boolean {
  let values = 0;
  let inString = false;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === COMMA && ++values > MAX_VALUES) return true;
  }
  return false;
}
