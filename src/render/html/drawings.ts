/**
 * Drawings over time: a stream, both ends of a call, the requests of the run. Positions are percentages, so that a drawing fills
 * the width and its text keeps its size on a phone. The words beside it say the same.
 */
import type { AttemptReport, ExchangeReport } from '../../report/report.ts';
import { count, formatDuration, groupDigits } from '../../text/layout.ts';
import { type Shade, ownVerdict } from '../looks.ts';
import {
  type BothEnds,
  endOfCall,
  formatAttemptTime,
  formatClientEnd,
  formatUpstreamCall,
  formatUpstreamEnd,
  startOf,
} from '../request-text.ts';
import { type HtmlPiece, type Markup, element, html, when } from './markup.ts';
import { linkSender, renderNote, renderSign, type SectionParts } from './parts.ts';
import type { View } from './view.ts';

type Answer = NonNullable<AttemptReport['answer']>;
type Stream = NonNullable<Answer['stream']>;

const STREAM_ENDS: Record<Stream['end'], string> = {
  done: 'ended with [DONE]',
  closed: 'closed without [DONE]',
  cut: 'cut off',
  stalled: 'stalled',
  'held-open': 'kept open without [DONE]',
  limit: 'stopped at a limit of wirecheck',
  aborted: 'stopped by wirecheck',
};
const PROPER_ENDS: readonly Stream['end'][] = ['done', 'closed'];

/** Where the axis starts and ends, in per cent of the width. */
const LEFT = 1;
const RIGHT = 98;
/** Shorter gaps are not shaded. Share of the whole. */
const MIN_GAP = 0.04;
const MAX_TICKS = 5;

/** A stream: its events, network reads, longest gap and end. */
export function renderTimeline(answer: Answer, marked?: number): HtmlPiece {
  const { stream } = answer;
  if (!stream) return undefined;
  const { events, reads } = stream;
  const last = Math.max(answer.endAt, events.at(-1)?.at ?? 0, reads.at(-1)?.at ?? 0, 1);
  const x = (at: number) => `${(LEFT + (Math.min(at, last) / last) * (RIGHT - LEFT)).toFixed(2)}%`;
  const gap = findLongestGap(events);
  const biggest = Math.max(1, ...reads.map(({ bytes }) => bytes));
  return html`<figure class="timeline">
    <svg role="img" aria-label="${describeTimeline(answer)}" width="100%" height="112">
      ${when(gap && gap.length > last * MIN_GAP ? gap : undefined, ({ from, to }) => {
        const width = `${(((to - from) / last) * (RIGHT - LEFT)).toFixed(2)}%`;
        return element('rect', { class: 'pause', x: x(from), y: 20, width, height: 36 });
      })}
      ${drawAxis(0, last, x, 90)} ${drawMark('headers-at', x(answer.headersAt), 20, 90)}
      ${reads.map(({ at, bytes }) => drawMark('read', x(at), (88 - Math.max(2, (bytes / biggest) * 22)).toFixed(1), 88))}
      ${events.map(({ at, data, hasText = SHOWS_TEXT.test(data) }, number) => {
        const kind = number === marked ? 'wrong' : hasText ? 'text' : 'other';
        return drawMark(`event ${kind}`, x(at), kind === 'other' ? 38 : 24, 56);
      })}
      ${when(events[0], ({ at }) => {
        const [dx, anchor] = at / last > 0.7 ? [-6, 'end'] : [6, 'start'];
        return html`${element('circle', { class: 'first', cx: x(at), cy: 18, r: 3.5 })}
        ${element('text', { x: x(at), y: 10, dx, 'text-anchor': anchor }, `first event ${formatDuration(at)}`)}`;
      })}
      ${drawMark(PROPER_ENDS.includes(stream.end) ? 'end' : 'end wrong', x(answer.endAt), 16, 94)}
    </svg>
    <figcaption>${describeTimeline(answer)}</figcaption>
  </figure>`;
}

