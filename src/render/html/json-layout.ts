/**
 * Sets a JSON text out over lines and finds places in it. It goes by the letters, not by the parsed value, so that numbers,
 * doubled members and escapes are shown as they came. Works on what is left of a text that was cut.
 */
import { pointerTokens } from '../../json.ts';

export interface Place {
  readonly pointer: string;
  /** False where nothing stands at the pointer: then it is the beginning of the nearest value above it. */
  readonly exact: boolean;
  readonly from: number;
  readonly to: number;
}

export interface LaidOut {
  readonly text: string;
  /** In order, not overlapping; at most one for each pointer that was asked for. */
  readonly places: readonly Place[];
}

/** The string alternative never fails, so that a text without its closing quote costs no backtracking. */
const TOKEN = /[ \t\r\n]+|"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^ \t\r\n{}[\],:"]+/gsy;
const DEEPEST_INDENT = 24;
const MOST_GROWTH = 8;

interface Frame {
  readonly isArray: boolean;
  /** Name of the member, or index of the element, that comes next or is being read. */
  token: string;
  expectsName: boolean;
  index: number;
  /** Where the value that this frame holds began, its member name included. */
  readonly from: number;
  isEmpty: boolean;
}

interface Wanted {
  readonly pointer: string;
  readonly tokens: readonly string[];
  depth: number;
  from: number;
  to: number;
}

/** With `spread`, over lines and indented; without, letter for letter. */
export function layOutJson(text: string, pointers: readonly string[], spread: boolean): LaidOut {
  const wanted: Wanted[] = pointers.map((pointer) => ({
    pointer,
    tokens: pointerTokens(pointer),
    depth: -1,
    from: 0,
    to: 0,
  }));
  const frames: Frame[] = [];
  let out = '';
  let nameFrom: number | undefined;

  const breakLine = () => {
    if (spread) out += `\n${'  '.repeat(Math.min(frames.length, DEEPEST_INDENT))}`;
  };
  const startItem = () => {
    const top = frames.at(-1);
    if (top?.isEmpty) {
      top.isEmpty = false;
      breakLine();
    }
  };
  const matching = () =>
    wanted.filter(
      ({ tokens }) => frames.length <= tokens.length && frames.every(({ token }, depth) => token === tokens[depth]),
    );
  /** The beginning is noted at once, the end when the value is over: for a cut text the beginning has to do. */
  const note = (from: number) => {
    for (const one of matching()) {
      if (frames.length >= one.depth) Object.assign(one, { depth: frames.length, from, to: out.length });
    }
  };
  const noteEnd = (from: number) => {
    for (const one of matching()) {
      if (one.depth === frames.length && one.tokens.length === frames.length && one.from === from) one.to = out.length;
    }
  };

  for (const [token] of text.matchAll(TOKEN)) {
    const top = frames.at(-1);
    const first = token.charAt(0);
    if (/[ \t\r\n]/.test(first)) {
      if (!spread) out += token;
    } else if (first === '}' || first === ']') {
      const frame = frames.pop();
      if (frame && !frame.isEmpty) breakLine();
      out += token;
      if (frame) noteEnd(frame.from);
    } else if (first === ',') {
      out += token;
      breakLine();
      if (top?.isArray) top.token = String(++top.index);
      else if (top) top.expectsName = true;
    } else if (first === ':') {
      out += spread ? ': ' : token;
    } else if (first === '"' && top?.expectsName) {
      startItem();
      nameFrom = out.length;
      out += token;
      top.token = unquote(token);
      top.expectsName = false;
    } else {
      startItem();
      const from = nameFrom ?? out.length;
      nameFrom = undefined;
      out += token;
      note(from);
      if (first === '{' || first === '[') {
        const isArray = first === '[';
        frames.push({ isArray, token: isArray ? '0' : '', expectsName: !isArray, index: 0, from, isEmpty: true });
      }
    }
  }
  // Thousands of brackets in a row become mostly blanks, which help nobody and make the page many times larger.
  if (spread && out.length > MOST_GROWTH * text.length + 4_000) return layOutJson(text, pointers, false);
  return { text: out, places: findPlaces(wanted) };
}

function findPlaces(wanted: readonly Wanted[]): readonly Place[] {
  const places: Place[] = [];
  const found = wanted.filter(({ depth }) => depth >= 0).toSorted((a, b) => a.from - b.from);
  for (const { pointer, tokens, depth, from, to } of found) {
    if (from >= (places.at(-1)?.to ?? 0)) places.push({ pointer, exact: depth === tokens.length, from, to });
  }
  return places;
}

function unquote(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
