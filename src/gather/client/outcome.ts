/** What came of a scenario: the result in a word, and the result of the check on its clause; and why a client is not judged at all. */
import type { Client, ClientAnswer, PlayedScenario, ProcessEnd } from '../../exchange/traffic.ts';
import type { Ending } from '../../exchange/ending.ts';
import type { Exchange, SentRequest } from '../../exchange/exchange.ts';
import { withoutUndefined } from '../../json.ts';
import type { ClientResult } from '../../report/report.ts';
import { firstWords } from '../../text/error-message.ts';
import { quoteText } from '../../text/quote.ts';
import type { ActualType } from '../../verdict/actual-type.ts';
import type { Actual } from '../../verdict/actual.ts';
import type { Expected } from '../../verdict/expected.ts';
import { HOLDS, inconclusive, observed, skipped } from '../../verdict/check-result.ts';
import { broken } from '../../verdict/finding.ts';
import type { Mismatch } from '../../verdict/mismatch.ts';
import type { Observation } from '../../verdict/observation.ts';
import type { CheckResult, Finding } from '../../verdict/verdict.ts';
import { type CallMode, endpointOf, type PlayableScenario } from './scenario.ts';

/** The calls that the client was asked to make. */
export function askedCalls({ exchanges }: PlayedScenario, mode: CallMode): readonly Exchange[] {
  return exchanges.filter(({ request }) => isAsked(request, mode));
}

/** How a process ended that has made no call, and has not been told anything that it could have failed on. */
export function endedEarly({ answer, callCount }: PlayedScenario): ProcessEnd | undefined {
  const end = endOf(answer);
  return answer.kind === 'failed' && callCount === 0 && (end.exit ?? end.signal) !== undefined ? end : undefined;
}

/** Empty if the process did not end by itself, or goes on. One that took too long was killed. */
export function endOf(answer: ClientAnswer): ProcessEnd {
  const { exit, signal }: ProcessEnd = answer.kind === 'failed' || answer.kind === 'returned' ? answer : {};
  return withoutUndefined({ exit, signal });
}

export function isAsked({ endpoint, method, mode }: SentRequest, asked: CallMode): boolean {
  if (endpoint !== endpointOf(asked)) return false;
  return asked === 'models' ? method === 'GET' : method === 'POST' && mode === asked;
}

/** A client that was asked and came to an end, or to the limit. */
type Finished = PlayedScenario & { readonly answer: Extract<ClientAnswer, { readonly kind: ActualType }> };

type Outcome = Readonly<{ result: ClientResult; check: CheckResult }>;

export function outcomeOfScenario(played: PlayedScenario, scenario: PlayableScenario): Outcome {
  const { answer } = played;
  if (answer.kind === 'not-started' || answer.kind === 'again')
    return { result: 'not-started', check: inconclusive({ kind: 'nothing-to-judge' }) };
  if (answer.kind === 'unsupported') return { result: 'unsupported', check: skipped({ kind: 'call-unsupported' }) };
  const end = endedEarly(played);
  if (end) {
    const who = answer.kind === 'failed' && answer.isDriver ? 'driver' : 'client';
    return { result: 'not-started', check: inconclusive({ kind: 'ended-early', who, ...end }) };
  }
  const finished: Finished = { ...played, answer };
  if (scenario.outlook === 'either') return { result: resultOfOpen(played), check: observed(observedOfClient(played)) };
  if (scenario.outlook === 'text') return understood(finished, scenario);
  const isAsked = askedCalls(played, scenario.mode).length > 0;
  return isAsked ? madeKnown(finished, scenario) : { result: 'breaks', check: inconclusive({ kind: 'no-request' }) };
}

function understood(played: Finished, { mode }: PlayableScenario): Outcome {
  const { answer, text } = played;
  const isRight = mode === 'models' ? sameLines(answer.said, text) : answer.said === text;
  if (answer.kind === 'returned' && isRight && askedCalls(played, mode).length > 0)
    return { result: 'pass', check: HOLDS };
  const expected: Expected = { kind: 'exact-text', text: quoteText(text) };
  const result = answer.kind === 'timed-out' ? 'hangs' : answer.kind === 'failed' ? 'breaks' : 'wrong-text';
  return { result, check: broken([findingOf(result, expected, played, mode)]) };
}

function madeKnown(played: Finished, { mode }: PlayableScenario): Outcome {
  const { answer } = played;
  if (answer.kind === 'failed') return { result: 'pass', check: HOLDS };
  if (answer.kind === 'timed-out' && askedCalls(played, mode).length > 1)
    return { result: 'retrying', check: observed(observedOfClient(played)) };
  const result = answer.kind === 'timed-out' ? 'hangs' : answer.kind === 'flooded' ? 'breaks' : 'silent';
  return { result, check: broken([findingOf(result, { kind: 'failed-call' }, played, mode)]) };
}

