/** Request and answer side by side, with the offending place marked. */
import { formatSecretName } from '../../verdict/actual.ts';
import { formatDuration } from '../../text/duration.ts';
import type { CaseReport } from '../../report/report.ts';
import type { AttemptReport, ExchangeReport } from '../../report/exchange-report.ts';
import type { FindingReport } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { formatLeft, rootFor } from '../request-text.ts';
import { renderBody, type MarkKind } from './body-text.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { findEvent, renderEvents } from './stream-events.ts';
import { renderTimeline } from './timeline.ts';
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
  const isStream = attempts[number]?.answer?.stream !== undefined;
  return html`<div class="sides${isStream ? ' streamed' : ''}">
    ${renderRequest(view, shown)}
    <div class="side">
      <p class="label">Answer</p>
      ${renderAnswer(shown, attempts[number])} ${renderAttempts(attempts, number)}
    </div>
  </div>`;
}

function renderRequest({ root }: View, { exchange, sender, detail }: Evidence): Markup {
  const { method, path, headers, body, key } = exchange;
  const edits = sender?.exchange === exchange.id ? sender.edits : [];
  const pointers = edits.flatMap((edit) => ('pointer' in edit && edit.kind !== 'remove' ? [edit.pointer] : []));
  const editedHeaders = edits.flatMap((edit) => {
    if (edit.kind === 'header') return [edit.name.toLowerCase()];
    return edit.kind === 'key' ? ['authorization', 'x-api-key'] : [];
  });
  return html`<div class="side">
    <p class="label">Request</p>
    <p class="line">
      <code>${inert(method)} ${rootFor(exchange, root)}${inert(path)}</code
      >${key === 'full' ? '' : html` <span class="tag">key: ${key}</span>`}
    </p>
    ${renderHeaders(headers, editedHeaders, 'edit')}
    ${
      body === undefined || body === ''
        ? html`<p class="note">No body.</p>`
        : renderBody({
            text: body,
            isCut: false,
            pointers,
            kind: 'edit',
            name: 'Body of the request',
            most: MAX_BODY_LENGTH[detail],
          })
    }
  </div>`;
}

function renderHeaders(
  headers: ExchangeReport['headers'],
  marked: readonly string[] = [],
  kind: MarkKind = 'wrong',
): Markup {
  if (headers.length === 0) return html`<p class="note">No headers.</p>`;
  const isMarked = headers.some(([name]) => marked.includes(name.toLowerCase()));
  return html`<details class="headers" ${isMarked ? html`open` : NOTHING}>
    <summary>${count(headers.length, 'header')}</summary>
    <ul>
      ${headers.map(([name, value]) => {
        const line = html`<code>${inert(name, 100)}: ${inert(value, 400)}</code>`;
        return html`<li>
          ${marked.includes(name.toLowerCase()) ? html`<mark class="${kind}">${line}</mark>` : line}
        </li>`;
      })}
    </ul>
  </details>`;
}

function renderAnswer({ exchange, finding, detail }: Evidence, attempt: AttemptReport | undefined): Markup {
  if (!attempt) return html`<p class="note">Not sent.</p>`;
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
    ${renderHeaders(answer.headers, finding && ABOUT_HEADER[finding.mismatch])} ${renderBodyEnd(answer)}
    ${secretsSeen.map(({ role, form, place }) => html`<p class="note">The ${place}${exchange.side ? ' of the request' : ''} contains ${inert(formatSecretName(role), 100)} (${form}).</p>`)}
    ${answer.stream ? renderStreamBody(answer, finding, detail) : renderPlainBody(answer, finding, detail)}`;
}

/** Mismatches that are visible in the status or in a header, not at a place in the body. */
const ABOUT_STATUS: readonly FindingReport['mismatch'][] = ['status', 'completion', 'accepted', 'redirect'];
const ABOUT_HEADER: Readonly<Partial<Record<FindingReport['mismatch'], readonly string[]>>> = {
  'content-type': ['content-type'],
  redirect: ['location'],
};

function renderBodyEnd({ body: { end, bytes }, stream }: Answer): Markup {
  switch (end.kind) {
    case 'complete':
      return NOTHING;
    case 'limit':
      return html`<p class="note">Reading stopped at --${end.limit}.</p>`;
    case 'aborted':
      return html`<p class="note">Reading ended early: ${formatLeft(end)}.</p>`;
    case 'cut':
      return html`<p class="note">
        The connection closed after ${stream ? count(stream.eventCount, 'event') : count(bytes, 'byte')}, before the end
        of the body (${inert(end.detail)}).
      </p>`;
    case 'undecodable':
      return html`<p class="note">The body cannot be decompressed: ${inert(end.detail)}.</p>`;
  }
}

function renderPlainBody({ body }: Answer, finding: FindingReport | undefined, detail: Evidence['detail']): Markup {
  if (body.bytes === 0) return html`<p class="note">No body.</p>`;
  if (body.shown === 0) return html`<p class="note">The report leaves out the body.</p>`;
  return renderBody({
    text: body.text,
    isCut: body.shown < body.bytes,
    pointers: finding?.pointer === undefined || finding.pointer === '' ? [] : [finding.pointer],
    kind: 'wrong',
    name: 'Body of the answer',
    most: MAX_BODY_LENGTH[detail],
  });
}

function renderStreamBody(answer: Answer, finding: FindingReport | undefined, detail: Evidence['detail']): Markup {
  const { stream } = answer;
  if (!stream) return NOTHING;
  // A stream without events may be another kind of answer: show its text.
  if (stream.events.length === 0) return renderPlainBody(answer, undefined, detail);
  if (detail === 'brief')
    return html`${renderTimeline(answer)}
      <p class="note"><a href="#streams">Streams</a> has its events.</p>`;
  return html`${renderTimeline(answer, findEvent(finding))} ${renderEvents(stream, finding, true)}`;
}

function renderAttempts(attempts: ExchangeReport['attempts'], number: number): Markup {
  return when(
    attempts.length > 1 && attempts,
    (all) => html`<p class="note">Attempt ${number + 1} of ${all.length}: ${all.map(formatAttempt).join('; ')}.</p>`,
  );
}

export function formatAttempt({ answer, failure, pause }: AttemptReport): string {
  const waited = pause > 0 ? ` after waiting ${formatDuration(pause)}` : '';
  if (answer) return `${answer.status} in ${formatDuration(answer.endAt)}${waited}`;
  return `no answer (${failure?.kind ?? 'unknown'})${waited}`;
}
