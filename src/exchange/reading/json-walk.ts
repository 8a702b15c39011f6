/** Walks over JSON text without parsing it, to see positions, repeated members and numbers as written. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MINUS = 0x2d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export interface JsonVisitor {
  /** The name of a member. Positions are those of its first character and after its last, without quotes. */
  name?(start: number, end: number): void;
  string?(start: number, end: number): void;
  number?(start: number, end: number): void;
  open?(kind: 'object' | 'array'): void;
  /** `at`: the position of the bracket. */
  close?(at: number): void;
  /** Between two elements of an array or two members of an object. */
  comma?(): void;
}

/** Right for valid text. For anything else it terminates and stays inside the text, but its reports mean nothing. */
// oxlint-disable-next-line complexity -- every character of every answer goes through it: a call for each would cost time
export function walkJson(text: string, visitor: JsonVisitor): void {
  const inObject: boolean[] = [];
  let expectsName = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at + 1);
      if (expectsName) visitor.name?.(at + 1, end);
      else visitor.string?.(at + 1, end);
      expectsName = false;
      at = end;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      expectsName = code === OPEN_OBJECT;
      inObject.push(expectsName);
      visitor.open?.(expectsName ? 'object' : 'array');
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      inObject.pop();
      expectsName = false;
      visitor.close?.(at);
    } else if (code === COMMA) {
      expectsName = inObject.at(-1) ?? false;
      visitor.comma?.();
    } else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at + 1);
      visitor.number?.(at, end);
      at = end - 1;
    }
  }
}

function endOfNumber(text: string, start: number): number {
  let at = start;
  while (at < text.length && (isDigit(text.charCodeAt(at)) || '.eE+-'.includes(text[at]!))) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