function resultOfOpen({ answer, text }: PlayedScenario): ClientResult {
  if (answer.kind === 'timed-out') return 'hangs';
  if (answer.kind === 'failed') return 'breaks';
  return answer.said === text ? 'pass' : 'wrong-text';
}

function findingOf(result: Mismatch, expected: Expected, played: Finished, mode: CallMode): Finding {
  const asked = askedCalls(played, mode);
  return {
    mismatch: result,
    exchange: asked.at(-1)?.id ?? '',
    attempt: 0,
    expected,
    // Not the text: it differs from run to run.
    actualType: played.answer.kind,
    actual: actualOf(played, asked.length > 0),
    more: 0,
  };
}

function actualOf({ answer, limit, callCount }: PlayedScenario, isAsked: boolean): Actual {
  if (answer.kind === 'timed-out') return { kind: 'no-result', limit, calls: callCount };
  if (answer.kind === 'flooded') return { kind: 'flood' };
  if (answer.kind === 'failed')
    return { kind: 'gave-up', ...endOf(answer), complaint: quoteText(firstWords(answer.complaint)) };
  return isAsked ? { kind: 'returned', text: quoteText(answer.said) } : { kind: 'no-request' };
}

/** The order does not count: the contract has none for the list. */
function sameLines(said: string, text: string): boolean {
  const sorted = (lines: string): string => lines.split(/\r?\n/).toSorted().join('\n');
  return sorted(said) === sorted(text);
}

function observedOfClient({ answer, callCount, text }: PlayedScenario): readonly Observation[] {
  const returned = answer.kind === 'returned' ? (answer.said === text ? 'complete' : 'other-text') : 'failed';
  return [
    { name: 'result', value: answer.kind === 'timed-out' ? 'still-waiting' : returned },
    { name: 'calls', value: callCount },
    { name: 'seconds', value: Math.round(answer.time / 100) / 10 },
  ];
}

type FailedControl = Extract<Ending, { kind: 'client-failed-control' }>;

/** Characters of its output. */
const MAX_QUOTE = 300;
const MAX_CALLS = 5;

/** Undefined if the client passes the plain control. `earlier`: what it called before, as `formatCall` has it. */
export function endingOfControl(
  control: PlayedScenario,
  scenario: PlayableScenario,
  { command, isDriver }: Client,
  earlier: readonly string[],
): Ending | undefined {
  const { answer } = control;
  if (answer.kind === 'not-started')
    return { kind: 'client-not-started', command: command.join(' '), code: answer.code };
  if (outcomeOfScenario(control, scenario).result === 'pass') return undefined;
  const how = howItFailed(control, scenario, isDriver);
  const calls = [...earlier, ...control.exchanges.map(({ request }) => formatCall(request))];
  return {
    kind: 'client-failed-control',
    how,
    seconds: Math.round(answer.time / 1000),
    said: quoteText(answer.said, MAX_QUOTE),
    ...(how === 'wrong-text' && { reply: quoteText(control.text, MAX_QUOTE) }),
    complaint: quoteText(firstWords(answer.complaint), MAX_QUOTE),
    ...(answer.kind === 'failed' && endOf(answer)),
    calls: [...new Set(calls)].slice(0, MAX_CALLS),
    ...(!isDriver && answer.kind === 'returned' && answer.said === '' && calls.length === 0 && { mayBeDriver: true }),
  };
}

/** `POST /chat/completions`, or `POST /chat/completions (streamed)`. */
export function formatCall({ method, path, mode }: SentRequest): string {
  return `${method} ${path}${mode === 'stream' ? ' (streamed)' : ''}`;
}

function howItFailed(control: PlayedScenario, { mode }: PlayableScenario, isDriver: boolean): FailedControl['how'] {
  const { answer } = control;
  if (answer.kind === 'unsupported' || answer.kind === 'flooded') return answer.kind;
  if (answer.kind === 'timed-out') return 'no-result';
  // The process of a driver has ended, which is no answer to a scenario.
  const hasEnded = answer.kind === 'failed' && (answer.exit !== undefined || answer.signal !== undefined);
  if (answer.kind === 'again' || (isDriver && hasEnded)) return 'ended';
  if (askedCalls(control, mode).length === 0) return 'no-request';
  if (answer.kind === 'failed') return 'failed';
  return answer.said === '' ? 'no-text' : 'wrong-text';
}
