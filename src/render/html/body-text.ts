/** Bodies: as text with marked places, of a long one only the lines around them, and expected beside actual JSON. */
import { type Json, isObject, parseJson, pointerOf, pointerTokens, typeOf, valueAt } from '../../json.ts';
import type { ExchangeReport, FindingReport, Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { count, groupDigits, inert } from '../../text/layout.ts';
import { shortJson } from '../../text/short-json.ts';
import { formatExpected } from '../../verdict/expected.ts';
import { LINE_END, type Markup, NOTHING, type HtmlPiece, html, join, when } from './markup.ts';
import { renderFold, renderNote } from './parts.ts';

export type MarkKind = 'wrong' | 'edit';

interface BodyText {
  readonly text: string;
  /** The report has only its beginning. */
  readonly isCut: boolean;
  readonly pointers: readonly string[];
  readonly kind: MarkKind;
  /** Screen readers say it. */
  readonly name: string;
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

export function renderBody(body: BodyText): Markup {
  const { text, isCut, pointers, kind, name, most } = body;
  const short = text.slice(0, most);
  const looksLikeJson = isJson(text) || ((isCut || text.length > most) && /^\s*[{[]/.test(text));
  const laidOut: LaidOut = looksLikeJson
    ? layOutJson(short, pointers, true)
    : { text: short.replaceAll('\r\n', '\n').replaceAll('\t', '  '), places: [] };
  const lines = splitLines(laidOut, kind);
  const rest =
    text.length > most
      ? renderNote(html`Showing ${groupDigits(most)} of ${count(text.length, 'character')}; report.json has more.`)
      : NOTHING;
  return html`${renderExcerpt(lines, name)}${rest}${notePlaces(laidOut, pointers)}`;
}

function splitLines({ text, places }: LaidOut, kind: MarkKind): readonly Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    lines.push(markLine(line, from, places, kind));
    from += line.length + 1;
  }
  return lines;
}

function markLine(line: string, start: number, places: LaidOut['places'], kind: MarkKind): Line {
  const pieces: HtmlPiece[] = [];
  let at = 0;
  let isMarked = false;
  for (const place of places) {
    const from = Math.max(at, place.from - start);
    const to = Math.min(line.length, place.to - start);
    if (to <= from) continue;
    const indent = line.slice(from, to).search(/\S/);
    if (indent < 0) continue;
    pieces.push(inert(line.slice(at, from + indent), MAX_LINE_LENGTH));
    pieces.push(html`<mark class="${kind}">${inert(line.slice(from + indent, to), MAX_LINE_LENGTH)}</mark>`);
    at = to;
    isMarked = true;
  }
  pieces.push(inert(line.slice(at), MAX_LINE_LENGTH));
  return { markup: html`${pieces}`, isMarked };
}

/** The whole body, or its start and the lines around each mark, with a fold for the whole. */
function renderExcerpt(lines: readonly Line[], name: string): Markup {
  if (lines.length <= SHORT) return renderPre(lines, name);
  const marked = lines.flatMap(({ isMarked }, at) => (isMarked ? [at] : [])).slice(0, SHORT);
  const isKept = (at: number) => at < AT_START || marked.some((mark) => Math.abs(mark - at) <= AROUND);
  const places = [...lines.keys()].filter(isKept);
  const kept = [...places, lines.length].flatMap((at, number): readonly Line[] => {
    const left = at - (places[number - 1] ?? -1) - 1;
    const gap = { markup: html`<span class="gap">… ${count(left, 'line')} …</span>`, isMarked: false };
    return [...(left > 0 ? [gap] : []), ...lines.slice(at, at + 1)];
  });
  return html`${renderPre(kept, `${name}, excerpt`)}
  ${renderFold(`All ${count(lines.length, 'line')}`, renderPre(lines, `${name}, complete`), { kind: 'whole' })}`;
}

/** Focusable, so that a long body can be scrolled by keyboard. */
function renderPre(lines: readonly Line[], name: string): Markup {
  const text = join(
    lines.map(({ markup }) => markup),
    LINE_END,
  );
  return html`<pre tabindex="0" role="group" aria-label="${name}"><code>${text}</code></pre>`;
}

function notePlaces({ places }: LaidOut, pointers: readonly string[]): Markup {
  const nearest = places.find(({ exact }) => !exact);
  return when(nearest && pointers.length > 0 ? nearest.pointer : undefined, (pointer) =>
    renderNote(html`<code>${pointer}</code> is missing. The mark shows where it belongs.`),
  );
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

/**
 * Formats a JSON text and finds places in it. It works on the text, not on the parsed value, so that numbers, duplicate keys
 * and escapes stay as they were sent, and a text that was cut off can also be shown. With `spread`, over lines and indented;
 * without, letter for letter.
 */
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

/** Members shown on each side of the place. */
const NEIGHBOURS = 3;
const MAX_LENGTH = 60;
const MAX_VALUE_LENGTH = 200;
/** Deeper places are left to the evidence. */
const MAX_DEPTH = 8;

type Lines = readonly HtmlPiece[];

/** What stands at the place on one side. */
interface Leaf {
  readonly kind: 'right' | 'wrong';
  /** Undefined if nothing is there. */
  readonly text: string | undefined;
}

interface Body {
  readonly text: string;
  readonly pointer: string;
}

/**
 * Expected and actual JSON side by side: the path to the place of a finding, its neighbours, and the difference marked. For a
 * finding with a place in a body that the report has in full.
 */
export function renderDifference(
  report: Report,
  finding: FindingReport | undefined,
  exchange: ExchangeReport | undefined,
): Markup {
  const body = finding && exchange && findBody(report, finding, exchange);
  const value = body && parseJson(body.text);
  if (!body || !isContainer(value)) return NOTHING;
  const tokens = pointerTokens(body.pointer);
  // Of a finding about the lack of a whole object, the place is not in the body.
  if (!isContainer(valueAt(value, pointerOf(tokens.slice(0, -1))))) return NOTHING;
  const sides = [
    ['Expected', { kind: 'right', text: expectedText(finding) }],
    ['Actual', { kind: 'wrong', text: actualText(body, value) }],
  ] as const;
  return html`<div class="sides difference">
    ${sides.map(
      ([title, leaf]) =>
        html`<div class="side">
          <p class="label">${title}</p>
          <pre
            tabindex="0"
            role="group"
            aria-label="${title} JSON"
          ><code>${join(drawPath(value, tokens, leaf), LINE_END)}</code></pre>
        </div>`,
    )}
  </div>`;
}

/** The body that the pointer leads into: an answer, an event of a stream, or what was received. */
function findBody(report: Report, { pointer, attempt }: FindingReport, exchange: ExchangeReport): Body | undefined {
  const depth = pointer === undefined ? 0 : pointerTokens(pointer).length;
  if (pointer === undefined || depth === 0 || depth > MAX_DEPTH) return undefined;
  if (traitsOf(report).isCaller || exchange.side === 'upstream')
    return exchange.body === undefined ? undefined : { text: exchange.body, pointer };
  const answer = exchange.attempts[attempt]?.answer;
  return answer && bodyOfAnswer(answer, pointer);
}

type AnswerReport = NonNullable<ExchangeReport['attempts'][number]['answer']>;

function bodyOfAnswer({ body, stream }: AnswerReport, pointer: string): Body | undefined {
  if (!stream) return body.shown < body.bytes ? undefined : { text: body.text, pointer };
  const [event = '', ...rest] = pointerTokens(pointer);
  const data = /^\d+$/.test(event) ? stream.events[Number(event)]?.data : undefined;
  return data === undefined || rest.length === 0 ? undefined : { text: data, pointer: pointerOf(rest) };
}

function isContainer(value: unknown): boolean {
  return Array.isArray(value) || isObject(value);
}

/** Something that has no business there. */
const EXPECTED_ABSENT: readonly string[] = ['no-error', 'no-error-in-choice', 'no-usage', 'no-text-after-finish'];

function expectedText({ expected }: FindingReport): string | undefined {
  if (EXPECTED_ABSENT.includes(expected.kind)) return undefined;
  return expected.kind === 'constant' ? JSON.stringify(expected.value) : `(${formatExpected(expected)})`;
}

/** Numbers as they were sent: 1.0 is not 1. */
function actualText({ text, pointer }: Body, whole: Json | undefined): string | undefined {
  const value = valueAt(whole, pointer);
  if (typeOf(value) === 'absent') return undefined;
  if (typeof value !== 'number') return JSON.stringify(value);
  const [place] = layOutJson(text, [pointer], false).places;
  return /[-+.\deE]+$/.exec(place ? text.slice(place.from, place.to) : '')?.[0] ?? String(value);
}

function drawPath(
  value: Json | undefined,
  tokens: readonly string[],
  leaf: Leaf,
  /** `lead` stands before the opening bracket. */
  { lead, depth }: { lead: string; depth: number } = { lead: '  ', depth: 0 },
): Lines {
  const [token = '', ...rest] = tokens;
  const isArray = Array.isArray(value);
  const members: readonly (readonly [string, Json])[] = isArray
    ? (value as readonly Json[]).map((item, index) => [String(index), item] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  const at = members.findIndex(([name]) => name === token);
  const place = at < 0 ? members.length : at;
  const first = Math.max(0, place - NEIGHBOURS);
  const indent = '  '.repeat(depth + 1);
  const named = (name: string): string => (isArray ? '' : `${shortJson(name, MAX_LENGTH)}: `);
  const neighbour = ([name, member]: readonly [string, Json]): Lines => [
    `  ${indent}${named(name)}${shortJson(member, MAX_LENGTH)}`,
  ];
  const last = place + 1 + NEIGHBOURS;
  const items = [
    ...(first > 0 ? [[`  ${indent}…`]] : []),
    ...members.slice(first, place).map(neighbour),
    rest.length === 0
      ? [drawLeaf(leaf, indent, named(token))]
      : drawPath(members[at]?.[1], rest, leaf, { lead: `  ${indent}${named(token)}`, depth: depth + 1 }),
    ...members.slice(place + 1, last).map(neighbour),
    ...(members.length > last ? [[`  ${indent}…`]] : []),
  ];
  const [brace, closing] = isArray ? ['[', ']'] : ['{', '}'];
  const outer = `  ${'  '.repeat(depth)}`;
  return [
    `${lead}${brace}`,
    ...items.flatMap((lines, index) =>
      index < items.length - 1 ? [...lines.slice(0, -1), html`${lines.at(-1) ?? ''},`] : lines,
    ),
    outer + closing,
  ];
}

const SIGNS: Record<Leaf['kind'], string> = { right: '✓', wrong: '✗' };

function drawLeaf({ kind, text }: Leaf, indent: string, name: string): Markup {
  const words = text === undefined ? `${name}(nothing)` : `${name}${inert(text, MAX_VALUE_LENGTH)}`;
  return html`<span aria-hidden="true">${SIGNS[kind]}</span> ${indent}<mark class="${kind}">${words}</mark>`;
}
