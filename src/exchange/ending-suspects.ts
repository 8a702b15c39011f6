/** Which requests may have stopped a target that answers no more. */
import type { Settings } from '../settings.ts';
import type { Ending } from './ending.ts';
import type { Attempt, Exchange, Failure } from './exchange.ts';
import { drawnPathOf, requestNameOf } from './identity.ts';
import { durationOf, wasAborted } from './reading/answered.ts';

type StoppedAnswering = Extract<Ending, { kind: 'stopped-answering' }>;

/** `exchanges`: in the order in which they were completed. */
export function nameSuspects(
  ending: StoppedAnswering,
  exchanges: readonly Exchange[],
  settings: Pick<Settings, 'timeouts' | 'explore' | 'seed'>,
): Ending {
  const last = exchanges.findLastIndex(({ attempts }) => isWhole(attempts.at(-1)));
  const lastAnswered = exchanges[last];
  const suspects = findInFlight(exchanges, last, settings);
  const paths = [...(suspects.length > 0 ? suspects : lastAnswered ? [lastAnswered] : [])].flatMap(
    (exchange) => drawnPathOf(exchange) ?? [],
  );
  const nameOf = (exchange: Exchange): string => (settings.explore ? exchange.step : requestNameOf(exchange));
  return {
    kind: 'stopped-answering',
    ...(ending.oneAtATime && { oneAtATime: true }),
    suspects: [...new Set(suspects.map(nameOf))],
    ...(lastAnswered && { lastAnswered: nameOf(lastAnswered) }),
    ...(settings.explore && paths.length > 0 && { drawn: { seed: settings.seed, paths: [...new Set(paths)] } }),
  };
}

/** Not cut: a stream that was under way when the target died has the head of an answer too. */
function isWhole(attempt: Attempt | undefined): boolean {
  return attempt?.outcome.kind === 'answer' && attempt.outcome.answer.body.end.kind !== 'cut';
}

interface Lost {
  readonly exchange: Exchange;
  readonly attempt: Attempt;
  /** When the loss was noticed, if that is known. Milliseconds since the run began. */
  readonly noticedAt: number;
}

/** Milliseconds between the first and the last notice of connections that one death closed: within 8 where it was measured. */
const MAX_APART = 50;

/** Requests that the target may have received before it died. Later ones were sent to a dead target. */
function findInFlight(
  exchanges: readonly Exchange[],
  last: number,
  settings: Pick<Settings, 'timeouts'>,
): readonly Exchange[] {
  const answered = exchanges.flatMap(({ attempts }) => attempts.filter(isWhole));
  const aliveAt = answered.reduce((latest, { sentAt }) => Math.max(latest, sentAt), -Infinity);
  // A request that is not tried again is over before others whose answers had arrived by then. It counts as well, unless
  // the target answered something that was sent after its loss.
  const isLate = ({ noticedAt }: Lost): boolean => noticedAt >= aliveAt && noticedAt !== Infinity;
  const lost = exchanges
    .flatMap((exchange, place) => {
      const own = lostAttempts(exchange, settings);
      return place > last ? own : own.filter(isLate);
    })
    .toSorted((a, b) => a.attempt.sentAt - b.attempt.sentAt);
  const delivered = lost.filter(({ attempt }) => wasDelivered(attempt));
  // A refused request may have waited for its connection while a later one was already under way, so it dates nothing.
  const deadBy = Math.min(...delivered.map(({ noticedAt }) => noticedAt));
  // Where nothing listens any more, a connection that was closed had been opened before that.
  const isGone = lost.some(({ attempt }) => failureOf(attempt)?.kind === 'refused');
  const first = delivered.filter(({ attempt }) => attempt.sentAt <= deadBy);
  // What took the place of the first loss while the others were still noticed was sent to a dead target.
  const together = new Set(
    first.flatMap(({ exchange, noticedAt }) => (noticedAt <= deadBy + MAX_APART ? [exchange] : [])),
  );
  const aliveAgainAt = together.size > 1 ? deadBy + MAX_APART : deadBy;
  const later = delivered.filter(({ attempt }) => isGone && wasBrokenOff(attempt) && attempt.sentAt > aliveAgainAt);
  return [...new Set([...first, ...later].map(({ exchange }) => exchange))];
}

function lostAttempts(exchange: Exchange, settings: Pick<Settings, 'timeouts'>): readonly Lost[] {
  const { attempts } = exchange;
  return attempts.flatMap((attempt, place) => {
    // Whatever ended the run, it was not a request that was still under way.
    if (isWhole(attempt) || wasAborted(attempt)) return [];
    const retriedAt = attempts[place + 1]?.sentAt ?? Infinity;
    const duration = durationOf(attempt, settings);
    const failedAt = wasDelivered(attempt) && duration === 0 ? Infinity : attempt.sentAt + duration;
    return [{ exchange, attempt, noticedAt: Math.min(retriedAt, failedAt) }];
  });
}

/** Whether there was a connection to send the request on. */
function wasDelivered(attempt: Attempt): boolean {
  const failure = failureOf(attempt);
  if (!failure) return true;
  const { kind, limit } = failure;
  return kind !== 'refused' && kind !== 'unresolved' && kind !== 'tls' && limit !== 'connect-timeout';
}

/** Its connection was closed, before or during the answer. */
function wasBrokenOff(attempt: Attempt): boolean {
  return attempt.outcome.kind === 'answer' || failureOf(attempt)?.kind === 'closed';
}

function failureOf({ outcome }: Attempt): Failure | undefined {
  return outcome.kind === 'none' ? outcome.failure : undefined;
}
