/**
 * Both ends of a call on one time axis: a lane for the client, and one for each upstream call. Positions are percentages,
 * so that the drawing fills the width and its text keeps its size on a phone.
 */
import type { ExchangeReport } from '../../report/exchange-report.ts';
import { formatDuration } from '../../text/duration.ts';
import { type BothEnds, formatClientEnd, formatUpstreamEnd, startOf } from '../request-text.ts';
import { html, type Markup } from './markup.ts';
import { chooseTicks } from './timeline.ts';

/** Where the axis starts and ends, in per cent of the width. */
const LEFT = 1;
const RIGHT = 98;
/** Pixels. */
const LANE = 52;
const BAR_TOP = 20;
const BAR_HEIGHT = 22;
/** Lanes of upstream calls. */
const MAX_CALLS = 4;

interface Lane {
  readonly title: string;
  /** Milliseconds since the client sent its request. */
  readonly from: number;
  readonly to: number;
  readonly parts: readonly number[];
  readonly headAt?: number;
  readonly isBroken: boolean;
}

export function renderLanes(ends: BothEnds): Markup {
  const lanes = [
    laneOf('Client', ends.front, ends),
    ...ends.upstream
      .slice(0, MAX_CALLS)
      .map((call, at) => laneOf(ends.upstream.length === 1 ? 'Upstream' : `Upstream, call ${at + 1}`, call, ends)),
  ];
  const last = Math.max(1, ...lanes.map(({ to }) => to));
  // The call behind a reply from a cache came before the client's request.
  const first = Math.min(0, ...lanes.map(({ from }) => from));
  const scale = (RIGHT - LEFT) / (last - first);
  const x = (at: number): string => `${(LEFT + (Math.max(first, Math.min(at, last)) - first) * scale).toFixed(2)}%`;
  // Far enough apart for the whole axis, not just for the part after the request.
  const ticks = chooseTicks(last - first).filter((at) => at <= last);
  const bottom = lanes.length * LANE + 6;
  return html`<figure class="timeline lanes">
    <svg role="img" aria-label="${describeEnds(ends)}" width="100%" height="${bottom + 22}">
      ${lanes.map((lane, at) => renderLane(lane, at * LANE, x, (lane.to - lane.from) * scale))}
      <line class="axis" x1="${x(first)}" x2="${x(last)}" y1="${bottom}" y2="${bottom}" />
      ${ticks.map(
        (at) =>
          html`<line class="axis" x1="${x(at)}" x2="${x(at)}" y1="${bottom}" y2="${bottom + 4}" />
            <text
              x="${x(at)}"
              y="${bottom + 17}"
              text-anchor="${at === first ? 'start' : (at - first) / (last - first) > 0.93 ? 'end' : 'middle'}"
              >${formatDuration(at)}</text
            >`,
      )}
    </svg>
    <figcaption>${describeEnds(ends)}</figcaption>
  </figure>`;
}

function renderLane(lane: Lane, top: number, x: (at: number) => string, width: number): Markup {
  const [bar, foot] = [top + BAR_TOP, top + BAR_TOP + BAR_HEIGHT];
  return html`<text x="${LEFT}%" y="${top + 14}">${lane.title}</text>
    <rect
      class="lane"
      x="${x(lane.from)}"
      y="${bar}"
      width="${Math.max(0.3, width).toFixed(2)}%"
      height="${BAR_HEIGHT}"
    />
    ${lane.headAt === undefined ? '' : html`<line class="headers-at" x1="${x(lane.headAt)}" x2="${x(lane.headAt)}" y1="${bar}" y2="${foot}" />`}
    ${lane.parts.map((at) => html`<line class="event text" x1="${x(at)}" x2="${x(at)}" y1="${bar + 4}" y2="${foot - 4}" />`)}
    <line
      class="${lane.isBroken ? 'end wrong' : 'end'}"
      x1="${x(lane.to)}"
      x2="${x(lane.to)}"
      y1="${bar - 4}"
      y2="${foot + 4}"
    />`;
}

function laneOf(title: string, exchange: ExchangeReport, ends: BothEnds): Lane {
  const from = startOf(exchange, ends);
  const answer = exchange.attempts.at(-1)?.answer;
  if (!answer) return { title, from, to: from, parts: [], isBroken: true };
  const { stream, headersAt, endAt, body } = answer;
  return {
    title,
    from,
    to: from + endAt,
    parts: (stream?.reads ?? []).map(({ at }) => from + at),
    headAt: from + headersAt,
    isBroken: body.end.kind === 'cut',
  };
}

/** The caption, which is also the text for screen readers. */
function describeEnds(ends: BothEnds): string {
  return `Client: ${formatClientEnd(ends)}. Upstream: ${formatUpstreamEnd(ends)}.`;
}
