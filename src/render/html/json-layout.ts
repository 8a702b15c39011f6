/**
 * Formats a JSON text and finds places in it. It works on the text, not on the parsed value, so that numbers, duplicate
 * keys and escapes stay as they were sent, and a text that was cut off can also be shown.
 */
import { parseJson, pointerTokens } from '../../json.ts';

export interface Place {
  readonly pointer: string;
  /** False if there is no such value; the place is then the start of the nearest parent. */
  readonly exact: boolean;
  readonly from: number;
  readonly to: number;
}

export interface LaidOut {
  readonly text: string;
  /** In order, not overlapping; at most one for each pointer. */
  readonly places: readonly Place[];
}

/** An unclosed string also matches, so it causes no backtracking. */
const TOKEN = /[ \t\r\n]+|"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^ \t\r\n{}[\],:"]+/gsy;
const MAX_INDENT = 24;
const MAX_GROWTH = 8;

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
// oxlint-disable-next-line complexity -- a state machine over the tokens: its states are read in one place
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
    if (spread) out += `\n${'  '.repeat(Math.min(frames.length, MAX_INDENT))}`;
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
  /** The start is noted at once and the end when the value is complete, since the text may be cut. */
  const note = (from: number) => {
    for (const place of matching()) {
      if (frames.length >= place.depth) Object.assign(place, { depth: frames.length, from, to: out.length });
    }
  };
  const noteEnd = (from: number) => {
    for (const place of matching()) {
      const isWhole = place.depth === frames.length && place.tokens.length === frames.length;
      if (isWhole && place.from === from) place.to = out.length;
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
  // Thousands of nested brackets would become mostly spaces, and the page many times larger.
  if (spread && out.length > MAX_GROWTH * text.length + 4_000) return layOutJson(text, pointers, false);
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
  return parseJson(text) !== undefined;
}
