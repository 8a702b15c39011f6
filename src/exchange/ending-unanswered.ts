/** What is known and said of a run that ended while the target was silent. */
import type { Duration, PositiveInteger } from '../scalars.ts';
import { count, formatDuration } from '../text/layout.ts';
import type { Attempt, Exchange, SentRequest } from './exchange.ts';
import { wasAborted, wasHeard } from './reading/answered.ts';

export interface Silence {
  /** None of all requests was answered, or none of the chat requests with the key. */
  readonly unanswered?: { readonly of: 'all' | 'chat'; readonly requests: PositiveInteger };
  /** For how long the oldest request under way had waited for the end of its answer. Told if it was long, or the only one. */
  readonly underWay?: Duration;
}

/** Milliseconds. Wherever a run ends, some request has waited for less, which says nothing about the target. */
const LONG = 1_000;

/** Counts what was sent, and how much of it was answered. */
export class SilenceWatch {
  readonly #all = { requests: 0, isHeard: false };
  /** Those with the key. */
  readonly #chats = { requests: 0, isHeard: false };
  #underWay = 0;

  note({ endpoint, key }: Pick<SentRequest, 'endpoint' | 'key'>, attempt: Attempt): void {
    for (const sent of endpoint === 'chat' && key === 'full' ? [this.#all, this.#chats] : [this.#all]) {
      sent.requests += 1;
      sent.isHeard ||= wasHeard(attempt);
    }
  }

  /** Notes an attempt that the end of the run may have cut short. */
  noteEnd(attempt: Attempt): void {
    this.#underWay = Math.max(this.#underWay, timeUnderWay(attempt));
  }

  get silence(): Silence {
    // None if one of them was answered.
    const [all = 0, chats = 0] = [this.#all, this.#chats].map(({ requests, isHeard }) => (isHeard ? 0 : requests));
    const underWay = Math.round(this.#underWay);
    if (all > 0) return { unanswered: { of: 'all', requests: all }, ...(underWay > 0 && { underWay }) };
    const isChatSilent = chats > 1 || (chats === 1 && underWay >= LONG);
    return {
      ...(isChatSilent && { unanswered: { of: 'chat', requests: chats } }),
      ...(underWay >= LONG && { underWay }),
    };
  }
}

/** `ended`: those that the end of the run may have cut short. */
export function findSilence(exchanges: readonly Exchange[], ended = exchanges): Silence {
  const watch = new SilenceWatch();
  for (const { request, attempts } of exchanges) for (const attempt of attempts) watch.note(request, attempt);
  for (const attempt of ended.flatMap(({ attempts }) => attempts)) watch.noteEnd(attempt);
  return watch.silence;
}

/** Milliseconds from sending to the end of the run; 0 if the attempt was over before. */
function timeUnderWay(attempt: Attempt): number {
  const { outcome } = attempt;
  if (outcome.kind === 'none') return wasAborted(attempt) ? (outcome.failure.at ?? 0) : 0;
  const { body, endAt } = outcome.answer;
  return body.end.kind === 'aborted' && body.end.why === 'interrupted' ? endAt : 0;
}

/** Nothing came from the target, so that nothing can be judged or observed. */
export function isAllSilent({ unanswered }: Silence): boolean {
  return unanswered?.of === 'all';
}

/** ` The target had answered none of 1 request. A request was under way for 4.9 s.`, as far as known. */
export function formatSilence({ unanswered, underWay }: Silence): string {
  const what = unanswered?.of === 'chat' ? 'chat request' : 'request';
  const none = unanswered ? ` The target had answered none of ${count(unanswered.requests, what)}.` : '';
  const waited = underWay === undefined ? '' : ` A request was under way for ${formatDuration(underWay)}.`;
  return none + waited;
}

/** Whether nothing speaks against the target: something was answered, or the first request had hardly been sent. */
export function isUsual({ unanswered, underWay = 0 }: Silence): boolean {
  return !unanswered || (unanswered.requests === 1 && underWay < LONG);
}

/** Undefined if something was answered. */
export function adviseOnSilence({ unanswered }: Silence): string | undefined {
  if (!unanswered) return undefined;
  return unanswered.of === 'all'
    ? 'Check that the target answers.'
    : 'Check that the model is loaded and answers, or name a different one with --model.';
}
