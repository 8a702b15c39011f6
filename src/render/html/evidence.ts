/** What was sent and received: request and answer with the offending place marked, streams, both ends of a relay, a client's output. */
import { pointerOf, pointerTokens } from '../../json.ts';
import type { AttemptReport, CaseReport, ExchangeReport, FindingReport } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { count, formatDuration, groupDigits, inert } from '../../text/layout.ts';
import { formatSecretName } from '../../verdict/actual.ts';
import { clientFacts, showBytes } from '../client-text.ts';
import { type BothEnds, formatAttemptTime, formatLeft, formatRequest, rootFor } from '../request-text.ts';
import { type MarkKind, isJson, layOutJson, renderBody } from './body-text.ts';
import { renderLanes, renderTimeline } from './drawings.ts';
import { type HtmlPiece, type Markup, html, join, joinLines, when } from './markup.ts';
import {
  foldByArea,
  linkSender,
  renderBox,
  renderFacts,
  renderFold,
  renderItems,
  renderLines,
  renderNote,
  renderTable,
  renderTags,
  type Row,
  type SectionParts,
  tagCase,
} from './parts.ts';
import type { View } from './view.ts';

export interface Evidence {
  readonly exchange: ExchangeReport;
  /** The case whose request it is, to mark its edits. */
  readonly sender?: CaseReport | undefined;
  /** Marked in the answer; without it the last attempt is shown. */
  readonly finding?: FindingReport | undefined;
  /** `brief` shows the start of bodies and no events. */
  readonly detail: 'full' | 'brief';
}

/** Characters of a body: all that a report keeps, or enough to recognise it. */
const MAX_BODY_LENGTH: Record<Evidence['detail'], number> = { full: 16_384, brief: 2_000 };

type Answer = NonNullable<AttemptReport['answer']>;

export function renderEvidence(view: View, shown: Evidence): Markup {
  const { attempts } = shown.exchange;
  const number = shown.finding?.attempt ?? attempts.length - 1;
  // At an upstream and of a client, the request is judged.
  const { finding: judged, ...rest } = shown;
  const isOfRequest = judged?.pointer && (shown.exchange.side === 'upstream' || traitsOf(view.report).isCaller);
  const isStream = attempts[number]?.answer?.stream !== undefined;
  const times = attempts.map(formatAttemptTime).join('; ');
  const which = attempts.length > 1 && renderNote(`Attempt ${number + 1} of ${attempts.length}: ${times}.`);
  return html`<div class="sides${isStream && ' streamed'}">
    ${renderRequest(view, isOfRequest ? shown : rest)}
    ${renderBox('side', 'Answer', html`${renderAnswer(isOfRequest ? rest : shown, attempts[number])} ${which}`)}
  </div>`;
}

/** `finding`: marked in the body in place of the edits. */
function renderRequest({ root }: View, { exchange, sender, finding, detail }: Evidence): Markup {
  const { method, path, headers, body, key } = exchange;
  const edits = sender?.exchange === exchange.id ? sender.edits : [];
  const kind = finding?.pointer ? 'wrong' : 'edit';
  const pointers = finding?.pointer
    ? [finding.pointer]
    : edits.flatMap((edit) => ('pointer' in edit && edit.kind !== 'remove' ? [edit.pointer] : []));
  const editedHeaders = edits.flatMap((edit) => {
    if (edit.kind === 'header') return [edit.name.toLowerCase()];
    return edit.kind === 'key' ? ['authorization', 'x-api-key'] : [];
  });
  const most = MAX_BODY_LENGTH[detail];
  return renderBox(
    'side',
    'Request',
    html`<p class="line">
        <code>${inert(method)} ${rootFor(exchange, root)}${inert(path)}</code
        >${key !== 'full' && html` <span class="tag">key: ${key}</span>`}
      </p>
      ${renderHeaders(headers, editedHeaders, 'edit')}
      ${body ? renderBody({ text: body, isCut: false, pointers, of: 'request', kind, most }) : renderNote('No body.')}`,
  );
}