/** The caption, which is also the text for screen readers. */
function describeTimeline({ headersAt, endAt, stream }: Answer): string {
  if (!stream) return '';
  const { events, eventCount, reads, comments, end } = stream;
  const gap = findLongestGap(events);
  return [
    `headers after ${formatDuration(headersAt)}`,
    ...(events[0] ? [`first event after ${formatDuration(events[0].at)}`] : []),
    `${count(eventCount, 'event')} in ${count(reads.length, 'read')}`,
    ...(gap ? [`longest gap ${formatDuration(gap.length)} before event ${gap.before}`] : []),
    ...(comments > 0 ? [count(comments, 'comment')] : []),
    `${STREAM_ENDS[end]} after ${formatDuration(endAt)}`,
  ].join(', ');
}

/** The longest time between two events. `before`: the number of events before it. */
function findLongestGap(events: Stream['events']) {
  const gaps = events.slice(1).map(({ at: to }, earlier) => {
    const from = events[earlier]?.at ?? 0;
    return { from, to, length: to - from, before: earlier + 1 };
  });
  const [longest] = gaps.toSorted((a, b) => b.length - a.length);
  return longest && longest.length > 0 ? longest : undefined;
}

/** A vertical line at a moment. */
export function drawMark(kind: string, x: string, top: number | string, bottom: number): Markup {
  return element('line', { class: kind, x1: x, x2: x, y1: top, y2: bottom });
}

/** Ticks are far enough apart to be read. The first and the last label stay inside. `x`: where a moment is. */
export function drawAxis(first: number, last: number, x: (at: number) => string, y: number): Markup {
  const ticks = chooseTicks(last - first).filter((at) => at <= last);
  return html`<line class="axis" x1="${x(first)}" x2="${x(last)}" y1="${y}" y2="${y}" /> ${ticks.map((at) => {
      const anchor = at === first ? 'start' : chooseAnchor((at - first) / (last - first));
      return html`${drawMark('axis', x(at), y, y + 4)}
      ${element('text', { x: x(at), y: y + 17, 'text-anchor': anchor }, formatDuration(at))}`;
    })}`;
}

/** Round numbers from zero on. */
function chooseTicks(last: number): number[] {
  const rough = last / MAX_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, at) => at * step);
}

/** The first and the last label stay inside the axis. */
function chooseAnchor(share: number): string {
  if (share < 0.05) return 'start';
  return share > 0.93 ? 'end' : 'middle';
}

/** Whether an event of an older report, which does not say so, has text or reasoning. */
const SHOWS_TEXT = /"(?:content|reasoning|reasoning_content)"\s*:\s*"(?!")/;

/** Pixels. */
const LANE = 52;
const BAR_TOP = 20;
const BAR_HEIGHT = 22;
/** What a call got is written behind it where there is so much room. Per cent of the width. */
const LABEL = 14;
/** Lanes of upstream calls. */
const MAX_CALLS = 4;

type Lane = ReturnType<typeof laneOf>;

/** Times are milliseconds since the client sent its request. */
function barOf(exchange: ExchangeReport, ends: BothEnds) {
  const from = startOf(exchange, ends);
  const answer = exchange.attempts.at(-1)?.answer;
  return {
    from,
    to: endOfCall(exchange, ends),
    parts: (answer?.stream?.reads ?? []).map(({ at }) => from + at),
    headAt: answer && from + answer.headersAt,
    isBroken: answer === undefined || answer.body.end.kind === 'cut',
    got: exchange.upstream && formatUpstreamCall(exchange),
  };
}

function laneOf(title: string, exchanges: readonly ExchangeReport[], ends: BothEnds) {
  return { title, bars: exchanges.map((exchange) => barOf(exchange, ends)) };
}

