/** Reads from the exchanges what a run could not know when it ended, such as the requests that may have stopped the target. */
import { STEPS } from '../plan/known-steps.ts';
import type { Settings } from '../settings.ts';
import { quoteText } from '../text/quote.ts';
import { describeAnswer } from './answer-status.ts';
import { leadsElsewhere, type RefusedKey } from './ending-first-contact.ts';
import { findSilence } from './ending-unanswered.ts';
import type { Ending, EndingOf } from './ending.ts';
import { type Attempt, type Exchange, type Failure, findHeader } from './exchange.ts';
import { drawnPathOf, requestNameOf } from './identity.ts';
import { durationOf, lastAnswer, timeLimitOf, timeOf, wasAborted, wasAnswered } from './reading/answered.ts';
import { emptyTextOf, isLoginPage, valueIn } from './reading/page-or-empty.ts';

type Known = Pick<Settings, 'baseUrl' | 'timeouts' | 'waitFor' | 'explore' | 'seed'>;

/** Adds the value of the time limit that ended the run. */
export function withLimit(ending: Ending, { timeouts }: Pick<Settings, 'timeouts'>): Ending {
  const { kind } = ending;
  if (kind !== 'unreachable' && kind !== 'chat-unanswered' && kind !== 'no-upstream-call') return ending;
  const limit = kind === 'unreachable' ? ending.failure.limit : ending.limit;
  const most = limit && timeOf(limit, timeouts);
  return most === undefined ? ending : { ...ending, most };
}

/** `exchanges`: in the order in which they were completed. */
export function explainEnding(ended: Ending, exchanges: readonly Exchange[], settings: Known): Ending {
  const ending = withLimit(ended, settings);
  if (exchanges.length === 0) return ending;
  if (ending.kind === 'complete') return findRefusedKey(exchanges, settings) ?? ending;
  const waited = settings.waitFor !== undefined && { waited: true as const };
  if (ending.kind === 'budget') return explainBudget(ending, exchanges, settings);
  if (ending.kind === 'interrupted') return { ...ending, ...findSilence(exchanges) };
  if (ending.kind === 'stopped-answering') return nameSuspects(ending, exchanges, settings);
  if (ending.kind === 'unreachable') return { ...ending, ...waited };
  if (ending.kind === 'not-this-api')
    return { ...ending, ...waited, ...findFirstAnswer(exchanges, settings, ending.status) };
  if (ending.kind === 'key-refused') return { ...ending, ...findFirstAnswer(exchanges, settings, ending.status) };
  if (ending.kind !== 'no-model' || ending.reason !== 'no-list') return ending;
  return {
    ...ending,
    ...waited,
    ...(hasFailingChat(exchanges) && { chatFails: true }),
    ...findFirstAnswer(exchanges, settings),
  };
}

/** Whether every chat request got a 5xx. */
function hasFailingChat(exchanges: readonly Exchange[]): boolean {
  const chats = exchanges.filter(({ request }) => request.endpoint === 'chat');
  return chats.length > 0 && chats.every((chat) => (lastAnswer(chat)?.status ?? 0) >= 500);
}

/** The answer to the list or, if that has another status, to the control. */
function findFirstAnswer(
  exchanges: readonly Exchange[],
  { baseUrl }: Known,
  status?: number,
): Pick<RefusedKey, 'answer'> {
  const answers = [STEPS.list, STEPS.control].flatMap((step) => {
    const exchange = exchanges.find(({ id }) => id === step);
    return (exchange && lastAnswer(exchange)) ?? [];
  });
  const answer = answers.find((each) => status === undefined || each.status === status);
  if (!answer) return {};
  const location = answer.status >= 300 && answer.status < 400 && findHeader(answer.headers, 'location');
  const emptyJson = emptyTextOf(valueIn(answer));
  return {
    answer: {
      ...describeAnswer(answer),
      ...(typeof location === 'string' && { location: quoteText(location, 300) }),
      ...(typeof location === 'string' && leadsElsewhere(location, baseUrl) && { leadsAway: true as const }),
      ...(isLoginPage(answer) && { isLogin: true as const }),
      ...(emptyJson !== undefined && { emptyJson }),
    },
  };
}

/** Recordings of versions that did not yet take a 403 to both the list and the control for a refusal of the key. */
function findRefusedKey(exchanges: readonly Exchange[], settings: Known): Ending | undefined {
  const controls = exchanges.filter(({ step }) => step === STEPS.control || step === STEPS.bareControl);
  const lists = exchanges.filter(({ step }) => step === STEPS.list);
  const isForbidden = (exchange: Exchange): boolean => lastAnswer(exchange)?.status === 403;
  if (lists.length === 0 || controls.length === 0 || ![...lists, ...controls].every(isForbidden)) return undefined;
  return { kind: 'key-refused', status: 403, ...findFirstAnswer(exchanges, settings, 403) };
}

/** The control timed out and nothing else was answered, so that more time would not have helped. */
function findHang(exchanges: readonly Exchange[], settings: Pick<Settings, 'timeouts'>): Ending | undefined {
  const control = exchanges.find(({ id }) => id === STEPS.control);
  const limit = control && timeLimitOf(control);
  if (limit === undefined) return undefined;
  const chats = exchanges.filter(({ request }) => request.endpoint === 'chat' && request.key === 'full');
  const isHeard = (exchange: Exchange): boolean =>
    wasAnswered(exchange) || (lastAnswer(exchange)?.status ?? 200) !== 200;
  return chats.some(isHeard) ? undefined : withLimit({ kind: 'chat-unanswered', limit }, settings);
}

/** Adds what was silent and, if the time was over, how many answers slowed the run down. */
function explainBudget(ending: EndingOf<'budget'>, exchanges: readonly Exchange[], settings: Known): Ending {
  const known = { ...ending, ...(settings.explore && { exploring: true as const }), ...findSilence(exchanges) };
  if (ending.setting !== 'max-time') return known;
  // Those that an extra key was meant to provoke do not count.
  const slowedBy = exchanges
    .filter(({ seeks }) => seeks !== 'any')
    .flatMap(({ attempts }) => attempts)
    .filter(({ outcome }) => outcome.kind === 'answer' && outcome.answer.status === 429).length;
  return findHang(exchanges, settings) ?? (slowedBy === 0 ? known : { ...known, slowedBy });
}

/** `exchanges`: in the order in which they were completed. */
function nameSuspects(ending: EndingOf<'stopped-answering'>, exchanges: readonly Exchange[], settings: Known): Ending {
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

/** Whether the answer is not cut: a stream that was under way when the target died has a head, too. */
function isWhole(attempt: Attempt | undefined): boolean {
  return attempt?.outcome.kind === 'answer' && attempt.outcome.answer.body.end.kind !== 'cut';
}

type Lost = ReturnType<typeof lostAttempts>[number];

/** Milliseconds between the first and the last notice of connections that one death closed: within 8 where it was measured. */
const MAX_APART = 50;

/** Requests that the target may have received before it died. Later ones were sent to a dead target. */
function findInFlight(exchanges: readonly Exchange[], last: number, settings: Known): readonly Exchange[] {
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

/** `noticedAt`: when the loss was noticed, if that is known. Milliseconds since the run began. */
function lostAttempts(exchange: Exchange, settings: Pick<Settings, 'timeouts'>) {
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
