/**
 * Expected and actual JSON side by side: the path to the place of a finding, its neighbours, and the difference marked.
 * For a finding with a place in a body that the report has in full.
 */
import { isObject, type Json, parseJson, pointerOf, pointerTokens, typeOf, valueAt } from '../../json.ts';
import type { Report } from '../../report/report.ts';
import type { ExchangeReport } from '../../report/exchange-report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { inert } from '../../text/inert.ts';
import { shortJson } from '../../text/short-json.ts';
import { formatExpected } from '../../verdict/expected.ts';
import type { FindingReport } from '../../report/report.ts';
import { layOutJson } from './json-layout.ts';
import { html, join, LINE_END, type Markup, NOTHING, type Piece } from './markup.ts';

/** Members shown on each side of the place. */
const NEIGHBOURS = 3;
const MAX_LENGTH = 60;
const MAX_VALUE_LENGTH = 200;
/** Deeper places are left to the evidence. */
const MAX_DEPTH = 8;

type Lines = readonly Piece[];

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

interface Margin {
  /** Before the opening bracket. */
  readonly lead: string;
  readonly depth: number;
}

function drawPath(
  value: Json | undefined,
  tokens: readonly string[],
  leaf: Leaf,
  { lead, depth }: Margin = { lead: '  ', depth: 0 },
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
    ...items.flatMap((lines, index) => withComma(lines, index < items.length - 1)),
    outer + closing,
  ];
}

function withComma(lines: Lines, isFollowed: boolean): Lines {
  return isFollowed ? [...lines.slice(0, -1), html`${lines.at(-1) ?? ''},`] : lines;
}

const SIGNS: Record<Leaf['kind'], string> = { right: '✓', wrong: '✗' };

function drawLeaf({ kind, text }: Leaf, indent: string, name: string): Markup {
  const words = text === undefined ? `${name}(nothing)` : `${name}${inert(text, MAX_VALUE_LENGTH)}`;
  return html`<span aria-hidden="true">${SIGNS[kind]}</span> ${indent}<mark class="${kind}">${words}</mark>`;
}
