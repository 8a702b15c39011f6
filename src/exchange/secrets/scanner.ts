/** The last look at what a run leaves behind: whether a secret stands in it, in whatever it may be packed. */
import type { Keys, Settings } from '../../settings.ts';
import { gunzip } from './compression.ts';
import type { Gram } from './secret-forms.ts';
import { createSearch } from './secret-search.ts';
import { collectSecrets } from './secrets.ts';

/** What was found. The numbers stand for pieces of secrets and tell nothing about them. */
export interface Found {
  readonly pieces: ReadonlySet<number>;
  /** All of a secret, or nearly so, not just a run of eight characters. */
  readonly whole: boolean;
}

export interface Scanner {
  scan(content: Uint8Array | string): Found;
  /** The text with every secret blanked. */
  clean(text: string): string;
}

/** A recording may be packed as a whole. More than this it cannot hold. */
const MOST_UNPACKED = 256 * 1024 * 1024;

const LEAST_PART = 1024 * 1024;
const LINE_FEED = 0x0a;

export function createScanner(settings: Settings, keys: Keys): Scanner {
  const search = createSearch(collectSecrets(settings, keys).secrets);
  const numbers = new Map<Gram, number>();
  const numberOf = (gram: Gram): number => {
    const number = numbers.get(gram) ?? numbers.size;
    numbers.set(gram, number);
    return number;
  };
  return {
    scan(content) {
      const pieces = new Set<number>();
      let whole = false;
      for (const part of partsOf(unpacked(content))) {
        const marks = search(part, true);
        for (const gram of marks?.grams ?? []) pieces.add(numberOf(gram));
        whole ||= marks?.seen.some((one) => one.whole) ?? false;
      }
      return { pieces, whole };
    },
    clean(text) {
      const bytes = Buffer.from(text);
      search(bytes, false)?.blank(bytes);
      return bytes.toString();
    },
  };
}

/** Whole lines, since no secret goes over the end of one. What is long takes no more memory than what is short. */
function* partsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length;) {
    const least = start + LEAST_PART;
    const lineEnd = least < bytes.length ? bytes.indexOf(LINE_FEED, least) : -1;
    const end = lineEnd === -1 ? bytes.length : lineEnd + 1;
    yield bytes.subarray(start, end);
    start = end;
  }
}

function unpacked(content: Uint8Array | string): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return gunzip(bytes, MOST_UNPACKED) ?? bytes;
}
