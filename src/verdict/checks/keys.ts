import { explainsStatus } from '../../exchange/ending.ts';
import { type Attempt, type Exchange, findHeader } from '../../exchange/exchange.ts';
import { formatAsked } from '../../exchange/identity.ts';
import { isTransientStatus, lastAnswer, wasAnswered } from '../../exchange/reading/answered.ts';
import { KEY_PREFIX } from '../../exchange/secrets/secrets.ts';
import { STEPS } from '../../plan/known-steps.ts';
import { isValidKey } from '../../suite/case.ts';
import type { OtherAnswer } from '../actual.ts';
import type { Check, CheckInput, RunView } from '../check.ts';
import { finding, broken, brokenWith } from '../finding.ts';
import { HOLDS, holdsIn, inconclusive, seeOtherClause, skipped } from '../check-result.ts';
import { statusFound, statusOf } from '../reading/answers.ts';
import { answerFound, secretFound, wholeSecrets } from '../reading/body-content.ts';
import { controlAnswered, controlFor, noControlFor } from '../reading/control.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { answerOutcome, whyNoAnswer } from '../reading/outcome.ts';
import { replyId, replyTexts } from '../reading/replies.ts';
import type { Finding } from '../verdict.ts';

/** The first 2xx to a request with the full key. */
function acceptedKey(run: RunView): Exchange | undefined {
  return run.traffic.exchanges.find(acceptsKey);
}

function acceptsKey(exchange: Exchange): boolean {
  if (exchange.request.key !== 'full' || exchange.request.endpoint === 'other') return false;
  const { kind } = answerOutcome(exchange);
  return kind === 'answered' || kind === 'success-other';
}

const NOT_ACCEPTED = {
  mismatch: 'status',
  expected: { kind: 'success', condition: 'bearer' },
  actualType: '4xx',
} as const;

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
      return [finding(exchange, { ...NOT_ACCEPTED, actual: 'key-lost', attempt })];
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

// Whether a request without a valid key gets 401.

/** Rate limit and timeout: the key may not have been checked yet. */
const BEFORE_THE_KEY: ReadonlySet<number> = new Set([408, 429]);

/** If the key of the run is refused as well, only a refusal for another reason shows that the key was not looked at first. */
function isOtherThanOfKey(status: number, input: CheckInput): boolean {
  const refused = refusalOfKey(input);
  if (status === 401 || status === refused) return false;
  return refused === 401 || (refused === 403 && tellsKeysApart(input.run));
}

/** The status with which the key of the run was refused here. A run that ended for that has no control. */
function refusalOfKey(input: CheckInput): number | undefined {
  const control = controlFor(input);
  const { ending } = input.run.traffic;
  if (control) return lastAnswer(control)?.status;
  return ending.kind === 'key-refused' ? ending.status : undefined;
}

/**
 * Whether a request with the key of the run was refused in another way than the same request without a valid one. If all
 * get the same refusal, nobody looked at the key.
 */
function tellsKeysApart({ traffic: { exchanges } }: RunView): boolean {
  const refused = exchanges.filter(
    (exchange) =>
      answerOutcome(exchange).kind === 'client-error' && !BEFORE_THE_KEY.has(lastAnswer(exchange)?.status ?? 0),
  );
  const without = refused.filter(({ request: { key } }) => key === 'none' || key === 'unknown');
  return refused.some(
    (exchange) =>
      exchange.request.key === 'full' &&
      without.some(
        (other) => isSameRequest(exchange, other) && lastAnswer(exchange)?.status !== lastAnswer(other)?.status,
      ),
  );
}

function isSameRequest({ request: a }: Exchange, { request: b }: Exchange): boolean {
  return a.method === b.method && a.path === b.path && a.body === b.body;
}

/** The request with a valid key whose reply was given again. */
function cachedReply(exchange: Exchange, { traffic }: RunView): OtherAnswer | undefined {
  if (exchange.request.endpoint !== 'chat' || !wasAnswered(exchange)) return undefined;
  const first = traffic.exchanges.find(
    (other) => isValidKey(other.request.key) && isSameRequest(exchange, other) && isSameReply(exchange, other),
  );
  return first && { exchange: first.id, request: formatAsked(first) };
}

/** A model may say the same twice, so that ids decide if there are any. */
function isSameReply(a: Exchange, b: Exchange): boolean {
  const [id, other] = [replyId(a), replyId(b)];
  if (id !== undefined && other !== undefined && id !== '') return id === other;
  const [texts, others] = [a, b].map((exchange) => {
    const answer = lastAnswer(exchange);
    return answer && wasAnswered(exchange) ? replyTexts(exchange, answer).join('\n') : '';
  });
  return texts !== '' && texts === others;
}

