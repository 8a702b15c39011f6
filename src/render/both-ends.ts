/** Both ends of a case of a relay: what the client got and what the upstream sent, with times. */
import type { CaseReport, Report } from '../report/report.ts';
import type { AttemptReport, ExchangeReport } from '../report/exchange-report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { formatDuration } from '../text/duration.ts';
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';
import { formatFailure } from '../verdict/reason.ts';

export interface BothEnds {
  readonly front: ExchangeReport;
  readonly upstream: readonly ExchangeReport[];
  /** Calls without a word of the run that the upstream refused meanwhile. */
  readonly wordless?: number;
}

/** `exchange`: the one that a finding names, at either end. Undefined for other reports. */
export function findBothEnds(report: Report, testCase: CaseReport, exchange?: string): BothEnds | undefined {
  const { relay } = testCase;
  const named = report.exchanges.find((candidate) => candidate.id === exchange);
  const id = named?.cause ?? exchange ?? relay?.front[0];
  if (!traitsOf(report).hasUpstream || id === undefined) return undefined;
  const front = report.exchanges.find((candidate) => candidate.id === id && candidate.side === undefined);
  if (!front) return undefined;
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

/** `200 after 35 ms, 7 events, ended after 40 ms`. All times count from the client's request. */
export function formatClientEnd(ends: BothEnds): string {
  return inert(formatAnswer(ends.front, ends), 400);
}

/** `1 call, received after 3 ms: 200 after 4 ms, 4 events, the upstream reset the connection on purpose after 160 ms`. */
export function formatUpstreamEnd(ends: BothEnds): string {
  const { upstream, wordless = 0 } = ends;
  if (upstream.length === 0) return wordless === 0 ? 'no call' : formatWordless(wordless);
  const calls = upstream
    .slice(0, MAX_CALLS)
    .map((call) => `received ${formatMoment(startOf(call, ends))}: ${formatAnswer(call, ends)}`);
  return inert(`${count(upstream.length, 'call')}, ${calls.join('; ')}`, 600);
}

/** The gateway did call, but nothing says for which request. */
function formatWordless(calls: number): string {
  const refused = `${count(calls, 'call')} without any arrived meanwhile and ${calls === 1 ? 'was' : 'were'} refused`;
  return `no call with a word of this request; ${refused}: the gateway may drop or rewrite messages`;
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
