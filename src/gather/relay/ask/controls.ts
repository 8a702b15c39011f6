/**
 * The control: an ordinary question, asked until it is answered. A gateway that does not answer it proves nothing; then the
 * cases that were under way are found, since each may be what stopped it.
 */
import { askUntil } from '../../../exchange/channel/control.ts';
import { type OnAwait, unwatched } from '../../../exchange/channel/hooks.ts';
import type { EndingOf } from '../../../exchange/ending.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import { requestNameOf } from '../../../exchange/identity.ts';
import type { Mode } from '../../../plan/plan.ts';
import { type Asked, readAsked } from '../judge/both-ends.ts';
import { asksForLonger } from '../judge/failures.ts';
import { CONTROL, DEFAULT_SCRIPT } from '../load-relay-suite.ts';
import { numbered, type QuestionAsker } from './ask-question.ts';

/** Milliseconds between two controls; the last one repeats. */
const PAUSES = [100, 250, 500, 1_000];
/** Milliseconds that a control is waited for at least. */
const LEAST = 1_000;
const MESSAGES = [{ role: 'user', content: 'Answer in a few words. The control is ${word}.' }];

export class Controls {
  readonly #asker: QuestionAsker;
  readonly #onAwait: OnAwait;
  readonly #answered = new Set<Mode>();
  /** It did not recover, and there is no point in waiting as long again. */
  readonly #gone = new Set<Mode>();
  #count = 0;
  /** The last control that was answered, or given up. */
  last: Asked | undefined;

  constructor(asker: QuestionAsker, onAwait = unwatched) {
    this.#asker = asker;
    this.#onAwait = onAwait;
  }

  /** Whether it was ever answered in this run. */
  isAnswered(mode: Mode): boolean {
    return this.#answered.has(mode);
  }

  /** `pause`: milliseconds that were waited before it. */
  async ask(mode: Mode, patience?: number, pause = 0): Promise<Asked | undefined> {
    const question = { key: 'full', messages: MESSAGES, request: {}, script: DEFAULT_SCRIPT } as const;
    const [asked] = await this.#asker.ask({ ...question, ...numbered(CONTROL, ++this.#count), mode, pause }, patience);
    if (asked) this.last = asked;
    if (asked && isThrough(asked)) this.#answered.add(mode);
    return asked;
  }

  /** A few times at most; it may be answered already. */
  async askUntilThrough(mode: Mode, most: number): Promise<void> {
    if (this.isAnswered(mode)) return;
    await askUntil({ ask: () => this.ask(mode), isEnough: isThrough, most, signal: this.#asker.front.signal });
  }

  /** The gateway did not recover, and still does not answer. */
  async isGone(mode: Mode): Promise<boolean> {
    return this.#gone.has(mode) && !(await this.recover(mode));
  }

  /** Asks until it is answered. False if it was not, or never had been. */
  async recover(mode: Mode): Promise<boolean> {
    const { signal } = this.#asker.front;
    const longest = this.#gone.has(mode) ? 0 : this.#asker.settings.relay.recovery;
    const began = performance.now();
    const ended = this.#onAwait(() => ({
      what: `recovery of the gateway${isPortClosed(this.last) ? ' (its port refuses connections)' : ''}`,
      elapsed: performance.now() - began,
      most: longest,
    }));
    const { isEnough: isBack } = await askUntil({
      ask: ({ pause, left }) => this.ask(mode, Math.ceil(Math.max(LEAST, left)), pause),
      isEnough: isThrough,
      pauseAfter: (times) => PAUSES[Math.min(times, PAUSES.length) - 1],
      longest,
      signal,
    }).finally(ended);
    if (isBack) this.#gone.delete(mode);
    else if (!signal.aborted) this.#gone.add(mode);
    return isBack;
  }
}

/** The gateway asked the upstream and gave a reply. Whether it is the right one is for the cases to judge. */
export function isThrough({ calls, reading }: Asked): boolean {
  return calls.length > 0 && reading.kind === 'reply';
}

/** Milliseconds. An answer that came before the end may have been read a little after it. */
const READ_LATE = 100;

/** A closed port: the gateway has stopped, so that a longer wait would not help. */
export function isPortClosed(asked: Asked | undefined): boolean {
  return asked?.reading.failure?.kind === 'refused';
}

/** What the last control got. `limit`: milliseconds, of `--recovery`. */
export function describeStop(
  control: Asked | undefined,
  limit: number,
): Omit<EndingOf<'not-recovered'>, 'kind' | 'after'> {
  if (!control) return {};
  const { id } = control.front;
  if (isPortClosed(control)) return { isRefused: true, control: id };
  const { answer } = control.reading;
  if (!answer) return {};
  // A 429 may be a limit of the gateway.
  const isFinding = answer.status >= 500 && !asksForLonger(answer, limit);
  return { status: answer.status, ...(isFinding && { control: id }) };
}

/** `front`: in the order of sending. `status`: what the last control got; undefined if the port is closed. */
export function findStop(
  front: readonly Exchange[],
  cases: readonly string[],
  status?: number,
): Pick<EndingOf<'not-recovered'>, 'inFlight'> {
  const asked = front.filter(({ request }) => request.endpoint === 'chat').map((exchange) => readAsked(exchange, []));
  const nameAll = (some: readonly Asked[]): readonly string[] => {
    const names = new Set(some.map((each) => requestNameOf(each.front)));
    return cases.filter((id) => names.has(id));
  };
  const suspects = status === undefined ? suspectsOfClosing(asked) : suspectsOfLock(asked, status);
  const named = suspects.map(nameAll).find((names) => names.length > 0);
  return named ? { inFlight: named } : {};
}

/** The likeliest first. */
type Suspects = readonly (readonly Asked[])[];

function suspectsOfClosing(asked: readonly Asked[]): Suspects {
  const whole = asked.filter(({ reading: { kind } }) => kind !== 'cut' && kind !== 'waiting');
  const aliveUntil = Math.max(0, ...whole.map(({ endedAt }) => endedAt));
  const cut = asked.filter((each) => each.reading.kind === 'cut' && !isPortClosed(each));
  const last = cut.filter(({ endedAt }) => endedAt >= aliveUntil - READ_LATE);
  return [last, whole.filter(({ endedAt }) => endedAt === aliveUntil)];
}

/** A call that was let in shows that there was no lock yet. Then calls that our client left, or that failed, come first. */
function suspectsOfLock(asked: readonly Asked[], status: number): Suspects {
  const openUntil = Math.max(0, ...asked.filter(({ reading }) => reading.kind === 'reply').map((each) => each.sentAt));
  const isLocked = ({ reading, sentAt }: Asked): boolean => reading.answer?.status === status && sentAt >= openUntil;
  const locked = asked.filter(isLocked);
  const lockedFrom = Math.min(...locked.map(({ sentAt }) => sentAt));
  const isJustBefore = ({ endedAt }: Asked): boolean => endedAt >= openUntil && endedAt <= lockedFrom + READ_LATE;
  const ended = asked.filter((each) => !isLocked(each) && isJustBefore(each));
  const first = locked.filter(({ sentAt }) => sentAt === lockedFrom);
  return [ended.filter(({ reading: { kind } }) => kind !== 'reply'), [...ended, ...first]];
}
