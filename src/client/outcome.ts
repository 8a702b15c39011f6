/** What came of a scenario: the result in a word, and the result of the check on its clause. */
import type { Exchange } from '../exchange/exchange.ts';
import type { ClientResult } from '../report/client-evidence.ts';
import { quoteText } from '../text/quote.ts';
import type { Actual } from '../verdict/actual.ts';
import type { ActualType } from '../verdict/actual-type.ts';
import type { Expected } from '../verdict/expected.ts';
import { broken, HOLDS, inconclusive, observed, skipped } from '../verdict/finding.ts';
import type { Mismatch } from '../verdict/mismatch.ts';
import type { Observation } from '../verdict/observation.ts';
import type { CheckResult, Finding } from '../verdict/verdict.ts';
import type { ClientAnswer } from './drive/client-answer.ts';
import type { PlayableScenario } from './scenario.ts';

/** A scenario that has been played. */
export interface Played {
  readonly scenario: PlayableScenario;
  readonly answer: ClientAnswer;
  /** What a client that understands returns. */
  readonly text: string;
  /** All calls, kept or not. */
  readonly callCount: number;
  /** How often the client made the call that it was asked for. */
  readonly askedCount: number;
  /** Milliseconds. */
  readonly limit: number;
}

/** A client that was asked and came to an end, or to the limit. */
interface Finished extends Played {
  readonly answer: Extract<ClientAnswer, { readonly kind: ActualType }>;
}

interface Outcome {
  readonly result: ClientResult;
  readonly check: CheckResult;
}

/** `exchange`: the last call that the client was asked for, if it made one. */
export function outcomeOfScenario(played: Played, exchange: Exchange | undefined): Outcome {
  const { scenario, answer, askedCount } = played;
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
  const finished: Finished = { ...played, answer };
  if (scenario.expect === 'either') return { result: resultOfOpen(played), check: observed(observationsOf(played)) };
  if (scenario.expect === 'text') return understood(finished, exchange);
  if (askedCount === 0) return { result: 'breaks', check: inconclusive({ kind: 'no-request' }) };
  return madeKnown(finished, exchange);
}

function understood(played: Finished, exchange: Exchange | undefined): Outcome {
  const { answer, text, scenario } = played;
  const isRight = scenario.mode === 'models' ? sameLines(answer.said, text) : answer.said === text;
  if (answer.kind === 'returned' && isRight && played.askedCount > 0) return { result: 'pass', check: HOLDS };
  const expected: Expected = { kind: 'exact-text', text: quoteText(text) };
  const result = answer.kind === 'timed-out' ? 'hangs' : answer.kind === 'failed' ? 'breaks' : 'wrong-text';
  return { result, check: broken([findingOf(result, expected, played, exchange)]) };
}

function madeKnown(played: Finished, exchange: Exchange | undefined): Outcome {
  const { answer, askedCount } = played;
  if (answer.kind === 'failed') return { result: 'pass', check: HOLDS };
  if (answer.kind === 'timed-out' && askedCount > 1) {
    return { result: 'retrying', check: observed(observationsOf(played)) };
  }
  const result = answer.kind === 'timed-out' ? 'hangs' : answer.kind === 'flooded' ? 'breaks' : 'silent';
  return { result, check: broken([findingOf(result, { kind: 'failed-call' }, played, exchange)]) };
}

function resultOfOpen({ answer, text }: Played): ClientResult {
  if (answer.kind === 'timed-out') return 'hangs';
  if (answer.kind === 'failed') return 'breaks';
  return answer.said === text ? 'pass' : 'wrong-text';
}

function findingOf(result: Mismatch, expected: Expected, played: Finished, exchange: Exchange | undefined): Finding {
  return {
    mismatch: result,
    exchange: exchange?.id ?? '',
    attempt: 0,
    expected,
    // Not the text: it differs from run to run.
    actualType: played.answer.kind,
    actual: actualOf(played),
    more: 0,
  };
}

function actualOf({ answer, limit, callCount, askedCount }: Played): Actual {
  if (answer.kind === 'timed-out') return { kind: 'no-result', limit, calls: callCount };
  if (answer.kind === 'flooded') return { kind: 'flood' };
  if (answer.kind === 'failed') {
    const { exit, signal } = answer;
    const complaint = quoteText(firstWords(answer.complaint));
    return { kind: 'gave-up', ...(exit !== undefined && { exit }), ...(signal !== undefined && { signal }), complaint };
  }
  return askedCount > 0 ? { kind: 'returned', text: quoteText(answer.said) } : { kind: 'no-request' };
}

/** `KeyError: 'choices'`, `panic: early`: as the runtimes begin the line that says what happened. */
const ERROR_LINE = /^(?:Uncaught )?(?:[\w.$]*(?:Error|Exception)(?: \[\w+\])?|panic)\b.*:/;

/** The line of a stack trace that says what happened. */
export function firstWords(complaint: string): string {
  const lines = complaint.split('\n').map((line) => line.trim());
  return lines.find((line) => ERROR_LINE.test(line)) ?? lines.find((line) => line !== '') ?? '';
}

/** In any order: the contract has none for the list. */
function sameLines(said: string, text: string): boolean {
  const sorted = (lines: string): string => lines.split(/\r?\n/).toSorted().join('\n');
  return sorted(said) === sorted(text);
}

export function observationsOf({ answer, callCount, text }: Played): readonly Observation[] {
  const returned = answer.kind === 'returned' ? (answer.said === text ? 'complete' : 'other-text') : 'failed';
  return [
    { name: 'result', value: answer.kind === 'timed-out' ? 'still-waiting' : returned },
    { name: 'calls', value: callCount },
    { name: 'seconds', value: Math.round(answer.time / 100) / 10 },
  ];
}
