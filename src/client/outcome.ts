/** What came of a scenario: the result in a word, and the result of the check on its clause. */
import type { ClientResult } from '../report/client-evidence.ts';
import { firstWords } from '../text/error-message.ts';
import { quoteText } from '../text/quote.ts';
import type { Actual } from '../verdict/actual.ts';
import type { ActualType } from '../verdict/actual-type.ts';
import type { Expected } from '../verdict/expected.ts';
import { broken, HOLDS, inconclusive, observed, skipped } from '../verdict/finding.ts';
import type { ClientAnswer, PlayedScenario } from '../exchange/client-traffic.ts';
import type { Mismatch } from '../verdict/mismatch.ts';
import type { Observation } from '../verdict/observation.ts';
import type { CheckResult, Finding } from '../verdict/verdict.ts';
import { askedCalls, endedEarly } from './asked-calls.ts';
import type { CallMode, PlayableScenario } from './scenario.ts';

/** A client that was asked and came to an end, or to the limit. */
interface Finished extends PlayedScenario {
  readonly answer: Extract<ClientAnswer, { readonly kind: ActualType }>;
}

interface Outcome {
  readonly result: ClientResult;
  readonly check: CheckResult;
}

export function outcomeOfScenario(played: PlayedScenario, scenario: PlayableScenario): Outcome {
  const { answer } = played;
  switch (answer.kind) {
    case 'not-started':
    case 'again':
      return { result: 'not-started', check: inconclusive({ kind: 'nothing-to-judge' }) };
    case 'unsupported':
      return { result: 'unsupported', check: skipped({ kind: 'call-unsupported' }) };
    case 'returned':
    case 'failed':
    case 'timed-out':
    case 'flooded':
      break;
  }
  const end = endedEarly(played);
  if (end) {
    const who = answer.kind === 'failed' && answer.isDriver ? 'driver' : 'client';
    return { result: 'not-started', check: inconclusive({ kind: 'ended-early', who, ...end }) };
  }
  const finished: Finished = { ...played, answer };
  if (scenario.outlook === 'either') return { result: resultOfOpen(played), check: observed(observationsOf(played)) };
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
  if (answer.kind === 'timed-out' && askedCalls(played, mode).length > 1) {
    return { result: 'retrying', check: observed(observationsOf(played)) };
  }
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
  if (answer.kind === 'failed') {
    const { exit, signal } = answer;
    const complaint = quoteText(firstWords(answer.complaint));
    return { kind: 'gave-up', ...(exit !== undefined && { exit }), ...(signal !== undefined && { signal }), complaint };
  }
  return isAsked ? { kind: 'returned', text: quoteText(answer.said) } : { kind: 'no-request' };
}

/** In any order: the contract has none for the list. */
function sameLines(said: string, text: string): boolean {
  const sorted = (lines: string): string => lines.split(/\r?\n/).toSorted().join('\n');
  return sorted(said) === sorted(text);
}

export function observationsOf({ answer, callCount, text }: PlayedScenario): readonly Observation[] {
  const returned = answer.kind === 'returned' ? (answer.said === text ? 'complete' : 'other-text') : 'failed';
  return [
    { name: 'result', value: answer.kind === 'timed-out' ? 'still-waiting' : returned },
    { name: 'calls', value: callCount },
    { name: 'seconds', value: Math.round(answer.time / 100) / 10 },
  ];
}