export const KEY_CHECKS = {
  unauthorized: {
    summary: 'A request without a valid key is answered with 401, while its control is answered or the key is refused.',
    seeks: 'unauthorized',
    isBrokenByAnswer: true,
    execute: eachExchange((exchange, input) => {
      const outcome = answerOutcome(exchange);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      const { kind, status } = outcome;
      const answer = statusOf(outcome.answer);
      if (kind === 'server-error')
        return inconclusive({ kind: 'see-clause', because: 'status', clause: 'errors.no-server-error', answer });
      if (kind === 'odd-status' || BEFORE_THE_KEY.has(status)) return inconclusive({ kind: 'status-stayed', answer });
      if (kind === 'client-error' && !controlAnswered(input) && !isOtherThanOfKey(status, input))
        return inconclusive(noControlFor(input));
      if (status === 401) return HOLDS;
      const isRevoked = exchange.request.key === 'revoked';
      const parts = statusFound(outcome.answer, isRevoked ? 'revoked-key-refused' : { kind: 'status', status: 401 });
      const cached = cachedReply(exchange, input.run);
      if (cached) return brokenWith(exchange, { ...parts, actual: { kind: 'cached-reply', ...cached } });
      return brokenWith(exchange, status < 300 ? { ...parts, actual: answerFound(outcome.answer) } : parts);
    }),
  },
  'bearer-accepted': {
    summary: 'A valid key is accepted in Authorization: Bearer, on every connection.',
    needsNoExchange: true,
    execute: ({ run }) => {
      const lost = lostKeys(run);
      if (lost.length >= LEAST_LOST) return broken(lost, run.traffic.exchanges);
      const accepted = acceptedKey(run);
      if (accepted) return holdsIn([accepted]);
      const list = run.exchange(STEPS.list);
      const { ending } = run.traffic;
      if (!list)
        return inconclusive(
          ending.kind === 'complete' ? { kind: 'list-not-requested' } : { kind: 'run-ended', ending },
        );
      const outcome = answerOutcome(list);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      const isKeyRefused = ending.kind === 'key-refused' && explainsStatus(ending, outcome.status);
      // A refusal for another reason means that the key was accepted.
      if (outcome.status !== 401 && !isKeyRefused) {
        return tellsKeysApart(run) && ending.kind !== 'not-this-api'
          ? holdsIn([list])
          : inconclusive({ kind: 'key-unanswered', status: outcome.status });
      }
      const bare = run.exchange(STEPS.bareKey);
      if (!bare || answerOutcome(bare).kind !== 'answered')
        return inconclusive({ kind: 'run-ended', ending: { kind: 'key-refused', status: outcome.status } });
      return brokenWith(list, { ...NOT_ACCEPTED, actual: 'bare-key-accepted' });
    },
  },
  'key-prefix': {
    summary: 'An accepted key starts with sk-service-.',
    needsNoExchange: true,
    execute: ({ run }) => {
      const facts = run.traffic.keys.find(({ role }) => role === 'full');
      if (!facts) return skipped('no-key');
      const accepted = acceptedKey(run);
      if (!accepted) return inconclusive('key-unanswered');
      if (facts.hasPrefix) return holdsIn([accepted]);
      // A foreign recording may use several keys.
      const lacking =
        run.traffic.exchanges.find((exchange) => acceptsKey(exchange) && !showsPrefix(exchange)) ?? accepted;
      const expected = { kind: 'prefix', prefix: KEY_PREFIX } as const;
      return brokenWith(lacking, { mismatch: 'prefix', expected, actualType: 'other-prefix', actual: 'no-prefix' });
    },
  },
  'key-not-accepted': {
    summary: 'A key is not accepted here.',
    seeks: 'unauthorized',
    execute: eachExchange((exchange, input) => {
      const outcome = answerOutcome(exchange);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      const answer = statusOf(outcome.answer);
      switch (outcome.kind) {
        case 'answered':
        case 'success-other': {
          if (isOpen(exchange, input.run)) return seeOtherClause('open-endpoint', 'auth.required');
          const parts = statusFound(outcome.answer, { kind: 'refusal' });
          return brokenWith(exchange, { ...parts, mismatch: 'accepted', actual: answerFound(outcome.answer) });
        }
        case 'redirect':
        case 'client-error':
          if (BEFORE_THE_KEY.has(outcome.status)) return inconclusive({ kind: 'status-stayed', answer });
          return controlAnswered(input) ? HOLDS : inconclusive(noControlFor(input));
        case 'server-error':
        case 'odd-status':
          return inconclusive({ kind: 'key-unclear', answer });
      }
    }),
  },
  'key-not-echoed': {
    summary: 'No answer repeats the key that was sent.',
    execute: eachExchange((exchange) => {
      const { attempts, request } = exchange;
      const findings = wholeSecrets(exchange, (seen, attempt) => ({
        mismatch: 'echo',
        expected: 'no-key',
        actualType: `${seen.form}-in-${seen.place}`,
        actual: secretFound(seen, attempt),
      }));
      const couldEcho = request.key !== 'none' && attempts.some(({ outcome }) => outcome.kind === 'answer');
      return findings.length > 0 || couldEcho ? findings : skipped('nothing-to-judge');
    }),
  },
} satisfies Record<string, Check>;
