/** What was sent and what came back, side by side, with the offending place marked. */
import type { AttemptReport, CaseReport, ExchangeReport } from '../../report/report.ts';
import type { FindingReport } from '../fold.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { bodyText, type MarkKind } from './body-text.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { duration } from './parts.ts';
import { eventOf, eventTable } from './stream-events.ts';
import { timeline } from './timeline.ts';
import type { View } from './view.ts';

export interface Evidence {
  readonly exchange: ExchangeReport;
  /** The case that it was sent for, to mark what was edited. */
  readonly asker?: CaseReport | undefined;
  /** What is wrong with the answer; without it nothing is marked and the last attempt is shown. */
  readonly finding?: FindingReport | undefined;
  /** Whole bodies and events, or the beginning of them. */
  readonly detail: 'full' | 'brief';
}

/** Characters of a body: as many as a report keeps, or enough to see what it is. */
const MOST: Record<Evidence['detail'], number> = { full: 16_384, brief: 2_000 };

type Answer = NonNullable<AttemptReport['answer']>;

export function evidence(view: View, shown: Evidence): Markup {
  const { attempts } = shown.exchange;
  const number = shown.finding?.attempt ?? attempts.length - 1;
  const isStream = attempts[number]?.answer?.stream !== undefined;
  return html`<div class="sides${isStream ? ' streamed' : ''}">
    ${requestSide(view, shown)}
    <div class="side">
      <p class="label">Answer</p>
      ${answerSide(shown, attempts[number])} ${attemptList(attempts, number)}
    </div>
  </div>`;
}

function requestSide({ root }: View, { exchange, asker, detail }: Evidence): Markup {
  const { method, path, headers, body, key } = exchange;
  const edits = asker?.exchange === exchange.id ? asker.edits : [];
  const pointers = edits.flatMap((edit) => ('pointer' in edit && edit.kind !== 'remove' ? [edit.pointer] : []));
  const editedHeaders = edits.flatMap((edit) => {
    if (edit.kind === 'header') return [edit.name.toLowerCase()];
    return edit.kind === 'key' ? ['authorization', 'x-api-key'] : [];
  });
  return html`<div class="side">
    <p class="label">Request</p>
    <p class="line">
      <code>${inert(method)} ${root}${inert(path)}</code
      >${key === 'full' ? '' : html` <span class="tag">key: ${key}</span>`}
    </p>
    ${headerList(headers, editedHeaders, 'edit')}
    ${
      body === undefined || body === ''
        ? html`<p class="note">No body.</p>`
        : bodyText({
            text: body,
            isCut: false,
            pointers,
            kind: 'edit',
            name: 'Body of the request',
            most: MOST[detail],
          })
    }
  </div>`;
}

function headerList(
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

function answerSide({ finding, detail }: Evidence, attempt: AttemptReport | undefined): Markup {
  if (!attempt) return html`<p class="note">Nothing was sent.</p>`;
  const { answer, failure, secretsSeen } = attempt;
  if (!answer) {
    const { kind = 'unknown', limit, code = '', detail = '' } = failure ?? {};
    return html`<p class="line"><strong>No answer</strong>: ${kind}${limit === undefined ? '' : ` (--${limit})`}</p>
      <p class="note"><code>${inert(code, 80)}</code> ${inert(detail, 300)}</p>`;
  }
  const isAboutStatus = ABOUT_STATUS.includes(finding?.mismatch ?? '');
  const status = html`<code>HTTP/${inert(answer.httpVersion, 10)} ${answer.status}</code>`;
  return html`<p class="line">
      ${isAboutStatus ? html`<mark class="wrong">${status}</mark>` : status}
      <span class="quiet">after ${duration(answer.endAt)}, ${count(answer.body.bytes, 'byte')}</span>
    </p>
    ${headerList(answer.headers, ABOUT_HEADER[finding?.mismatch ?? ''])} ${bodyEnd(answer)}
    ${secretsSeen.map(({ role, form, place }) => html`<p class="note">Its ${place} repeats the ${inert(role, 60)} key (${form}).</p>`)}
    ${answer.stream ? streamBody(answer, finding, detail) : plainBody(answer, finding, detail)}`;
}

/** Mismatches that show in the status, or in a header, rather than at a place in the body. */
const ABOUT_STATUS: readonly string[] = ['status', 'completion', 'accepted', 'redirect'];
const ABOUT_HEADER: Readonly<Record<string, readonly string[]>> = {
  'content-type': ['content-type'],
  redirect: ['location'],
};

function bodyEnd({ body: { end } }: Answer): Markup {
  switch (end.kind) {
    case 'complete':
      return NOTHING;
    case 'limit':
      return html`<p class="note">The body was stopped by --${end.limit}.</p>`;
    case 'aborted':
      return html`<p class="note">We stopped reading: ${inert(end.why)}.</p>`;
    case 'cut':
      return html`<p class="note">The body was cut off: ${inert(end.detail)}.</p>`;
    case 'undecodable':
      return html`<p class="note">The body cannot be decompressed: ${inert(end.detail)}.</p>`;
  }
}

function plainBody({ body }: Answer, finding: FindingReport | undefined, detail: Evidence['detail']): Markup {
  if (body.bytes === 0) return html`<p class="note">No body.</p>`;
  if (body.shown === 0) return html`<p class="note">The body was left out of the report.</p>`;
  return bodyText({
    text: body.text,
    isCut: body.shown < body.bytes,
    pointers: finding?.pointer === undefined || finding.pointer === '' ? [] : [finding.pointer],
    kind: 'wrong',
    name: 'Body of the answer',
    most: MOST[detail],
  });
}

function streamBody(answer: Answer, finding: FindingReport | undefined, detail: Evidence['detail']): Markup {
  const { stream } = answer;
  if (!stream) return NOTHING;
  // A stream without an event is something else that came in its place: then the text itself is what there is to see.
  if (stream.events.length === 0) return plainBody(answer, undefined, detail);
  if (detail === 'brief')
    return html`${timeline(answer)}
      <p class="note">Its events are under <a href="#streams">Streams</a>.</p>`;
  return html`${timeline(answer, eventOf(finding))} ${eventTable(stream, finding, true)}`;
}

function attemptList(attempts: ExchangeReport['attempts'], number: number): Markup {
  return when(
    attempts.length > 1 && attempts,
    (all) => html`<p class="note">Attempt ${number + 1} of ${all.length}: ${all.map(attemptInWords).join('; ')}.</p>`,
  );
}

export function attemptInWords({ answer, failure, pause }: AttemptReport): string {
  const waited = pause > 0 ? ` after a pause of ${duration(pause)}` : '';
  if (answer) return `${answer.status} in ${duration(answer.endAt)}${waited}`;
  return `no answer (${failure?.kind ?? 'unknown'})${waited}`;
}
