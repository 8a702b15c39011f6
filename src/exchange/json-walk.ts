/** Walks over a JSON text without building it, so that positions, repeated members and numbers as written can be seen. */

export interface JsonVisitor {
  /** A member's name. Positions are those of its first and one past its last character, quotes left out. */
  name?(start: number, end: number, depth: number): void;
  string?(start: number, end: number): void;
  number?(start: number, end: number): void;
  open?(kind: 'object' | 'array'): void;
  close?(): void;
  /** Before each element of an array and each member of an object but the first. */
  comma?(): void;
}

const NUMBER = /-?[0-9][0-9.eE+-]*/y;

/**
 * Right for every valid text. For anything else it ends and reports no position outside the text,
 * but what it reports means nothing. It does not recurse.
 */
export function walkJson(text: string, visitor: JsonVisitor): void {
  const inObject: boolean[] = [];
  let expectsName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at + 1);
        if (expectsName) visitor.name?.(at + 1, end, inObject.length);
        else visitor.string?.(at + 1, end);
        expectsName = false;
        at = end;
        break;
      }
      case '{':
      case '[': {
        const isObject = text[at] === '{';
        inObject.push(isObject);
        expectsName = isObject;
        visitor.open?.(isObject ? 'object' : 'array');
        break;
      }
      case '}':
      case ']':
        inObject.pop();
        expectsName = false;
        visitor.close?.();
        break;
      case ',':
        expectsName = inObject.at(-1) ?? false;
        visitor.comma?.();
        break;
      default: {
        NUMBER.lastIndex = at;
        const number = NUMBER.exec(text);
        if (!number) break;
        visitor.number?.(at, at + number[0].length);
        at += number[0].length - 1;
      }
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at;
  }
  return text.length;
}
