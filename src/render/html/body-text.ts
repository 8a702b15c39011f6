/** The text of a body with marked places; of a long body, only the lines around them. */
import { inert } from '../../text/inert.ts';
import { count, groupDigits } from '../../text/layout.ts';
import { isJson, type LaidOut, layOutJson } from './json-layout.ts';
import { html, join, LINE_END, type Markup, NOTHING, when } from './markup.ts';
import { renderFold } from './parts.ts';

export type MarkKind = 'wrong' | 'edit';

export interface BodyText {
  readonly text: string;
  /** The report has only its beginning. */
  readonly isCut: boolean;
  readonly pointers: readonly string[];
  readonly kind: MarkKind;
  /** For screen readers. */
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
      ? html`<p class="note">
          Showing ${groupDigits(most)} of ${count(text.length, 'character')}; report.json has more.
        </p>`
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
  const pieces: Markup[] = [];
  let at = 0;
  let isMarked = false;
  for (const place of places) {
    const from = Math.max(at, place.from - start);
    const to = Math.min(line.length, place.to - start);
    if (to <= from) continue;
    const indent = line.slice(from, to).search(/\S/);
    if (indent < 0) continue;
    pieces.push(renderText(line.slice(at, from + indent)));
    pieces.push(html`<mark class="${kind}">${renderText(line.slice(from + indent, to))}</mark>`);
    at = to;
    isMarked = true;
  }
  pieces.push(renderText(line.slice(at)));
  return { markup: html`${pieces}`, isMarked };
}

function renderText(text: string): Markup {
  return html`${inert(text, MAX_LINE_LENGTH)}`;
}

/** The whole body, or its start and the lines around each mark, with a fold for the whole. */
function renderExcerpt(lines: readonly Line[], name: string): Markup {
  if (lines.length <= SHORT) return renderPre(lines, name);
  const marked = lines.flatMap(({ isMarked }, at) => (isMarked ? [at] : [])).slice(0, SHORT);
  const isKept = (at: number) => at < AT_START || marked.some((mark) => Math.abs(mark - at) <= AROUND);
  const kept: Line[] = [];
  let gap = 0;
  const closeGap = () => {
    if (gap > 0) kept.push({ markup: html`<span class="gap">… ${count(gap, 'line')} …</span>`, isMarked: false });
    gap = 0;
  };
  lines.forEach((line, at) => {
    if (!isKept(at)) gap += 1;
    else {
      closeGap();
      kept.push(line);
    }
  });
  closeGap();
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
  return when(
    nearest && pointers.length > 0 ? nearest.pointer : undefined,
    (pointer) => html`<p class="note"><code>${pointer}</code> is missing. The mark shows where it belongs.</p>`,
  );
}