function renderHeaders(
  headers: ExchangeReport['headers'],
  marked: readonly string[] = [],
  kind: MarkKind = 'wrong',
): Markup {
  if (headers.length === 0) return renderNote('No headers.');
  const isMarked = headers.some(([name]) => marked.includes(name.toLowerCase()));
  const lines = headers.map(([name, value]) => {
    const line = html`<code>${inert(name, 100)}: ${inert(value, 400)}</code>`;
    return marked.includes(name.toLowerCase()) ? html`<mark class="${kind}">${line}</mark>` : line;
  });
  return renderFold(count(headers.length, 'header'), renderItems('plain', lines), {
    kind: 'headers',
    isOpen: isMarked,
  });
}

function renderAnswer({ exchange, finding, detail }: Evidence, attempt: AttemptReport | undefined): Markup {
  if (!attempt) return renderNote('Not sent.');
  const { answer, failure, secretsSeen } = attempt;
  if (!answer) {
    const { kind = 'unknown', limit, code = '', detail = '' } = failure ?? {};
    return html`<p class="line"><strong>No answer</strong>: ${kind}${limit === undefined ? '' : ` (--${limit})`}</p>
      <p class="note"><code>${inert(code, 80)}</code> ${inert(detail, 300)}</p>`;
  }
  const isAboutStatus = finding !== undefined && ABOUT_STATUS.includes(finding.mismatch);
  const status = html`<code>HTTP/${inert(answer.httpVersion, 10)} ${answer.status}</code>`;
  return html`<p class="line">
      ${isAboutStatus ? html`<mark class="wrong">${status}</mark>` : status}
      <span class="quiet">after ${formatDuration(answer.endAt)}, ${count(answer.body.bytes, 'byte')}</span>
    </p>
    ${renderHeaders(answer.headers, finding && ABOUT_HEADER[finding.mismatch])}
    ${when(formatBodyEnd(answer), renderNote)}
    ${secretsSeen.map(({ role, form, place }) => renderNote(html`The ${place}${exchange.side ? ' of the request' : ''} contains ${inert(formatSecretName(role), 100)} (${form}).`))}
    ${answer.stream ? renderStreamBody(answer, finding, detail) : renderPlainBody(answer, finding, detail)}`;
}

/** Mismatches that are visible in the status or in a header, not at a place in the body. */
const ABOUT_STATUS: readonly FindingReport['mismatch'][] = ['status', 'completion', 'accepted', 'redirect'];
const ABOUT_HEADER: Readonly<Partial<Record<FindingReport['mismatch'], readonly string[]>>> = {
  'content-type': ['content-type'],
  redirect: ['location'],
};

function formatBodyEnd({ body: { end, bytes }, stream }: Answer): string | undefined {
  switch (end.kind) {
    case 'complete':
      return undefined;
    case 'limit':
      return `Reading stopped at --${end.limit}.`;
    case 'aborted':
      return `Reading ended early: ${formatLeft(end)}.`;
    case 'cut': {
      const read = stream ? count(stream.eventCount, 'event') : count(bytes, 'byte');
      return `The connection closed after ${read}, before the end of the body (${inert(end.detail)}).`;
    }
    case 'undecodable':
      return `The body cannot be decompressed: ${inert(end.detail)}.`;
  }
}

function renderPlainBody({ body }: Answer, finding: FindingReport | undefined, detail: Evidence['detail']): Markup {
  if (body.bytes === 0) return renderNote('No body.');
  if (body.shown === 0) return renderNote('The report leaves out the body.');
  const pointers = finding?.pointer ? [finding.pointer] : [];
  const isCut = body.shown < body.bytes;
  return renderBody({ text: body.text, isCut, pointers, of: 'answer', kind: 'wrong', most: MAX_BODY_LENGTH[detail] });
}

function renderStreamBody(answer: Answer, finding: FindingReport | undefined, detail: Evidence['detail']): HtmlPiece {
  const { stream } = answer;
  if (!stream) return undefined;
  // A stream without events may be another kind of answer: show its text.
  if (stream.events.length === 0) return renderPlainBody(answer, undefined, detail);
  if (detail === 'brief')
    return html`${renderTimeline(answer)}
      <p class="note"><a href="#streams">Streams</a> has its events.</p>`;
  return html`${renderTimeline(answer, findEvent(finding))} ${renderEvents(stream, finding, true)}`;
}

