/** The last look at what a run leaves behind: whether a secret stands in it, in whatever it may be packed. */
import { gunzipSync } from 'node:zlib';
import type { Keys, Settings } from '../settings.ts';
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

/** Packed things within packed things; nobody does more by accident. */
const MOST_LAYERS = 4;
const MOST_UNPACKED = 256 * 1024 * 1024;
/** Shorter runs hold no secret of eight characters, packed or not, that the plain search would not have found. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{24,}/g;

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
      for (const layer of layersOf(Buffer.from(content as Uint8Array), MOST_LAYERS)) {
        const marks = search(layer, true);
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

/** The bytes themselves, what is packed in them, and how they read where a format has put escapes between their characters. */
function* layersOf(bytes: Buffer, depth: number): Generator<Buffer> {
  if (isGzip(bytes)) {
    const unpacked = depth > 0 ? gunzip(bytes) : undefined;
    if (unpacked) yield* layersOf(unpacked, depth - 1);
    return;
  }
  yield bytes;
  // One character for each byte: nothing in here may fail on what is no text.
  const text = bytes.toString('latin1');
  if (depth === MOST_LAYERS && /[&\\]/.test(text)) yield Buffer.from(unescape(text), 'latin1');
  if (depth === 0) return;
  for (const [run] of text.matchAll(BASE64_RUN)) yield* layersOf(Buffer.from(run, 'base64'), depth - 1);
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function gunzip(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED });
  } catch {
    return undefined;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The references of HTML and XML, and the backslashes that Markdown has before punctuation. */
function unescape(text: string): string {
  return text
    .replaceAll(
      /&(?:#x([0-9a-f]{1,4})|#([0-9]{1,4})|([a-z]+));/gi,
      (all, hex?: string, decimal?: string, name = '') => {
        if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
        if (decimal !== undefined) return String.fromCharCode(Number(decimal));
        return ENTITIES[name as string] ?? all;
      },
    )
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}
