/** Takes the entries out of a HAR one by one: such a file may be larger than memory. */
import { UsageError } from '../../usage-error.ts';
import { readBytes } from '../read-lines.ts';

const [SPACE, QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x20, 0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
];
/** `{ "log": { "entries": [ {…}` : brackets that are open before an entry begins. */
const ABOVE_ENTRY = 3;
/** One body within the limits of a run, however it is encoded; a larger one would take up many times its size. */
const LONGEST_ENTRY = 64 * 1024 * 1024;

/** Values as they stand in the file, not looked at yet. `shown` is the file as the user wrote it. */
export async function* readEntries(path: string, shown: string): AsyncGenerator {
  const splitter = new EntrySplitter();
  for await (const bytes of readBytes(path, () => undefined)) {
    for (const text of splitter.feed(bytes)) yield parse(text, shown);
    const { version } = splitter;
    if (version !== undefined && !/^(?:1(?:\.|$)|$)/.test(version))
      throw new UsageError(
        `${shown} is a HAR of version ${JSON.stringify(version)}: wirecheck reads version 1, such as 1.2.`,
      );
    if (splitter.held > LONGEST_ENTRY)
      throw new UsageError(`${shown} has an entry of more than 64 MiB, which is too large to be judged.`);
  }
  if (!splitter.isOver) throw new UsageError(`${shown} is no whole HAR: it breaks off, or it has no log.entries.`);
}

function parse(text: string, shown: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${shown} is not JSON.`);
  }
}

/** Follows strings and brackets only; what lies between them is left to the JSON parser. */
class EntrySplitter {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Names of the members that lead to here; the last string seen on a level may be one. */
  readonly #names: string[] = [];
  #string: number[] = [];
  #entry: Buffer[] = [];
  #inEntry = false;
  #seenEntries = false;
  /** Something that is no entry stands where one should. */
  #isOther = false;
  held = 0;
  isOver = false;
  /** That of the format, where it was seen. */
  version: string | undefined;

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
    // The bytes of a stream may be used again by it.
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

  /** Counted as an entry, and as nothing more. */
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
      // Only names above the entries matter. A value overwrites a name that the next comma would end anyway.
      if (this.#depth >= ABOVE_ENTRY) return;
      const text = String.fromCharCode(...this.#string);
      if (this.#depth === 2 && this.#names[1] === 'log' && this.#names[2] === 'version') this.version ??= text;
      this.#names[this.#depth] ??= text;
    } else if (this.#depth < ABOVE_ENTRY && this.#string.length < 16) this.#string.push(byte);
  }
}