/** Of one upstream a lane for each call, of two a lane for each upstream. */
function upstreamLanes(ends: BothEnds): readonly Lane[] {
  const { upstream } = ends;
  const names = [...new Set(upstream.flatMap((call) => call.upstream ?? []))];
  if (names.length === 0)
    return upstream
      .slice(0, MAX_CALLS)
      .map((call, at) => laneOf(upstream.length === 1 ? 'Upstream' : `Upstream, call ${at + 1}`, [call], ends));
  return names
    .toSorted()
    .toReversed()
    .map((name) => {
      const calls = upstream.filter((call) => call.upstream === name);
      const said = calls.length === 1 ? calls.map(formatUpstreamCall) : [`${name}, ${count(calls.length, 'call')}`];
      return laneOf(`Upstream: ${said.join('')}`, calls, ends);
    });
}

/** A lane for the client, and those of its upstream calls. */
export function renderLanes(ends: BothEnds): Markup {
  const lanes = [laneOf('Client', [ends.front], ends), ...upstreamLanes(ends)];
  const bars = lanes.flatMap((lane) => lane.bars);
  const last = Math.max(1, ...bars.map(({ to }) => to));
  // The call behind a reply from a cache came before the client's request.
  const first = Math.min(0, ...bars.map(({ from }) => from));
  const scale = (RIGHT - LEFT) / (last - first);
  const x = (at: number): string => `${(LEFT + (Math.max(first, Math.min(at, last)) - first) * scale).toFixed(2)}%`;
  const bottom = lanes.length * LANE + 6;
  return html`<figure class="timeline lanes">
    <svg role="img" aria-label="${describeEnds(ends)}" width="100%" height="${bottom + 22}">
      ${lanes.map((lane, at) => renderLane(lane, at * LANE, x, scale))} ${drawAxis(first, last, x, bottom)}
    </svg>
    <figcaption>${describeEnds(ends)}</figcaption>
  </figure>`;
}

/** `scale`: per cent of the width for each millisecond. */
function renderLane({ title, bars }: Lane, top: number, x: (at: number) => string, scale: number): Markup {
  return html`<text x="${LEFT}%" y="${top + 14}">${title}</text>${bars.map((bar, at) => {
      const room = ((bars[at + 1]?.from ?? bar.to + LABEL / scale) - bar.to) * scale;
      const y = top + BAR_TOP + BAR_HEIGHT / 2 + 4;
      const [dx, anchor] = bar.to * scale > RIGHT - LABEL ? [-6, 'end'] : [6, 'start'];
      return html`${renderBar(bar, top, x, scale)}
      ${bar.got && bars.length > 1 && room >= LABEL && element('text', { class: 'got', x: x(bar.to), y, dx, 'text-anchor': anchor }, bar.got)}`;
    })}`;
}

function renderBar(bar: Lane['bars'][number], lane: number, x: (at: number) => string, scale: number): Markup {
  const [top, foot] = [lane + BAR_TOP, lane + BAR_TOP + BAR_HEIGHT];
  const width = (bar.to - bar.from) * scale;
  return html`<g>
    ${when(bar.got, (text) => html`<title>${text}</title>`)}
    ${element('rect', { class: 'lane', x: x(bar.from), y: top, width: `${Math.max(0.3, width).toFixed(2)}%`, height: BAR_HEIGHT })}
    ${bar.headAt !== undefined && drawMark('headers-at', x(bar.headAt), top, foot)}
    ${bar.parts.map((at) => drawMark('event text', x(at), top + 4, foot - 4))}
    ${drawMark(bar.isBroken ? 'end wrong' : 'end', x(bar.to), top - 4, foot + 4)}
  </g>`;
}

/** The caption, which is also the text for screen readers. */
function describeEnds(ends: BothEnds): string {
  return `Client: ${formatClientEnd(ends)}. Upstream: ${formatUpstreamEnd(ends)}.`;
}

/** A run with more requests is shown up to here. */
const MAX_ROWS = 300;
/** Per cent of the width. */
const MIN_WIDTH = 0.4;

type Scale = (milliseconds: number) => number;

function countAttempts(sent: readonly ExchangeReport[]): number {
  return sent.reduce((sum, { attempts }) => sum + attempts.length, 0);
}

