/** Requests and answers on one line each: how a request differs from the base request, how its answers ended, both ends of a relay. */
import type { BodyEnd } from '../exchange/exchange.ts';
import { parseJson, valueAt } from '../json.ts';
import type { AttemptReport, CaseReport, ExchangeReport, Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { count, formatDuration, inert, listFirst } from '../text/layout.ts';
import { formatUpstreamAttempt, readAttempt } from '../verdict/observation.ts';
import { formatFailure } from '../verdict/reason.ts';
import { asCode, fact, type Fact, type List, plainText } from './document/document.ts';
import { formatEdit, showAround } from './edit-text.ts';
import { lookUp } from './lookup.ts';

type Edit = CaseReport['edits'][number];

const MAX_QUERY_LENGTH = 200;

/** Visible in the request line anyway. */
const SHOWN_ANYWAY: readonly Edit['kind'][] = ['key', 'method', 'path', 'query'];

/** The path of a call at the upstream is whole. */
export function rootFor({ side }: ExchangeReport, root: string): string {
  return side === 'upstream' ? '' : root;
}

/** The case's edits are named only for its own exchange: a case may also judge the exchanges of others. */
export function formatRequest(report: Report, exchange: ExchangeReport, testCase?: CaseReport): string {
  const { root, sender } = lookUp(report);
  const { body } = exchange;
  const asked = testCase?.exchange === exchange.id ? testCase : sender(exchange.id);
  const control = asked && controlOf(report, asked);
  const all = asked?.edits ?? exchange.edits ?? [];
  const own = all.filter(({ kind }) => !SHOWN_ANYWAY.includes(kind));
  // A later edit of the same place replaces an earlier one.
  const placeOf = (edit: Edit) => ('pointer' in edit ? edit.pointer : undefined);
  const edits = own.filter(
    (edit, index) =>
      placeOf(edit) === undefined || !own.slice(index + 1).some((later) => placeOf(later) === placeOf(edit)),
  );
  const [path = '', ...query] = exchange.path.split(/(?=\?)/);
  const shown = showAround(query.join(''), control?.path.slice(path.length), { most: MAX_QUERY_LENGTH });
  return [
    `${inert(exchange.method)} ${rootFor(exchange, root)}${inert(path)}${shown}`,
    ...(exchange.mode === 'stream' ? ['streamed'] : []),
    ...(exchange.key === 'full' ? [] : [`key: ${exchange.key === 'not-in-file' ? 'not in the file' : exchange.key}`]),
    ...edits.map((edit) => formatEdit(asSent(edit, body), control)),
    // A first request that belongs to no case, and starts from no base request whose body would be known.
    ...(exchange.id.startsWith('preflight/') && body !== undefined ? [formatEdit({ kind: 'raw', text: body })] : []),
  ].join(', ');
}

/** A control is a base request, whose exchange has the same name, or another case. */
export function controlOf(report: Report, { control: name, base }: CaseReport): ExchangeReport | undefined {
  const { exchange } = lookUp(report);
  return exchange(name ?? base) ?? exchange(report.cases.find(({ id }) => id === name)?.exchange);
}

/** Placeholders such as `${word}` in an edit are filled in from the body that was sent. */
export function asSent(edit: Edit, body: string | undefined): Edit {
  if (!JSON.stringify(edit).includes('${')) return edit;
  if (edit.kind === 'raw') return { ...edit, text: body ?? '…' };
  if (edit.kind !== 'set' && edit.kind !== 'add') return edit;
  const value = valueAt(parseJson(body), edit.pointer) as typeof edit.value | undefined;
  // Of a very long body, such as a suite of one's own may have, the report has only the start.
  return { ...edit, value: value ?? '…' };
}

const LEFT = new Map([
  ['text', 'wirecheck stopped reading at the first text'],
  ['done', 'wirecheck stopped reading after [DONE]'],
  ['interrupted', 'the run ended before the answer'],
  ['open', 'the run ended before the answer'],
  ['left', 'the other side went away'],
  ['client-left', 'the recorded client stopped reading'],
]);

export function formatLeft({ why }: Extract<BodyEnd, { kind: 'aborted' }>): string {
  return LEFT.get(why) ?? inert(why, 100);
}

/** Undefined for a body that came whole. */
export function formatBodyEnd(end: BodyEnd): string | undefined {
  if (end.kind === 'complete') return undefined;
  return end.kind === 'aborted' ? formatLeft(end) : end.kind;
}

/** Cases that were answered only on a retry, each with what came first, such as ` (500, then 200)`. */
export function flakyList(report: Report): List {
  // An intermittent failure is among the failures.
  const cases = report.cases.filter(
    ({ flaky, expectations }) => flaky && !expectations.some(({ intermittent }) => intermittent),
  );
  const items = cases.map(({ id, exchange }) => {
    const { attempts = [] } = lookUp(report).exchange(exchange) ?? {};
    // Otherwise the retry is not in the case's own exchange.
    const answers = attempts.length < 2 ? '' : ` (${attempts.map(formatAttempt).join(', then ')})`;
    return { text: [asCode(inert(id)), answers] };
  });
  return { kind: 'list', heading: `Flaky: ${countFlaky(items.length)}`, items, noun: 'case' };
}

const countFlaky = (number: number): string => `${count(number, 'case')} answered only on a retry`;

export function flakyFact(report: Report, most: number): readonly Fact[] {
  const cases = flakyList(report).items.map(({ text }) => plainText(text));
  return cases.length === 0 ? [] : fact('Flaky', `${countFlaky(cases.length)}: ${listFirst(cases, most)}`);
}

function formatAttempt({ answer }: AttemptReport): string {
  if (!answer) return 'no answer';
  const end = formatBodyEnd(answer.body.end);
  return `${answer.status}${end === undefined ? '' : ` (${end})`}`;
}

/** Advice on repeating an answer with 5xx, if the target gave some that passed: 5xx first, and a proper one on a retry. */
export function flakyTries(report: Report, exchange: string | undefined): string | undefined {
  const isError = (attempt: AttemptReport | undefined): boolean => (attempt?.answer?.status ?? 0) >= 500;
  if (!isError(lookUp(report).exchange(exchange)?.attempts.at(-1))) return undefined;
  const passing = report.exchanges.filter(({ attempts }) => attempts.some(isError) && !isError(attempts.at(-1)));
  if (passing.length === 0) return undefined;
  return `${count(passing.length, 'other request')} got a 5xx first and an answer on a later try, so that it may take several tries to repeat it.`;
}

export interface BothEnds {
  readonly front: ExchangeReport;
  readonly upstream: readonly ExchangeReport[];
  /** Calls without a word of the run that the upstream refused meanwhile. */
  readonly wordless?: number;
}

/** `exchange`: the one that a finding names, at either end. Undefined for other reports. */
export function findBothEnds(report: Report, testCase: CaseReport, exchange?: string): BothEnds | undefined {
  const { relay } = testCase;
  const { exchange: find } = lookUp(report);
  const id = find(exchange)?.cause ?? exchange ?? relay?.front[0];
  const front = find(id);
  if (!traitsOf(report).hasUpstream || id === undefined || !front || front.side) return undefined;
  const own = report.exchanges.filter(({ cause }) => cause === id);
  const listed = report.exchanges.filter(
    (candidate) => candidate.side === 'upstream' && relay?.upstream.includes(candidate.id),
  );
  const wordless = relay?.front.includes(id) ? relay.wordless : undefined;
  return { front, upstream: own.length > 0 ? own : listed, ...(wordless !== undefined && { wordless }) };
}

/** When each of them began, in milliseconds since the client sent its request. */
export function startOf(exchange: ExchangeReport, { front }: BothEnds): number {
  return (exchange.attempts[0]?.sentAt ?? 0) - (front.attempts[0]?.sentAt ?? 0);
}

const MAX_CALLS = 3;
/** Of two upstreams. Each takes two words. */
const MAX_ATTEMPTS = 12;

/** `200 after 35 ms, 7 events, ended after 40 ms`. All times count from the client's request. */
export function formatClientEnd(ends: BothEnds): string {
  return inert(formatAnswer(ends.front, ends), 400);
}

/** `1 call, received after 3 ms: 200 after 4 ms, 4 events, the upstream reset the connection on purpose after 160 ms`. */
export function formatUpstreamEnd(ends: BothEnds): string {
  const { upstream, wordless = 0 } = ends;
  if (upstream.length === 0 && wordless === 0) return 'no call';
  if (upstream.length === 0) {
    // The gateway did call, but nothing says for which request.
    const refused = `${count(wordless, 'call')} without any arrived meanwhile and ${wordless === 1 ? 'was' : 'were'} refused`;
    return `no call with a word of this request; ${refused}: the gateway may drop or rewrite messages`;
  }
  if (upstream.some((call) => call.upstream)) return formatAttempts(ends);
  const calls = upstream
    .slice(0, MAX_CALLS)
    .map((call) => `received ${formatMoment(startOf(call, ends))}: ${formatAnswer(call, ends)}`);
  return inert(`${count(upstream.length, 'call')}, ${calls.join('; ')}`, 600);
}

/** What an upstream call got: `primary 503`. */
export function formatUpstreamCall({ upstream, attempts }: ExchangeReport): string {
  const { answer, failure } = attempts.at(-1) ?? {};
  return formatUpstreamAttempt(readAttempt(upstream, answer, failure));
}

/** With two upstreams: `primary 503 · primary 503 · fallback 200, after 1.20 s`, when the last of them ended. */
function formatAttempts(ends: BothEnds): string {
  const shown = ends.upstream.slice(0, MAX_ATTEMPTS).map(formatUpstreamCall);
  const more = ends.upstream.length - shown.length;
  const last = Math.max(...ends.upstream.map((call) => endOfCall(call, ends)));
  return `${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(' · ')}, ${formatMoment(last)}`;
}

/** When its answer ended or failed, in milliseconds since the client sent its request. */
export function endOfCall(exchange: ExchangeReport, ends: BothEnds): number {
  const { answer, failure } = exchange.attempts.at(-1) ?? {};
  return startOf(exchange, ends) + (answer?.endAt ?? failure?.at ?? 0);
}

function formatAnswer(exchange: ExchangeReport, ends: BothEnds): string {
  const { answer, failure } = exchange.attempts.at(-1) ?? {};
  if (!answer) return formatNoAnswer(failure, exchange.side);
  const { body, stream, status, headersAt, endAt } = answer;
  const start = startOf(exchange, ends);
  return [
    `${status} ${formatMoment(start + headersAt)}`,
    stream ? count(stream.eventCount, 'event') : count(body.bytes, 'byte'),
    `${formatEnd(body.end, exchange.side)} ${formatMoment(start + endAt)}`,
  ].join(', ');
}

/** The upstream is ours, and says in our words what it did. At the front, the words would be those of a library. */
function formatEnd(end: NonNullable<AttemptReport['answer']>['body']['end'], side: ExchangeReport['side']): string {
  if (end.kind === 'complete') return 'ended';
  if (end.kind !== 'cut') return 'stopped';
  return side === 'upstream' ? end.detail : 'connection closed';
}

function formatNoAnswer(failure: AttemptReport['failure'], side: ExchangeReport['side']): string {
  if (!failure) return 'no answer (not sent)';
  if (side === 'upstream') return `no answer (${failure.detail})`;
  const { kind, code, limit } = failure;
  if (kind === 'aborted') return 'no answer before the client left';
  return kind === 'closed' ? 'the connection closed without an answer' : formatFailure(kind, code, limit);
}

/** A reply from a cache was made before it was asked for. */
function formatMoment(at: number): string {
  return at < 0 ? `${formatDuration(-at)} before the request` : `after ${formatDuration(at)}`;
}

/** `200 in 35 ms after waiting 1.00 s` */
export function formatAttemptTime({ answer, failure, pause }: AttemptReport): string {
  const waited = pause > 0 ? ` after waiting ${formatDuration(pause)}` : '';
  if (answer) return `${answer.status} in ${formatDuration(answer.endAt)}${waited}`;
  return `no answer (${failure?.kind ?? 'unknown'})${waited}`;
}
