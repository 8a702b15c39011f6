/** A check of both ends: a pure function from what was gathered to a result. Levels are applied in `verdict/judge-cases.ts`. */
import type { Asked, ReplyKind, UpstreamCall } from './both-ends.ts';
import type { Contract } from '../../../contract/contract.ts';
import type { RelayTraffic } from '../../../exchange/traffic.ts';
import { lastFailure } from '../../../exchange/reading/answered.ts';
import { isObject, parseJson } from '../../../json.ts';
import type { Settings } from '../../../settings.ts';
import { quoteText } from '../../../text/quote.ts';
import type { CheckOf } from '../../../verdict/check.ts';
import { type BriefParts, brokenWith } from '../../../verdict/finding.ts';
import { inconclusive, noOccasion } from '../../../verdict/check-result.ts';
import type { Mismatch } from '../../../verdict/mismatch.ts';
import { statusClass, statusOf } from '../../../verdict/reading/answers.ts';
import { answerFound, failureFound } from '../../../verdict/reading/body-content.ts';
import { worstResult } from '../../../verdict/reading/each-exchange.ts';
import type { CheckResult } from '../../../verdict/verdict.ts';
import type { ReadExpectation, RelayCase } from '../read-relay-suite.ts';

/** A case and what was gathered for it. */
export interface CaseEvidence {
  readonly case: RelayCase;
  /** Empty if it could not be asked. */
  readonly asked: readonly Asked[];
  readonly control: 'answered' | 'unanswered';
  /** The control that the gateway did not answer after the failure, which is a finding of its own. */
  readonly unrecovered?: string;
  /** An upstream that failed earlier was not called first again. */
  readonly isAwayFromFirst?: true;
}

export interface RelayRun {
  readonly traffic: RelayTraffic;
  readonly contract: Contract;
  readonly settings: Settings;
  readonly cases: readonly CaseEvidence[];
  /** All calls of the client to chat, controls included. */
  readonly asked: readonly Asked[];
  readonly calls: readonly UpstreamCall[];
  /** Both of two upstreams were called. */
  readonly hasFallback: boolean;
  /** Each upstream call, by a word that only its reply has. */
  readonly byMark: ReadonlyMap<string, UpstreamCall>;
}

export interface RelayCheck extends CheckOf<[evidence: CaseEvidence, run: RelayRun, expectation: ReadExpectation]> {
  /** Whether what was asked first has to be confirmed by asking once more, since a single answer may be an accident. */
  needsAnother?(asked: readonly Asked[]): boolean;
}

/** Milliseconds after the end of its upstream call after which a gateway that has not answered hangs. */
export const HANG = 20_000;

export function relayCheck(summary: string, execute: RelayCheck['execute']): RelayCheck {
  return { summary, execute };
}

export type JudgeAsked = (asked: Asked, evidence: CaseEvidence, run: RelayRun) => CheckResult;

/** Judges each question of a case. */
export function eachAsked(summary: string, judge: JudgeAsked): RelayCheck {
  return relayCheck(summary, (evidence, run) =>
    worstResult(
      evidence.asked.map((asked) => unread(asked) ?? judge(asked, evidence, run)),
      evidence.asked.map(({ front }) => front),
    ),
  );
}

export const UNJUDGED = inconclusive({ kind: 'nothing-to-judge' });
export const NOT_FORWARDED = inconclusive({ kind: 'relay-not-forwarded' });
export const WAITING = inconclusive({ kind: 'relay-waiting' });
export const CONTROL_UNANSWERED = inconclusive({ kind: 'control-unanswered' });

/** An answer beyond a limit of the checker is not judged. */
function unread({ reading: { kind, answer }, front }: Asked): CheckResult | undefined {
  if (kind !== 'unread') return undefined;
  const end = answer?.body.end;
  const limit = end?.kind === 'limit' ? end.limit : 'max-body';
  return inconclusive({ kind: 'over-limit', what: front.request.mode === 'stream' ? 'stream' : 'body', limit });
}

/** What says by itself what came. The others show it. */
const PHRASES: Partial<Record<ReplyKind, BriefParts['actual']>> = {
  cut: 'cut-off',
  closed: 'just-closed',
  empty: 'empty-reply',
  waiting: 'no-end',
};

/** What came in place of a reply. */
export function gotInstead({ reading, calls }: Asked): Pick<BriefParts, 'actual' | 'actualType'> {
  const { kind, answer, failure, texts } = reading;
  const text = texts.get(0) ?? '';
  if (kind === 'reply' && text !== '') return { actual: { kind, text: quoteText(text) }, actualType: kind };
  if (kind === 'reply') return { actual: 'empty-reply', actualType: kind };
  if (kind === 'error' && answer && answer.status >= 400) {
    const hasMet = calls.some(({ exchange }) => lastFailure(exchange)?.code === 'IDLE_CLOSED');
    const actual = { kind: 'status', ...statusOf(answer), ...(hasMet && ({ afterIdleClose: true } as const)) } as const;
    return { actual, actualType: statusClass(answer.status) };
  }
  if (kind === 'cut' && failure) return { actual: failureFound(failure), actualType: failure.kind };
  const actual = PHRASES[kind] ?? (answer ? answerFound(answer) : 'absent');
  return { actual, actualType: kind === 'error' ? 'error-in-200' : kind };
}

export function brokenBy(asked: Asked, mismatch: Mismatch, expected: BriefParts['expected']): CheckResult {
  return brokenWith(asked.front, { mismatch, expected, ...gotInstead(asked) });
}

/** Statuses by which a gateway refuses for reasons of its own. */
const OWN_REASONS = [401, 402, 403, 408, 429];

/** Tells what it proves that a question never reached the upstream. Undefined if it did reach it. */
export function notReached(asked: Asked, { control }: CaseEvidence, expected: BriefParts['expected']) {
  const { calls, reading } = asked;
  if (calls.length > 0 || reading.kind === 'reply') return undefined;
  if (control === 'unanswered') return CONTROL_UNANSWERED;
  if (reading.answer && OWN_REASONS.includes(reading.answer.status))
    return inconclusive({ kind: 'status-unrelated', answer: statusOf(reading.answer) });
  if (reading.kind === 'waiting') return WAITING;
  if (reading.answer && reading.answer.status < 500 && hasOtherFields(asked)) return noOccasion('field-refused');
  return brokenBy(asked, 'not-forwarded', expected);
}

/** Fields that the contract has. Others may be refused, which `wirecheck run` judges. */
const CONTRACT_FIELDS = ['model', 'messages', 'stream', 'max_tokens', 'temperature', 'top_p'];

function hasOtherFields({ front }: Asked): boolean {
  const body = parseJson(front.request.body);
  return isObject(body) && Object.keys(body).some((name) => !CONTRACT_FIELDS.includes(name));
}

/** The gateway had not answered although its upstream call had ended long before. */
export function hangs({ calls, sentAt, endedAt: leftAt }: Asked): boolean {
  if (calls.length === 0) return leftAt - sentAt >= HANG;
  return calls.every(({ endedAt }) => endedAt !== undefined && leftAt - endedAt >= HANG);
}
