/** Requests that get no answer, or not all of it. */
import { type Attempt, type Exchange, findHeader } from '../exchange/exchange.ts';
import { lastAnswer, timeLimitOf } from '../exchange/reading/answered.ts';

/** No answer in time, or a connection that was closed instead, each time. */
export type Silence = 'timeout' | 'closed';

export function keyOfSilence(silence: Silence): string {
  return JSON.stringify(['silence', silence]);
}

/** Of all attempts alike. A stream that stops in the middle is judged, and so it is none of these. */
export function silenceIn({ attempts, request }: Exchange): Silence | undefined {
  const kindOf = (attempt: Attempt): string | undefined => {
    if (attempt.outcome.kind === 'none') return attempt.outcome.failure.kind;
    return request.mode === 'plain' && timeLimitOf({ attempts: [attempt] }) !== undefined ? 'timeout' : undefined;
  };
  return (['timeout', 'closed'] as const).find((kind) => attempts.every((attempt) => kindOf(attempt) === kind));
}

/** Whether a connection that was to stay open was closed on this request, which was then answered on another one. */
export function wasDropped({ attempts }: Pick<Exchange, 'attempts'>, before: Pick<Exchange, 'attempts'>): boolean {
  const [first, ...more] = attempts;
  const kept = before.attempts.at(-1);
  if (first?.outcome.kind !== 'none' || first.outcome.failure.kind !== 'closed' || more.length === 0) return false;
  if (first.connection === undefined || first.connection !== kept?.connection) return false;
  const answer = lastAnswer(before);
  return answer !== undefined && !/\bclose\b/i.test(findHeader(answer.headers, 'connection') ?? '');
}

/** Milliseconds without an answer, over all attempts. */
export function silenceOf({ attempts }: Exchange): number {
  const silences = attempts.map(({ outcome }) => {
    if (outcome.kind === 'none') return outcome.failure.at ?? 0;
    const { end } = outcome.answer.body;
    return end.kind === 'limit' && end.limit === 'idle-timeout' ? outcome.answer.endAt : 0;
  });
  return silences.reduce((sum, silence) => sum + silence, 0);
}
