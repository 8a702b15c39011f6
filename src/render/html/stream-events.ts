/** The events of a stream as a table: number, time, gap, data; the offending one marked. */
import type { AttemptReport } from '../../report/exchange-report.ts';
import { pointerOf, pointerTokens } from '../../json.ts';
import type { FindingReport } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { count, groupDigits } from '../../text/layout.ts';
import { isJson, layOutJson } from './json-layout.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { renderFold } from './parts.ts';

type Stream = NonNullable<NonNullable<AttemptReport['answer']>['stream']>;

const MAX_LENGTH = 600;
/** A stream with at most this many events is shown in full. */
const SHORT = 14;
const AT_START = 4;
const AT_END = 3;
const AROUND = 3;

/** Index of the event that a finding is about: the first token of its pointer. */
export function findEvent(finding: FindingReport | undefined): number | undefined {
  const [first] = pointerTokens(finding?.pointer ?? '');
  return first !== undefined && /^\d+$/.test(first) ? Number(first) : undefined;
}

/** With `inPart`, the first, the last and those around the marked one; a fold has all of them. */
export function renderEvents(stream: Stream, finding: FindingReport | undefined, inPart: boolean): Markup {
  const { events, eventCount } = stream;
  const all = events.map((_, at) => at);
  const marked = findEvent(finding);
  const rest =
    eventCount > events.length
      ? html`<p class="note">
          The report has the first ${groupDigits(events.length)} of ${count(eventCount, 'event')}.
        </p>`
      : NOTHING;
  if (!inPart || events.length <= SHORT) return html`${renderEventTable(stream, all, finding)}${rest}`;
  const kept = all.filter(
    (at) => at < AT_START || at >= events.length - AT_END || (marked !== undefined && Math.abs(at - marked) <= AROUND),
  );
  return html`${renderEventTable(stream, kept, finding)}
  ${renderFold(`All ${count(events.length, 'event')}`, renderEventTable(stream, all, finding), { kind: 'whole' })}${rest}`;
}

function renderEventTable(stream: Stream, kept: readonly number[], finding: FindingReport | undefined): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Events of the stream">
    <table class="events">
      <thead>
        <tr>
          <th scope="col">event</th>
          <th scope="col">at ms</th>
          <th scope="col">data</th>
        </tr>
      </thead>
      <tbody>
        ${kept.map((at, place) => [renderGap(at - (kept[place - 1] ?? -1) - 1), renderRow(stream, at, finding)])}
      </tbody>
    </table>
  </div>`;
}

function renderGap(left: number): Markup {
  return left > 0
    ? html`<tr class="gap">
        <td colspan="3">… ${count(left, 'event')} …</td>
      </tr>`
    : NOTHING;
}

function renderRow({ events }: Stream, at: number, finding: FindingReport | undefined): Markup {
  const event = events[at];
  if (!event) return NOTHING;
  const isMarked = findEvent(finding) === at;
  const name = event.event === undefined ? NOTHING : html`<span class="tag">${inert(event.event, 60)}</span> `;
  return html`<tr ${isMarked ? html`class="marked"` : NOTHING}>
    <th scope="row">${at}</th>
    <td class="number">${event.at.toFixed(1)}</td>
    <td>
      ${name}<code>${isMarked ? markData(event.data, finding?.pointer ?? '') : inert(event.data, MAX_LENGTH)}</code>
    </td>
  </tr>`;
}

function markData(data: string, pointer: string): Markup {
  const inside = pointerOf(pointerTokens(pointer).slice(1));
  const [place] = inside !== '' && isJson(data) ? layOutJson(data, [inside], false).places : [];
  const { from, to } = place ?? { from: 0, to: data.length };
  return html`${inert(data.slice(0, from), MAX_LENGTH)}<mark class="wrong"
      >${inert(data.slice(from, to), MAX_LENGTH)}</mark
    >${inert(data.slice(to), MAX_LENGTH)}`;
}
