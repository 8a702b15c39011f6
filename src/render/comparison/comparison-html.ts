/**
 * A comparison as one self-contained page, in the design of the report: both sides of every change, their answers with the
 * lines marked that only one of them has, filters, colours.
 */
import {
  type ChangeSide,
  type Comparison,
  countedAs,
  type FoldedChange,
  type ShownAnswer,
} from '../../report/comparison/comparison.ts';
import { formatDuration, inert } from '../../text/layout.ts';
import { fact } from '../document/document.ts';
import { factRows, renderFactList, renderText } from '../document/write-html.ts';
import { isJson, layOutJson } from '../html/body-text.ts';
import { renderDocument } from '../html/document.ts';
import { element, html, type Markup } from '../html/markup.ts';
import { renderBanner, renderFilters } from '../html/overview.ts';
import {
  renderBox,
  renderDot,
  renderFacts,
  renderFinding,
  renderFold,
  renderNote,
  renderPre,
  renderSection,
  renderShellCommand,
  renderTags,
} from '../html/parts.ts';
import { SHADE_OF_EXIT } from '../looks.ts';
import {
  MAX_FINGERPRINTS,
  SECTION_LOOKS,
  changeFacts,
  comparedRunFacts,
  contractRemarks,
  fingerprintsOf,
  formatEvidence,
  formatResult,
  formatScope,
  listRemarks,
  sectionsOf,
  titleOf,
} from './comparison-text.ts';

/** Entries whose answers are unfolded, the first of the page. */
const OPEN = 4;

const WAIVERS = { counts: 'not waived', waived: 'waived' };

export function comparisonHtml(comparison: Comparison): string {
  const { tool, exit } = comparison;
  const sections = sectionsOf(comparison);
  const entries = sections.flatMap((section) => section.entries);
  return renderDocument({
    title: formatResult(comparison),
    subtitle: 'comparison of two runs',
    version: tool.version,
    shade: SHADE_OF_EXIT[exit],
    styles: ['tables', 'comparison', 'narrow', 'print'],
    scripts: ['page'],
    sections: sections.map(({ name, look, entries: own }) => ({ id: name, title: look.title, count: own.length })),
    main: html`${renderBanner({
      shade: SHADE_OF_EXIT[exit],
      line: formatResult(comparison),
      about: html`${renderFactList(comparedRunFacts(comparison))}
        <p class="remark quiet">${formatScope(comparison)}</p>`,
      notices: [...contractRemarks(comparison), ...listRemarks(comparison)],
    })}
    ${renderFilters({
      name: 'Filter the comparison',
      picksName: 'Kind of change',
      picks: sections.map(({ name, look }) => ({ value: name, ...look, word: look.title.toLowerCase() })),
      areas: [...new Set(entries.map(({ change }) => areaOf(change)))].toSorted(),
      levelsName: 'Waiver',
      levels: WAIVERS,
      example: 'case, field, code …',
    })}
    ${sections.map(({ name, look: { title, lead }, entries: own }) => {
      const body =
        name === 'additive'
          ? html`<ul class="card rows">
              ${own.map((entry) => html`<li ${renderTags(tagsOf(entry))}>${renderTitle(entry)}</li>`)}
            </ul>`
          : own.map((entry) => renderEntry(entry, entries.indexOf(entry) < OPEN));
      return renderSection({ id: name, title, items: own.length, lead, body });
    })}`,
    footer: html`<p>Made by wirecheck ${inert(tool.version, 40)}.</p>
      <p class="on-paper">Printed without the bodies of the answers: the page has them.</p>`,
  });
}

/** The suite of the case, otherwise the endpoint. */
function areaOf({ place, what }: FoldedChange['change']): string {
  const area = place.case?.split('/')[0] ?? place.endpoint ?? (what === 'time' ? 'times' : 'answers');
  return inert(area, 40).replaceAll(' ', '-');
}

function tagsOf({ change }: FoldedChange) {
  return { shade: countedAs(change), areas: [areaOf(change)], levels: [change.excused ? 'waived' : 'counts'] };
}

function renderTitle(entry: FoldedChange): Markup {
  const { sign, shade } = SECTION_LOOKS[countedAs(entry.change)];
  return html`${renderDot(shade, sign)} ${titleOf(entry)}`;
}

