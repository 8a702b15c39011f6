/**
 * A stream over time: its events, network reads, longest gap and end. Positions are percentages, so that the renderOverview
 * fills the width and its text keeps its size on a phone.
 */
import { formatDuration } from '../../text/duration.ts';
import type { AttemptReport } from '../../report/exchange-report.ts';
import { count } from '../../text/layout.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';

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

export function renderTimeline(answer: Answer, marked?: number): Markup {
  const { stream } = answer;
  if (!stream) return NOTHING;
  const { events, reads } = stream;
  const last = Math.max(answer.endAt, events.at(-1)?.at ?? 0, reads.at(-1)?.at ?? 0, 1);
  const x = (at: number) => `${(LEFT + (Math.min(at, last) / last) * (RIGHT - LEFT)).toFixed(2)}%`;
  const gap = findLongestGap(events);
  const biggest = Math.max(1, ...reads.map(({ bytes }) => bytes));
  return html`<figure class="timeline">
    <svg role="img" aria-label="${describeTimeline(answer)}" width="100%" height="112">
      ${when(
        gap && gap.length > last * MIN_GAP ? gap : undefined,
        ({ from, to }) =>
          html`<rect
            class="pause"
            x="${x(from)}"
            y="20"
            width="${(((to - from) / last) * (RIGHT - LEFT)).toFixed(2)}%"
            height="36"
          />`,
      )}
      <line class="axis" x1="${x(0)}" x2="${x(last)}" y1="90" y2="90" />
      ${chooseTicks(last).map(
        (at) =>
          html`<line class="axis" x1="${x(at)}" x2="${x(at)}" y1="90" y2="94" />
            <text x="${x(at)}" y="107" text-anchor="${chooseAnchor(at / last)}">${formatDuration(at)}</text>`,
      )}
      <line class="headers-at" x1="${x(answer.headersAt)}" x2="${x(answer.headersAt)}" y1="20" y2="90" />
      ${reads.map(({ at, bytes }) => {
        const height = Math.max(2, (bytes / biggest) * 22);
        return html`<line class="read" x1="${x(at)}" x2="${x(at)}" y1="${(88 - height).toFixed(1)}" y2="88" />`;
      })}
      ${events.map(({ at, data }, number) => {
        const kind = number === marked ? 'wrong' : hasText(data) ? 'text' : 'other';
        return html`<line
          class="event ${kind}"
          x1="${x(at)}"
          x2="${x(at)}"
          y1="${kind === 'other' ? 38 : 24}"
          y2="56"
        />`;
      })}
      ${when(
        events[0],
        ({ at }) =>
          html`<circle class="first" cx="${x(at)}" cy="18" r="3.5" />
            <text
              x="${x(at)}"
              y="10"
              dx="${at / last > 0.7 ? -6 : 6}"
              text-anchor="${at / last > 0.7 ? 'end' : 'start'}"
              >first event ${formatDuration(at)}</text
            >`,
      )}
      <line
        class="${PROPER_ENDS.includes(stream.end) ? 'end' : 'end wrong'}"
        x1="${x(answer.endAt)}"
        x2="${x(answer.endAt)}"
        y1="16"
        y2="94"
      />
    </svg>
    <figcaption>${describeTimeline(answer)}</figcaption>
  </figure>`;
}

/** The caption, which is also the text for screen readers. */
export function describeTimeline({ headersAt, endAt, stream }: Answer): string {
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

interface Gap {
  readonly from: number;
  readonly to: number;
  readonly length: number;
  readonly before: number;
}

function findLongestGap(events: Stream['events']): Gap | undefined {
  let longest: Gap | undefined;
  events.forEach(({ at }, number) => {
    const before = events[number - 1];
    if (before && at - before.at > (longest?.length ?? 0)) {
      longest = { from: before.at, to: at, length: at - before.at, before: number };
    }
  });
  return longest;
}

/** Round numbers from zero on. */
export function chooseTicks(last: number): number[] {
  const rough = last / MAX_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, at) => at * step);
}

/** So that the first and the last label stay inside. */
export function chooseAnchor(share: number): string {
  if (share < 0.05) return 'start';
  return share > 0.93 ? 'end' : 'middle';
}

/** Text or reasoning in any choice. */
function hasText(data: string): boolean {
  return /"(?:content|reasoning|reasoning_content)"\s*:\s*"(?!")/.test(data);
}