type Stream = NonNullable<NonNullable<AttemptReport['answer']>['stream']>;

const MAX_LENGTH = 600;
/** A stream with at most this many events is shown in full. */
const SHORT = 14;
const AT_START = 4;
const AT_END = 3;
const AROUND = 3;

/** Index of the event that a finding is about: the first token of its pointer. */
function findEvent(finding: FindingReport | undefined): number | undefined {
  const [first] = pointerTokens(finding?.pointer ?? '');
  return first !== undefined && /^\d+$/.test(first) ? Number(first) : undefined;
}

/** `inPart` leaves the first, the last and those around the marked one; a fold has all of them. */
function renderEvents(stream: Stream, finding: FindingReport | undefined, inPart: boolean): Markup {
  const { events, eventCount } = stream;
  const marked = findEvent(finding);
  const isKept = (at: number): boolean =>
    at < AT_START || at >= events.length - AT_END || (marked !== undefined && Math.abs(at - marked) <= AROUND);
  const isInPart = inPart && events.length > SHORT;
  const all = renderEventTable(stream, [...events.keys()], finding);
  return html`${isInPart ? renderEventTable(stream, [...events.keys()].filter(isKept), finding) : all}
  ${isInPart && renderFold(`All ${count(events.length, 'event')}`, all, { kind: 'whole' })}
  ${eventCount > events.length && renderNote(`The report has the first ${groupDigits(events.length)} of ${count(eventCount, 'event')}.`)}`;
}

function renderEventTable(stream: Stream, kept: readonly number[], finding: FindingReport | undefined): Markup {
  const rows = kept.flatMap((at, place): readonly Row[] => {
    const left = at - (kept[place - 1] ?? -1) - 1;
    const gap = { kind: 'gap', cells: ['…', '', `… ${count(left, 'event')} …`] };
    return [...(left > 0 ? [gap] : []), eventRow(stream, at, finding)];
  });
  const heads = ['event', 'at ms', 'data'];
  return renderTable({ name: 'Events of the stream', kind: 'events', heads, rows, numbers: [1] });
}

function eventRow({ events }: Stream, at: number, finding: FindingReport | undefined): Row {
  const { event, at: time = 0, data = '' } = events[at] ?? {};
  const isMarked = findEvent(finding) === at;
  const name = when(event, (words) => html`<span class="tag">${inert(words, 60)}</span> `);
  const shown = isMarked ? markData(data, finding?.pointer ?? '') : renderData(data);
  const cells = [at, time.toFixed(1), html`${name}<code>${shown}</code>`];
  return { kind: isMarked ? 'marked' : undefined, cells };
}

function markData(data: string, pointer: string): Markup {
  const inside = pointerOf(pointerTokens(pointer).slice(1));
  const [place] = inside !== '' && isJson(data) ? layOutJson(data, [inside], false).places : [];
  const { from, to } = place ?? { from: 0, to: data.length };
  const [before, wrong, after] = [data.slice(0, from), data.slice(from, to), data.slice(to)].map(renderData);
  return html`${before}<mark class="wrong">${wrong}</mark>${after}`;
}

