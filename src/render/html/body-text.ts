/** Bodies as text with marked places, of a long one only the lines around them. */
import { parseJson, pointerTokens } from '../../json.ts';
import { count, groupDigits, inert } from '../../text/layout.ts';
import { type Markup, type HtmlPiece, html } from './markup.ts';
import { renderFold, renderNote, renderPre } from './parts.ts';

export type MarkKind = 'wrong' | 'edit';

interface BodyText {
  readonly text: string;
  /** The report has only its beginning. */
  readonly isCut: boolean;
  readonly pointers: readonly string[];
  readonly of: 'request' | 'answer';
  /** What is marked: an edit, or what is wrong. */
  readonly kind: MarkKind;
  /** Maximum length in characters. */
  readonly most: number;
}

const MAX_LINE_LENGTH = 1_000;
/** A body with at most this many lines is shown in full. */
const SHORT = 40;
/** Lines shown of a longer body: at its start, and on each side of a mark. */
const AT_START = 8;
const AROUND = 8;

interface Line {
  readonly markup: Markup;
  readonly isMarked: boolean;
}

export function renderBody({ text, isCut, pointers, of, kind, most }: BodyText): Markup {
  const short = text.slice(0, most);
  const looksLikeJson = isJson(text) || ((isCut || text.length > most) && /^\s*[{[]/.test(text));
  const laidOut: LaidOut = looksLikeJson
    ? layOutJson(short, pointers, true)
    : { text: short.replaceAll('\r\n', '\n').replaceAll('\t', '  '), places: [] };
  let from = 0;
  const lines = laidOut.text.split('\n').map((line) => {
    const marked = markLine(line, from, laidOut.places, kind);
    from += line.length + 1;
    return marked;
  });
  const nearest = laidOut.places.find(({ exact }) => !exact);
  return html`${renderExcerpt(lines, `Body of the ${of}`)}
  ${text.length > most && renderNote(`Showing ${groupDigits(most)} of ${count(text.length, 'character')}; report.json has more.`)}
  ${nearest && renderNote(html`<code>${nearest.pointer}</code> is missing. The mark shows where it belongs.`)}`;
}

function markLine(line: string, start: number, places: LaidOut['places'], kind: MarkKind): Line {
  const pieces: HtmlPiece[] = [];
  let at = 0;
  for (const place of places) {
    const from = Math.max(at, place.from - start);
    const to = Math.min(line.length, place.to - start);
    const indent = line.slice(from, to).search(/\S/);
    if (to <= from || indent < 0) continue;
    pieces.push(inert(line.slice(at, from + indent), MAX_LINE_LENGTH));
    pieces.push(html`<mark class="${kind}">${inert(line.slice(from + indent, to), MAX_LINE_LENGTH)}</mark>`);
    at = to;
  }
  return { markup: html`${pieces}${inert(line.slice(at), MAX_LINE_LENGTH)}`, isMarked: pieces.length > 0 };
}

/** The whole body, or its start and the lines around each mark, with a fold for the whole. */
function renderExcerpt(lines: readonly Line[], name: string): Markup {
  const draw = (shown: readonly Line[], title: string): Markup =>
    renderPre(
      shown.map(({ markup }) => markup),
      title,
    );
  if (lines.length <= SHORT) return draw(lines, name);
  const marked = lines.flatMap(({ isMarked }, at) => (isMarked ? [at] : [])).slice(0, SHORT);
  const isKept = (at: number) => at < AT_START || marked.some((mark) => Math.abs(mark - at) <= AROUND);
  const places = [...lines.keys()].filter(isKept);
  const kept = [...places, lines.length].flatMap((at, number): readonly Line[] => {
    const left = at - (places[number - 1] ?? -1) - 1;
    const gap = { markup: html`<span class="gap">… ${count(left, 'line')} …</span>`, isMarked: false };
    return [...(left > 0 ? [gap] : []), ...lines.slice(at, at + 1)];
  });
  return html`${draw(kept, `${name}, excerpt`)}
  ${renderFold(`All ${count(lines.length, 'line')}`, draw(lines, `${name}, complete`), { kind: 'whole' })}`;
}

interface Place {
  readonly pointer: string;
  /** False if there is no such value; the place is then the start of the nearest parent. */
  readonly exact: boolean;
  readonly from: number;
  readonly to: number;
}

interface LaidOut {
  readonly text: string;
  /** Places are in order and do not overlap; a pointer has at most one. */
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
  /** Where the value that this frame holds began, its member name included. */
  readonly from: number;
  isEmpty: boolean;
}

/**
 * Formats a JSON text and finds places in it. It works on the text, not on the parsed value, so that numbers, duplicate keys
 * and escapes stay as they were sent, and a text that was cut off can also be shown. With `spread`, over lines and indented;
 * without, letter for letter.
 */
// oxlint-disable-next-line complexity -- a state machine over the tokens: its states are read in one place
export function layOutJson(text: string, pointers: readonly string[], spread: boolean): LaidOut {
  const wanted = pointers.map((pointer) => ({ pointer, tokens: pointerTokens(pointer), depth: -1, from: 0, to: 0 }));
  const frames: Frame[] = [];
  let out = '';
  let nameFrom: number | undefined;

  const breakLine = () => {
    if (spread) out += `\n${'  '.repeat(Math.min(frames.length, MAX_INDENT))}`;
  };
  const startItem = (top: Frame | undefined) => {
    if (top?.isEmpty) breakLine();
    if (top) top.isEmpty = false;
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
      if (top?.isArray) top.token = String(Number(top.token) + 1);
      else if (top) top.expectsName = true;
    } else if (first === ':') {
      out += spread ? ': ' : token;
    } else if (first === '"' && top?.expectsName) {
      startItem(top);
      nameFrom = out.length;
      out += token;
      top.token = unquote(token);
      top.expectsName = false;
    } else {
      startItem(top);
      const from = nameFrom ?? out.length;
      nameFrom = undefined;
      out += token;
      note(from);
      if (first === '{' || first === '[') {
        const isArray = first === '[';
        frames.push({ isArray, token: isArray ? '0' : '', expectsName: !isArray, from, isEmpty: true });
      }
    }
  }
  // Thousands of nested brackets would become mostly spaces, and the page many times larger.
  if (spread && out.length > MAX_GROWTH * text.length + 4_000) return layOutJson(text, pointers, false);
  const places: Place[] = [];
  const found = wanted.filter(({ depth }) => depth >= 0).toSorted((a, b) => a.from - b.from);
  for (const { pointer, tokens, depth, from, to } of found) {
    if (from >= (places.at(-1)?.to ?? 0)) places.push({ pointer, exact: depth === tokens.length, from, to });
  }
  return { text: out, places };
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
