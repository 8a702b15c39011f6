/** The answers of two runs side by side, with the lines marked that only one of them has. */
import type { ShownAnswer } from '../../report/comparison/comparison.ts';
import { inert } from '../../text/layout.ts';
import { isJson, layOutJson } from '../html/body-text.ts';
import { html, join, LINE_END, type Markup, NOTHING } from '../html/markup.ts';

/** Lines of a body. Comparing takes time with their square. */
const MAX_LINES = 200;
const MAX_LINE_LENGTH = 400;

/** Fields with another value in every answer: at the top of a body, and in an event of a stream. An id of a model is not. */
const VOLATILE = /"(id|created|request_id)": ?("(?:[^"\\]|\\.)+"|-?\d[\d.]*)/g;
const VOLATILE_IN_EVENT = /"(id|created|request_id|content)": ?("(?:[^"\\]|\\.)+"|-?\d[\d.]*)/g;
/** The indent is that of a `message` in an element of `choices`. */
const REPLY_TEXT = /^ {8}"content": ?"/;

export function renderBodies(old: ShownAnswer | undefined, fresh: ShownAnswer | undefined, isOpen: boolean): Markup {
  if (!old || !fresh) return NOTHING;
  const [before, now] = [linesOf(old), linesOf(fresh)];
  const common = commonLines(before, now);
  const changed = common.filter(([left, right]) => withoutComma(before[left]) !== withoutComma(now[right]));
  const sides = [
    ['Before', old, drawLines(before, placesOf(common, 0), placesOf(changed, 0), 'wrong')],
    ['Now', fresh, drawLines(now, placesOf(common, 1), placesOf(changed, 1), 'right')],
  ] as const;
  return html`<details class="evidence bodies" ${isOpen ? html`open` : NOTHING}>
    <summary>Both answers</summary>
    <div class="sides">
      ${sides.map(
        ([name, { exchange, status, isCut }, lines]) =>
          html`<div class="side">
            <p class="label">${name}: status ${status}, <code>${inert(exchange, 120)}</code></p>
            <pre
              tabindex="0"
              role="group"
              aria-label="Body ${name.toLowerCase()}"
            ><code>${join(lines, LINE_END)}</code></pre>
            ${isCut ? html`<p class="note">Only the beginning of the body.</p>` : NOTHING}
          </div>`,
      )}
    </div>
    ${changed.length > 0 ? html`<p class="note">${SIGNS.volatile} changes from call to call, so it is not compared.</p>` : NOTHING}
  </details>`;
}

function placesOf(pairs: readonly (readonly [number, number])[], side: 0 | 1): ReadonlySet<number> {
  return new Set(pairs.map((pair) => pair[side]));
}

function linesOf({ body }: ShownAnswer): readonly string[] {
  const laidOut = isJson(body) ? layOutJson(body, [], true).text : body.replaceAll('\r\n', '\n').trimEnd();
  return laidOut.split('\n').slice(0, MAX_LINES);
}

/** Pairs of places with the same line, in order: a longest common subsequence. */
function commonLines(left: readonly string[], right: readonly string[]): readonly (readonly [number, number])[] {
  const [mine, theirs] = [left.map(keyOf), right.map(keyOf)];
  // How many lines the rests of both have in common, from each pair of places on.
  const shared = Array.from({ length: mine.length + 1 }, () => new Uint16Array(theirs.length + 1));
  const at = (row: number, column: number): number => shared[row]?.[column] ?? 0;
  for (let row = mine.length - 1; row >= 0; row -= 1) {
    const own = shared[row];
    if (!own) continue;
    for (let column = theirs.length - 1; column >= 0; column -= 1)
      own[column] =
        mine[row] === theirs[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  }
  const pairs: (readonly [number, number])[] = [];
  let [row, column] = [0, 0];
  while (row < mine.length && column < theirs.length) {
    if (mine[row] === theirs[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** A comma at the end says nothing about a line, and neither does a value that is new in every answer. Its type does. */
function keyOf(line: string): string {
  const isEvent = line.startsWith('data: {');
  if (REPLY_TEXT.test(line)) return 'the text of a reply';
  if (!isEvent && !/^ {2}"/.test(line)) return withoutComma(line);
  const typed = (_all: string, name: string, value: string): string =>
    `"${name}":${value.startsWith('"') ? 'string' : 'number'}`;
  return withoutComma(line).replaceAll(isEvent ? VOLATILE_IN_EVENT : VOLATILE, typed);
}

function withoutComma(line = ''): string {
  return line.replace(/,$/, '');
}

const SIGNS = { wrong: '−', right: '+', volatile: '~' } as const;

function drawLines(
  lines: readonly string[],
  common: ReadonlySet<number>,
  changed: ReadonlySet<number>,
  kind: 'wrong' | 'right',
): readonly Markup[] {
  return lines.map((line, at) => {
    const text = inert(line, MAX_LINE_LENGTH).trimStart();
    const indent = /^ */.exec(line)?.[0] ?? '';
    if (common.has(at) && !changed.has(at)) return html`${`  ${indent}`}${text}`;
    const shown = changed.has(at) ? 'volatile' : kind;
    return html`${`${SIGNS[shown]} ${indent}`}<mark class="${shown}">${text}</mark>`;
  });
}