/** One row for each request, in the order in which they were sent. */
export function waterfall(view: View): SectionParts | undefined {
  const { exchanges, load, cost } = view.report;
  // Calls at the upstream of a relay are in the lanes of their case.
  const sent = exchanges
    .filter(({ side, attempts }) => side !== 'upstream' && attempts.length > 0)
    .toSorted((a, b) => startOfExchange(a) - startOfExchange(b));
  const [first] = sent;
  if (!first) return undefined;
  const drawn = countAttempts(sent);
  // The cost of the run counts them, as in every other format. Under load, the report keeps only a few.
  const all = Math.max(drawn, cost.used.requests);
  const what = load ? 'The requests that the report keeps as evidence, over time.' : 'Every request over time.';
  // Requests that are no evidence.
  const beside =
    load || all === drawn ? '' : ` Not drawn: ${count(all - drawn, 'request')} that only looked for what answers.`;
  const shown = sent.slice(0, MAX_ROWS);
  const began = startOfExchange(first);
  const length = Math.max(1, ...shown.flatMap(({ attempts }) => attempts.map(endOf))) - began;
  const scale: Scale = (milliseconds) => Math.min(100, Math.max(0, ((milliseconds - began) / length) * 100));
  const rest = `Showing the first ${groupDigits(countAttempts(shown))} of ${groupDigits(all)} requests; report.json has more.`;
  return {
    id: 'requests',
    title: 'Requests',
    count: load ? drawn : all,
    lead: `${what} Bars that overlap were in flight at the same time; hollow bars are attempts that were repeated.${beside}`,
    body: html`<details class="card">
      <summary>${load && html`${groupDigits(drawn)} of `}${count(all, 'request')} in ${formatDuration(length)}</summary>
      ${renderAxis(length)}
      <ol class="waterfall">
        ${shown.map((exchange) => renderRow(view, exchange, began, scale))}
      </ol>
      ${sent.length > shown.length && renderNote(rest)}
    </details>`,
  };
}

function startOfExchange({ attempts }: ExchangeReport): number {
  return attempts[0]?.sentAt ?? 0;
}

/** Without an answer it is not known when the attempt ended. */
function endOf({ sentAt, answer }: AttemptReport): number {
  return sentAt + (answer?.endAt ?? 0);
}

function renderAxis(length: number): Markup {
  return html`<svg class="axis-row" width="100%" height="16" aria-hidden="true">
    ${chooseTicks(length).map((at) =>
      element(
        'text',
        { x: `${((at / length) * 100).toFixed(1)}%`, y: 12, 'text-anchor': chooseAnchor(at / length) },
        formatDuration(at),
      ),
    )}
  </svg>`;
}

function renderRow(view: View, exchange: ExchangeReport, began: number, scale: Scale): Markup {
  const sender = view.sender(exchange.id);
  const shade: Shade = sender ? ownVerdict(sender).verdict : 'none';
  const { attempts } = exchange;
  const bars = attempts.map((attempt, at) => {
    const [from, to] = [scale(attempt.sentAt), scale(endOf(attempt))];
    const width = Math.max(MIN_WIDTH, to - from);
    const kind = at < attempts.length - 1 ? 'earlier' : `f-${shade}`;
    const x = `${Math.min(from, 100 - width).toFixed(2)}%`;
    return element('rect', { class: kind, x, width: `${width.toFixed(2)}%`, y: 1, height: 10 });
  });
  const retried = attempts.length > 1 && html`<span class="tag loud">${count(attempts.length, 'attempt')}</span> `;
  return html`<li>
    <span class="sent-by">${renderSign(shade)} ${linkSender(view, exchange.id)}</span>
    <svg width="100%" height="12" aria-hidden="true">${bars}</svg>
    <span class="quiet"
      >${retried}at ${formatDuration(startOfExchange(exchange) - began)}:
      ${attempts.map(formatAttemptTime).join('; ')}</span
    >
  </li>`;
}
