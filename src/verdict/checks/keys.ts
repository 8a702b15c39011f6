import { statusClass, statusOf } from '../reading/answers.ts';
import type { Check, RunView } from '../check.ts';
import { answerFound } from '../reading/body-content.ts';
import { noControlFor, controlAnswered, MODELS_STEP } from '../reading/control.ts';
import { secretFound } from '../reading/secret-place.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { HOLDS, broken, finding, holdsIn, inconclusive, skipped, mergeFindings, brokenIfAny } from '../finding.ts';
import { answerOutcome, whyNoAnswer } from '../reading/outcome.ts';
import { type Attempt, type Exchange, findHeader } from '../../exchange/exchange.ts';
import { isTransientStatus } from '../../exchange/reading/answered.ts';
import { isValidKey } from '../../suite/case.ts';
import type { Finding } from '../verdict.ts';
import { explainsStatus } from '../../exchange/ending.ts';
import { BARE_KEY_STEP } from '../../plan/plan.ts';
import { KEY_PREFIX } from '../../exchange/secrets/secrets.ts';
import { tellsKeysApart } from './unauthorized.ts';

/** The first 2xx to a request with the full key. */
function acceptedKey(run: RunView): Exchange | undefined {
  return run.traffic.exchanges.find(acceptsKey);
}

function acceptsKey(exchange: Exchange): boolean {
  if (exchange.request.key !== 'full' || exchange.request.endpoint === 'other') return false;
  const { kind } = answerOutcome(exchange);
  return kind === 'answered' || kind === 'success-other';
}

/** One may be an accident. */
const LEAST_LOST = 2;

/** Answers that refuse a valid key on a used connection, while the same request on a new one shows that the key is known. */
function lostKeys({ traffic: { exchanges, ending } }: RunView): readonly Finding[] {
  if (explainsStatus(ending, 401)) return [];
  const opened = new Map<number, number>();
  for (const { connection, sentAt } of exchanges.flatMap(({ attempts }) => attempts)) {
    if (connection !== undefined) opened.set(connection, Math.min(sentAt, opened.get(connection) ?? sentAt));
  }
  const isReused = ({ connection, sentAt }: Attempt): boolean =>
    connection !== undefined && sentAt > (opened.get(connection) ?? sentAt);
  return exchanges.flatMap((exchange) =>
    exchange.attempts.flatMap((tried, attempt) => {
      const next = exchange.attempts[attempt + 1];
      if (!next || !isValidKey(exchange.request.key) || !isReused(tried) || isReused(next)) return [];
      if (statusOfAttempt(tried) !== 401 || !isKeyKnown(statusOfAttempt(next))) return [];
      const expected = { kind: 'success', condition: 'bearer' } as const;
      const actual = { kind: 'key-lost' } as const;
      return [finding(exchange, { mismatch: 'status', expected, actualType: '4xx', actual, attempt })];
    }),
  );
}

function statusOfAttempt({ outcome }: Attempt): number {
  return outcome.kind === 'answer' ? outcome.answer.status : 0;
}

/** Neither a 401, nor an answer from before the key was checked. */
function isKeyKnown(status: number): boolean {
  return status >= 200 && status !== 401 && !isTransientStatus(status);
}

export const bearerAccepted: Check = {
  summary: 'A valid key is accepted in Authorization: Bearer, on every connection.',
  needsNoExchange: true,
  execute: ({ run }) => {
    const lost = lostKeys(run);
    if (lost.length >= LEAST_LOST) return broken(mergeFindings(lost, run.traffic.exchanges));
    const accepted = acceptedKey(run);
    if (accepted) return holdsIn([accepted]);
    const list = run.exchange(MODELS_STEP);
    const { ending } = run.traffic;
    if (!list)
      return inconclusive(ending.kind === 'complete' ? { kind: 'list-not-requested' } : { kind: 'run-ended', ending });
    const outcome = answerOutcome(list);
    if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
    const isKeyRefused = ending.kind === 'key-refused' && explainsStatus(ending, outcome.status);
    // A refusal for another reason means that the key was accepted.
    if (outcome.status !== 401 && !isKeyRefused) {
      return tellsKeysApart(run) && ending.kind !== 'not-this-api'
        ? holdsIn([list])
        : inconclusive({ kind: 'key-unanswered', status: outcome.status });
    }
    const bare = run.exchange(BARE_KEY_STEP);
    if (!bare || answerOutcome(bare).kind !== 'answered')
      return inconclusive({ kind: 'run-ended', ending: { kind: 'key-refused', status: outcome.status } });
    return broken([
      finding(list, {
        mismatch: 'status',
        expected: { kind: 'success', condition: 'bearer' },
        actualType: '4xx',
        actual: { kind: 'bare-key-accepted' },
      }),
    ]);
  },
};

