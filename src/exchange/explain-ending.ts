/** Reads from the exchanges what a run could not know when it ended. */
import { CONTROL_STEP } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import type { Ending } from './ending.ts';
import type { Attempt, Exchange, Failure } from './exchange.ts';
import { durationOf } from './reading/attempt-duration.ts';
import { lastAnswer, timeLimitOf, wasAnswered } from './reading/answered.ts';

type StoppedAnswering = Extract<Ending, { kind: 'stopped-answering' }>;

/** `exchanges`: in the order in which they were completed. */
export function explainEnding(
  ending: Ending,
  exchanges: readonly Exchange[],
  settings: Pick<Settings, 'timeouts'>,
): Ending {
  if (exchanges.length === 0) return ending;
  if (ending.kind === 'budget' && ending.setting === 'max-time') return findHang(exchanges) ?? ending;
  return ending.kind === 'stopped-answering' ? nameSuspects(ending, exchanges, settings) : ending;
}

/** If the control timed out and nothing else was answered, more time would not have helped. */
function findHang(exchanges: readonly Exchange[]): Ending | undefined {
  const control = exchanges.find(({ id }) => id === CONTROL_STEP);
  const limit = control && timeLimitOf(control);
  if (limit === undefined) return undefined;
  const chats = exchanges.filter(({ request }) => request.endpoint === 'chat' && request.key === 'full');
  const isHeard = (exchange: Exchange): boolean =>
    wasAnswered(exchange) || (lastAnswer(exchange)?.status ?? 200) !== 200;
  return chats.some(isHeard) ? undefined : { kind: 'chat-unanswered', limit };
}

function nameSuspects(
  ending: StoppedAnswering,
  exchanges: readonly Exchange[],
  settings: Pick<Settings, 'timeouts'>,
): Ending {
  const last = exchanges.findLastIndex((exchange) => lastAnswer(exchange) !== undefined);
  const lastAnswered = exchanges[last]?.id;
  return {
    kind: 'stopped-answering',
    ...(ending.oneAtATime && { oneAtATime: true }),
    suspects: findInFlight(exchanges.slice(last + 1), settings),
    ...(lastAnswered !== undefined && { lastAnswered: nameOf(lastAnswered) }),
  };
}

interface Lost {
  readonly id: string;
  readonly attempt: Attempt;
  /** When the loss was noticed, if that is known. Milliseconds since the run began. */
  readonly noticedAt: number;
}

/** Requests that the target may have received before it died. Later ones were sent to a dead target. */
function findInFlight(unanswered: readonly Exchange[], settings: Pick<Settings, 'timeouts'>): readonly string[] {
  const lost = unanswered
    .flatMap((exchange) => lostAttempts(exchange, settings))
    .toSorted((a, b) => a.attempt.sentAt - b.attempt.sentAt);
  const delivered = lost.filter(({ attempt }) => wasDelivered(attempt));
  // A refused request may have waited for its connection while a later one was already under way, so it dates nothing.
  const deadBy = Math.min(...delivered.map(({ noticedAt }) => noticedAt));
  // Where nothing listens any more, a connection that was closed had been opened before that.
  const isGone = lost.some(({ attempt }) => failureOf(attempt)?.kind === 'refused');
  const inFlight = delivered.filter(
    ({ attempt }) => attempt.sentAt <= deadBy || (isGone && failureOf(attempt)?.kind === 'closed'),
  );
  return [...new Set(inFlight.map(({ id }) => nameOf(id)))];
}

function lostAttempts({ id, attempts }: Exchange, settings: Pick<Settings, 'timeouts'>): readonly Lost[] {
  return attempts.flatMap((attempt, place) => {
    if (attempt.outcome.kind === 'answer') return [];
    const retriedAt = attempts[place + 1]?.sentAt ?? Infinity;
    const duration = durationOf(attempt, settings);
    const failedAt = wasDelivered(attempt) && duration === 0 ? Infinity : attempt.sentAt + duration;
    return [{ id, attempt, noticedAt: Math.min(retriedAt, failedAt) }];
  });
}

/** Whether there was a connection to send the request on. */
function wasDelivered(attempt: Attempt): boolean {
  const failure = failureOf(attempt);
  if (!failure) return true;
  const { kind, limit } = failure;
  return kind !== 'refused' && kind !== 'unresolved' && kind !== 'tls' && limit !== 'connect-timeout';
}

function failureOf({ outcome }: Attempt): Failure | undefined {
  return outcome.kind === 'none' ? outcome.failure : undefined;
}

/** Without the suffix of a repeated or abandoned step. */
function nameOf(id: string): string {
  return id.replace(/~.*$/, '');
}