function renderEntry(entry: FoldedChange, isOpen: boolean): Markup {
  const { change } = entry;
  const renderSide = (name: string, side: ChangeSide): Markup =>
    renderBox('side', name, html`<p class="said">${renderText(formatEvidence(change, side))}</p>`);
  const { shade } = SECTION_LOOKS[countedAs(change)];
  return renderFinding(`change-${change.fingerprint}`, shade, tagsOf(entry), {
    title: renderTitle(entry),
    labels: change.excused && html`<span class="tag loud">waived</span>`,
    body: html`<div class="sides">${renderSide('Before', change.old)}${renderSide('Now', change.new)}</div>
      ${renderTimeStrip(change.old, change.new)} ${renderBodies(change.old.answer, change.new.answer, isOpen)}
      ${renderFacts([
        ...factRows([
          ...changeFacts(entry),
          ...fact('Repeat', change.repeat && inert(change.repeat, 4_000), { isCommand: true }),
          ...fact('Explain', change.explain && inert(change.explain, 4_000), { isCommand: true }),
        ]),
        ['Fingerprint', fingerprintsOf(entry).slice(0, MAX_FINGERPRINTS).map(renderFingerprint)],
      ])}`,
  });
}

function renderFingerprint({ id, covers }: ReturnType<typeof fingerprintsOf>[number]): Markup {
  return html`${renderShellCommand(id, 'the fingerprint for a waiver')}
  ${covers !== undefined && renderNote(inert(covers))}`;
}

// The times of two runs as two rows of dots with their medians, on one scale. The words above say the same.

/** Pixels. */
const ROW = 24;
const RADIUS = 4;
/** Per cent on the left for the names, and on the right so that no dot is cut. */
const NAMES = 14;
const MARGIN = 2;

export function renderTimeStrip(old: ChangeSide, fresh: ChangeSide): Markup {
  const rows = [
    ['before', old],
    ['now', fresh],
  ] as const;
  const longest = Math.max(...rows.flatMap(([, { times = [] }]) => times));
  if (rows.some(([, { times = [] }]) => times.length === 0) || longest <= 0) return html``;
  const place = (time: number): string => `${(NAMES + (time / longest) * (100 - NAMES - MARGIN)).toFixed(2)}%`;
  const height = rows.length * ROW;
  return html`<figure class="strip">
    <svg width="100%" height="${height + 18}" aria-hidden="true">
      ${rows.map(([name, { times = [], median = 0 }], at) => {
        const y = at * ROW + ROW / 2;
        const line = (kind: string, from: number, to: number, reach: number): Markup =>
          element('line', { class: kind, x1: place(from), x2: place(to), y1: y - reach, y2: y + reach });
        return html`${element('text', { x: 0, y: y + 4 }, name)} ${line('axis', 0, longest, 0)}
        ${times.map((time) => element('circle', { class: `time ${name}`, cx: place(time), cy: y, r: RADIUS }))}
        ${line('median', median, median, 10)}`;
      })}
      ${element('text', { x: place(0), y: height + 12 }, '0')}
      ${element('text', { x: place(longest), y: height + 12, 'text-anchor': 'end' }, formatDuration(longest))}
    </svg>
    <figcaption>One dot per answer; the line is the median.</figcaption>
  </figure>`;
}

// The answers of two runs side by side.

/** Lines of a body. Comparing takes time with their square. */
const MAX_LINES = 200;
const MAX_LINE_LENGTH = 400;

/** Fields with another value in every answer: at the top of a body, and in an event of a stream. An id of a model is not. */
const VOLATILE = /"(id|created|request_id)": ?("(?:[^"\\]|\\.)+"|-?\d[\d.]*)/g;
const VOLATILE_IN_EVENT = /"(id|created|request_id|content)": ?("(?:[^"\\]|\\.)+"|-?\d[\d.]*)/g;
/** The indent is that of a `message` in an element of `choices`. */
const REPLY_TEXT = /^ {8}"content": ?"/;

export function renderBodies(old: ShownAnswer | undefined, fresh: ShownAnswer | undefined, isOpen: boolean): Markup {
  if (!old || !fresh) return html``;
  const [before, now] = [linesOf(old), linesOf(fresh)];
  const common = commonLines(before, now);
  const changed = common.filter(([left, right]) => withoutComma(before[left]) !== withoutComma(now[right]));
  const renderSide = (name: string, { exchange, status, isCut }: ShownAnswer, lines: readonly Markup[]): Markup =>
    renderBox(
      'side',
      html`${name}: status ${status}, <code>${inert(exchange, 120)}</code>`,
      html`${renderPre(lines, `Body ${name.toLowerCase()}`)} ${isCut && renderNote('Only the beginning of the body.')}`,
    );
  const sides = html`<div class="sides">
      ${renderSide('Before', old, drawLines(before, placesOf(common, 0), placesOf(changed, 0), 'wrong'))}
      ${renderSide('Now', fresh, drawLines(now, placesOf(common, 1), placesOf(changed, 1), 'right'))}
    </div>
    ${changed.length > 0 && renderNote(`${SIGNS.volatile} changes from call to call, so it is not compared.`)}`;
  return renderFold('Both answers', sides, { kind: 'evidence bodies', isOpen });
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