/** Lines end between the members of an object, not inside an id or a number. */
function renderData(data: string): Markup {
  return join(inert(data, MAX_LENGTH).split(/(?<=,)(?=")/), html`<wbr />`);
}

export function streams(view: View): SectionParts | undefined {
  // Answers that are streams, with their request. A call at an upstream belongs to the case of the one that caused it.
  const drawn = view.report.exchanges.flatMap((exchange) => {
    const sender = view.sender(exchange.id) ?? view.sender(exchange.cause ?? '');
    return exchange.attempts.flatMap(({ answer }, attempt) =>
      answer?.stream ? [{ exchange, attempt, answer, sender }] : [],
    );
  });
  if (drawn.length === 0) return undefined;
  return {
    id: 'streams',
    title: 'Streams',
    items: drawn.length,
    lead: html`Tall ticks are events with text; short ticks are other events. The bars below them are network reads,
    scaled by size. The dot marks the first event, the dashed line the headers, the solid line the end. The longest gap
    is shaded.`,
    body: foldByArea(drawn, {
      noun: 'stream',
      areaOf: ({ sender }) => inert(sender?.suite ?? 'others', 60),
      isOpen: false,
      render: (own) =>
        own.map(({ exchange, attempt, answer, sender }) => {
          const number = exchange.attempts.length > 1 ? ` (attempt ${attempt + 1})` : '';
          const hasEvents = answer.stream && answer.stream.events.length > 0;
          return html`<div class="stream" ${renderTags(tagCase(sender))}>
            <h3>${linkSender(view, exchange.id)}${number}</h3>
            <p class="quiet">${formatRequest(view.report, exchange)}</p>
            ${renderTimeline(answer)}
            ${hasEvents && renderFold('Events', renderEvents(answer.stream, undefined, false))}
          </div>`;
        }),
    }),
  };
}

/** Upstream calls whose request and answer are shown. */
const MAX_CALLS = 2;

export function renderBothEnds(view: View, ends: BothEnds, finding: FindingReport | undefined): Markup {
  const { front, upstream } = ends;
  const renderEnd = (title: string, exchange: ExchangeReport): Markup => {
    const own = finding?.exchange === exchange.id ? finding : undefined;
    return html`<h4>${title}</h4>
      ${renderEvidence(view, { exchange, detail: 'full', finding: own })}`;
  };
  const single = upstream.length === 1;
  return html`${renderLanes(ends)} ${renderEnd('At the client', front)}
  ${upstream
    .slice(0, MAX_CALLS)
    .map((call, at) =>
      renderEnd(single ? 'At the upstream' : `At the upstream, call ${at + 1} of ${upstream.length}`, call),
    )}`;
}

/** Characters of an answer. */
const MAX_BYTES: Record<'full' | 'brief', number> = { full: 12_000, brief: 1_200 };

export function renderClient(
  testCase: CaseReport,
  exchange: ExchangeReport | undefined,
  detail: 'full' | 'brief',
  isOpen = detail === 'full',
): HtmlPiece {
  const { client } = testCase;
  const facts = clientFacts(testCase).map(([label, value]) => [label, renderOutput(value)] as const);
  if (!client) return undefined;
  const calls = `${count(client.exchanges.length, 'call')} in ${formatDuration(client.time)}`;
  return html`<div class="client-said">
    ${renderFacts([...facts, ['Calls', client.exchanges.length > 0 && calls]])}
    ${exchange && renderBytes(exchange, MAX_BYTES[detail], isOpen)}
  </div>`;
}

/** Lines of an output that are shown at once. */
const LAST_LINES = 8;

/** The last lines say most, as in a stack trace. */
function renderOutput(text: string): Markup {
  if (!text.includes('\n')) return html`<code>${inert(text, 2_000)}</code>`;
  const lines = text.split('\n');
  const earlier = lines.slice(0, -LAST_LINES);
  const folded = html`<pre tabindex="0">${renderLines(earlier)}</pre>`;
  return html`${earlier.length > 0 && renderFold(count(earlier.length, 'earlier line'), folded, { kind: 'earlier-lines' })}
    <pre tabindex="0">${renderLines(lines.slice(-LAST_LINES))}</pre>`;
}

/** The last answer, byte for byte but for its framing. */
function renderBytes({ attempts }: ExchangeReport, most: number, isOpen: boolean): Markup {
  const { answer, failure } = attempts.at(-1) ?? {};
  if (!answer) return renderNote(html`No answer was sent: ${inert(failure?.detail ?? '', 200)}.`);
  const { body, status, head } = answer;
  const shown = showBytes(body.text.slice(0, most)).split('\n');
  const rest = body.bytes - body.shown + Math.max(0, body.text.length - most);
  const bytes = html`${when(head, (text) => html`<pre class="head" tabindex="0">${renderLines(text.trimEnd().split('\r\n'))}</pre>`)}
    <pre tabindex="0">${joinLines(shown)}</pre>
    ${rest > 0 && renderNote(`${count(rest, 'more byte')}.`)}`;
  return renderFold(`Sent: status ${status}, ${count(body.bytes, 'byte')}`, bytes, { kind: 'sent', isOpen });
}
