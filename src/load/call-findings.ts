/** What a finding about one call under load says. */
import type { Answer, Exchange } from '../exchange/exchange.ts';
import { readChunks } from '../exchange/reading/chunks.ts';
import type { Expected } from '../verdict/expected.ts';
import type { FindingParts } from '../verdict/finding.ts';
import { statusClass, statusOf } from '../verdict/reading/answers.ts';
import { answerFound } from '../verdict/reading/body-content.ts';
import type { BreakOff } from './read-outcome.ts';

const ANSWERED: Expected = { kind: 'status', status: 200 };

export function statusParts(answer: Answer, expected = ANSWERED): FindingParts {
  return {
    mismatch: 'status',
    expected,
    actualType: statusClass(answer.status),
    actual: { kind: 'status', ...statusOf(answer) },
  };
}

/** A port that is closed by the last try says more than a connection that was closed before. */
export function closedParts({ attempts }: Exchange, expected = ANSWERED): FindingParts {
  const outcome = attempts.at(-1)?.outcome;
  const isRefused = outcome?.kind === 'none' && outcome.failure.kind === 'refused';
  return {
    mismatch: 'no-body',
    expected,
    actualType: 'closed',
    actual: isRefused ? { kind: 'connection-refused' } : { kind: 'hang-up', times: attempts.length },
  };
}

export function acceptedParts(answer: Answer): FindingParts {
  return {
    mismatch: 'accepted',
    expected: { kind: 'status', status: 401 },
    actualType: '2xx',
    actual: answerFound(answer),
  };
}

export function completionParts(answer: Answer): FindingParts {
  return { mismatch: 'completion', expected: { kind: 'refusal' }, actualType: '2xx', actual: answerFound(answer) };
}

export function breakOffParts(how: BreakOff, { request }: Exchange, answer: Answer): FindingParts {
  const expected = { kind: request.mode === 'stream' ? 'whole-stream' : 'json' } as const;
  switch (how) {
    case 'cut':
      return { mismatch: 'cut', expected, actualType: 'cut', actual: { kind: 'cut-off' } };
    case 'stalled':
      return {
        mismatch: 'stalled',
        expected,
        actualType: 'stalled',
        actual: { kind: 'stalled', count: countEvents(request, answer) },
      };
    case 'not-json':
      return { mismatch: 'not-json', expected, actualType: 'not-json', actual: answerFound(answer) };
    case 'error':
      return { mismatch: 'error', expected: { kind: 'no-error' }, actualType: 'error', actual: answerFound(answer) };
  }
}

function countEvents({ mode }: Exchange['request'], answer: Answer): number {
  return mode === 'stream' ? readChunks(answer).events.length : 0;
}
