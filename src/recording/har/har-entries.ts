/** Reads the entries of a HAR file one by one: the file may be larger than memory. */
import { UsageError } from '../../usage-error.ts';
import { readBytes } from '../read-lines.ts';

const [SPACE, QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x20, 0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
];
/** Brackets that are open before an entry starts: `{ "log": { "entries": [ {…}`. */
const ABOVE_ENTRY = 3;
/** Enough for a body within the limits of a run. Parsing takes many times the size of an entry. */
const MAX_ENTRY_LENGTH = 64 * 1024 * 1024;

/** Unvalidated values. `shown` is the path as the user wrote it. */
export async function* readEntries(path: string, shown: string): AsyncGenerator {
  const splitter = new EntrySplitter();
  for await (const bytes of readBytes(path, () => undefined)) {
    for (const text of splitter.feed(bytes)) yield parse(text, shown);
    const { version } = splitter;
    if (version !== undefined && !/^(?:1(?:\.|$)|$)/.test(version))
      throw new UsageError(
        `${shown} has version ${JSON.stringify(version)} of the HAR format. Export it as version 1.2.`,
        { code: 'FILE_INVALID' },
      );
    if (splitter.held > MAX_ENTRY_LENGTH)
      throw new UsageError(`${shown} has an entry of more than 64 MiB. Remove it from the file.`, {
        code: 'FILE_INVALID',
      });
  }
  if (!splitter.isOver)
    throw new UsageError(
      `${shown} is not a complete HAR file: it is cut off, or log.entries is missing. Export it again.`,
      { code: 'FILE_INVALID' },
    );
}

function parse(text: string, shown: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${shown} is not valid JSON. Export it again.`, { code: 'FILE_INVALID' });
  }
}

/** Tracks strings and brackets only; the JSON parser does the rest. */
class EntrySplitter {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Names of the members on the path to this place. The last string seen on a level may be one. */
  readonly #names: string[] = [];
  #string: number[] = [];
  #entry: Buffer[] = [];
  #inEntry = false;
  #seenEntries = false;
  /** A value that is not an object, in the place of an entry. */
  #isOther = false;
  held = 0;
  isOver = false;
  /** The format version, once seen. */
  version: string | undefined;

  // oxlint-disable-next-line complexity -- a state machine that sees every byte of the file: its states are read in one place
  *feed(bytes: Buffer): Generator<string> {
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#inString) this.#inText(byte);
      else if (byte === QUOTE) this.#beginString();
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        this.#isOther ||= byte === OPEN_LIST && this.#isAt(ABOVE_ENTRY);
        this.#seenEntries ||= this.#isAt(ABOVE_ENTRY - 1);
        if (byte === OPEN_OBJECT && this.#isAt(ABOVE_ENTRY)) {
          this.#inEntry = true;
          start = at;
        }
        this.#depth += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (this.#isOther && this.#depth === ABOVE_ENTRY) yield this.#takeOther();
        this.#depth -= 1;
        if (this.#inEntry && this.#depth === ABOVE_ENTRY) yield this.#take(bytes.subarray(start, at + 1));
        if (this.#depth === 0) this.isOver = this.#seenEntries;
      } else if (byte === COMMA) {
        this.#names.length = Math.min(this.#names.length, this.#depth);
        if (this.#isOther && this.#depth === ABOVE_ENTRY) yield this.#takeOther();
      } else this.#isOther ||= byte > SPACE && this.#isAt(ABOVE_ENTRY);
    }
    if (!this.#inEntry) return;
    // The stream may reuse its buffer.
    const rest = Buffer.from(bytes.subarray(start));
    this.#entry.push(rest);
    this.held += rest.length;
  }

  #isAt(depth: number): boolean {
    return this.#depth === depth && this.#names[1] === 'log' && this.#names[2] === 'entries';
  }

  #take(last: Buffer): string {
    const text = Buffer.concat([...this.#entry, last]).toString('utf8');
    this.#entry = [];
    this.#inEntry = false;
    this.held = 0;
    return text;
  }

  /** Counts as an entry without contents. */
  #takeOther(): string {
    this.#isOther = false;
    return 'null';
  }

  #beginString(): void {
    this.#isOther ||= this.#isAt(ABOVE_ENTRY);
    this.#inString = true;
    this.#string = [];
  }

  #inText(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      // Only names above the entries matter. A value may overwrite a name, which the next comma ends anyway.
      if (this.#depth >= ABOVE_ENTRY) return;
      const text = String.fromCharCode(...this.#string);
      if (this.#depth === 2 && this.#names[1] === 'log' && this.#names[2] === 'version') this.version ??= text;
      this.#names[this.#depth] ??= text;
    } else if (this.#depth < ABOVE_ENTRY && this.#string.length < 16) this.#string.push(byte);
  }
}
