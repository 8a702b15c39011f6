/** Splits the time of a run between the target, intended pauses and the checker itself. */
import { durationOf, isRejection } from '../exchange/reading/answered.ts';
import type { Traffic } from '../exchange/traffic.ts';
import { roundToTenths } from '../text/layout.ts';
import type { Settings } from '../settings.ts';
import type { TimeReport } from './report.ts';

const MAX_SLOWEST = 5;

interface Stretch {
  readonly start: number;
  readonly end: number;
}

type SpentTraffic = Pick<Traffic, 'exchanges' | 'used' | 'startedAt' | 'endedAt'>;

/** Undefined if exchanges are missing, as in the report on a long recording. */
export function timeSpent(traffic: SpentTraffic, settings: Settings): TimeReport | undefined {
  const attempts = traffic.exchanges.flatMap((exchange) => exchange.attempts);
  if (attempts.length === 0 || attempts.length !== traffic.used.requests) return undefined;
  const underWay = mergeOverlaps(
    attempts.map((attempt) => ({ start: attempt.sentAt, end: attempt.sentAt + durationOf(attempt, settings) })),
  );
  const wall = Math.max(traffic.endedAt - traffic.startedAt, underWay.at(-1)?.end ?? 0);
  // Requests of `--wait-for` are not part of the run, but it waited for their answers.
  const waited = settings.waitFor === undefined ? 0 : (underWay[0]?.start ?? 0);
  const target = waited + lengthOf(underWay);
  const slowed = slowedFrom(traffic);
  const idle = traffic.exchanges.filter(({ request }) => request.idle).flatMap(({ attempts: [first] }) => first ?? []);
  const resumed = new Set([...attempts.filter(({ pause }) => pause > 0), ...idle].map(({ sentAt }) => sentAt));
  const isPause = ({ start, end }: Stretch): boolean =>
    settings.ratePerSecond !== undefined || start >= slowed || resumed.has(end);
  // A pause that the end of the run cut short.
  const last = { start: underWay.at(-1)?.end ?? wall, end: wall };
  const gaps = underWay.slice(1).map(({ start }, place) => ({ start: underWay[place]?.end ?? start, end: start }));
  const pauses = lengthOf([...gaps, ...(last.start >= slowed ? [last] : [])].filter(isPause));
  return {
    wall: roundToTenths(wall),
    target: roundToTenths(target),
    pauses: roundToTenths(pauses),
    checker: roundToTenths(Math.max(0, wall - target - pauses)),
    slowest: traffic.exchanges
      .map(({ id, attempts: own }) => ({
        exchange: id,
        time: roundToTenths(own.reduce((sum, attempt) => sum + durationOf(attempt, settings), 0)),
      }))
      .toSorted((a, b) => b.time - a.time)
      .slice(0, MAX_SLOWEST),
  };
}

/** Sorted by start. */
function mergeOverlaps(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: { start: number; end: number }[] = [];
  for (const { start, end } of stretches.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}

/** When the first 429 or 503 slowed the run down. Those that an extra key was meant to provoke do not count. */
function slowedFrom({ exchanges }: Pick<Traffic, 'exchanges'>): number {
  const ends = exchanges
    .filter(({ seeks }) => seeks !== 'any')
    .flatMap(({ attempts }) => attempts)
    .flatMap(({ sentAt, outcome }) =>
      outcome.kind === 'answer' && isRejection(outcome.answer.status) ? [sentAt + outcome.answer.endAt] : [],
    );
  return Math.min(...ends);
}

function lengthOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { start, end }) => sum + end - start, 0);
}
