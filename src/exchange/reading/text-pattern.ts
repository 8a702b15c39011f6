/**
 * Most events of a stream differ from the one before in their text only. Whatever else they say is known then, and need
 * not be parsed again. Pure.
 */

/** What ends a JSON string, or may not stand in one as it is (RFC 8259 section 7). */
// oxlint-disable-next-line no-control-regex -- control characters are what is meant
const NOT_PLAIN = /["\\\u0000-\u001F]/;
/** Characters. Longer texts are rare, and their size is checked when they are parsed. */
const LONGEST = 8_192;

export class TextPattern {
  readonly #before: string;
  readonly #after: string;

  private constructor(before: string, after: string) {
    this.#before = before;
    this.#after = after;
  }

  /** `text`: a string value in the JSON text `data`. Undefined unless its place is certain. */
  static of(data: string, text: string): TextPattern | undefined {
    // Without escapes, each value is written as it is.
    if (text === '' || data.length > LONGEST || data.includes('\\')) return undefined;
    const written = `"${text}"`;
    const at = data.indexOf(written);
    if (at === -1 || data.indexOf(written, at + 1) !== -1) return undefined;
    return new TextPattern(data.slice(0, at + 1), data.slice(at + 1 + text.length));
  }

  /** The text in the same place of other data, if nothing else is different; never empty. */
  match(data: string): string | undefined {
    const end = data.length - this.#after.length;
    if (end <= this.#before.length || data.length > LONGEST) return undefined;
    // Equality of slices compares many characters at once; `startsWith` goes one by one.
    if (data.slice(0, this.#before.length) !== this.#before || data.slice(end) !== this.#after) return undefined;
    const text = data.slice(this.#before.length, end);
    return NOT_PLAIN.test(text) ? undefined : text;
  }
}