export const keyPrefix: Check = {
  summary: 'An accepted key starts with sk-service-.',
  needsNoExchange: true,
  execute: ({ run }) => {
    const facts = run.traffic.keys.find(({ role }) => role === 'full');
    if (!facts) return skipped({ kind: 'no-key' });
    const accepted = acceptedKey(run);
    if (!accepted) return inconclusive({ kind: 'key-unanswered' });
    if (facts.hasPrefix) return holdsIn([accepted]);
    // A foreign recording may use several keys.
    const lacking =
      run.traffic.exchanges.find((exchange) => acceptsKey(exchange) && !showsPrefix(exchange)) ?? accepted;
    return broken([
      finding(lacking, {
        mismatch: 'prefix',
        expected: { kind: 'prefix', prefix: KEY_PREFIX },
        actualType: 'other-prefix',
        actual: { kind: 'no-prefix' },
      }),
    ]);
  },
};

/** Redaction keeps the common prefix of keys. */
function showsPrefix({ request }: Exchange): boolean {
  const value = findHeader(request.headers, 'authorization') ?? '';
  return value.includes(KEY_PREFIX);
}

/** Whether the endpoint also answers without any key: then a 200 does not show that the key was accepted here. */
function isOpen({ request }: Exchange, run: RunView): boolean {
  return run.traffic.exchanges.some(
    (other) =>
      other.request.key === 'none' &&
      other.request.endpoint === request.endpoint &&
      other.request.mode === request.mode &&
      answerOutcome(other).kind === 'answered',
  );
}

export const keyNotAccepted: Check = {
  summary: 'A key is not accepted here.',
  seeks: 'unauthorized',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = answerOutcome(exchange);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      const answer = statusOf(outcome.answer);
      switch (outcome.kind) {
        case 'answered':
        case 'success-other': {
          if (isOpen(exchange, input.run))
            return skipped({ kind: 'see-clause', because: 'open-endpoint', clause: 'auth.required' });
          const actualType = statusClass(outcome.status);
          const actual = answerFound(outcome.answer);
          return broken([
            finding(exchange, { mismatch: 'accepted', expected: { kind: 'refusal' }, actualType, actual }),
          ]);
        }
        case 'redirect':
        case 'client-error':
          if (outcome.status === 429 || outcome.status === 408) return inconclusive({ kind: 'status-stayed', answer });
          return controlAnswered(input) ? HOLDS : inconclusive(noControlFor(input));
        case 'server-error':
        case 'odd-status':
          return inconclusive({ kind: 'key-unclear', answer });
      }
    }),
};

export const keyNotEchoed: Check = {
  summary: 'No answer repeats the key that was sent.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const { attempts, request } = exchange;
      const findings = attempts.flatMap((attempt, index) =>
        // A masked key, which shows only its ends, is not an echo.
        attempt.secretsSeen
          .filter(({ whole }) => whole)
          .map((seen) =>
            finding(exchange, {
              mismatch: 'echo',
              expected: { kind: 'no-key' },
              actualType: `${seen.form}-in-${seen.place}`,
              actual: secretFound(seen, attempt),
              attempt: index,
            }),
          ),
      );
      const couldEcho = request.key !== 'none' && attempts.some(({ outcome }) => outcome.kind === 'answer');
      return findings.length > 0 || couldEcho ? brokenIfAny(findings) : skipped({ kind: 'nothing-to-judge' });
    }),
};
