/** The control: an ordinary question, asked until it is answered. A gateway that does not answer it proves nothing. */
import { pauseFor } from '../../exchange/attempts/pace.ts';
import { type OnAwait, unwatched } from '../../exchange/awaited.ts';
import type { Mode } from '../../plan/plan.ts';
import type { Asked } from '../judge/relay-check.ts';
import { CONTROL } from '../relay-case.ts';
import { DEFAULT_SCRIPT } from '../upstream-script.ts';
import { numbered, type QuestionAsker } from './ask-question.ts';
import { isPortClosed } from './find-stop.ts';

/** Milliseconds between two controls; the last one repeats. */
const PAUSES = [0, 100, 250, 500, 1_000];
const MESSAGES = [{ role: 'user', content: 'Answer in a few words. The control is ${word}.' }];

export class Controls {
  readonly #asker: QuestionAsker;
  readonly #recovery: number;
  readonly #signal: AbortSignal;
  readonly #onAwait: OnAwait;
  readonly #answered = new Set<Mode>();
  /** It did not recover, and there is no point in waiting as long again. */
  readonly #gone = new Set<Mode>();
  #count = 0;
  #last: Asked | undefined;

  /** `recovery`: longest wait in milliseconds. */
  constructor(asker: QuestionAsker, recovery: number, signal: AbortSignal, onAwait = unwatched) {
    this.#asker = asker;
    this.#recovery = recovery;
    this.#signal = signal;
    this.#onAwait = onAwait;
  }

  /** The last control that was answered, or given up. */
  get last(): Asked | undefined {
    return this.#last;
  }

  /** Whether it was ever answered in this run. */
  isAnswered(mode: Mode): boolean {
    return this.#answered.has(mode);
  }

  /** `pause`: milliseconds that were waited before it. */
  async ask(mode: Mode, patience?: number, pause = 0): Promise<Asked | undefined> {
    this.#count += 1;
    const question = {
      ...numbered(CONTROL, this.#count),
      mode,
      key: 'full',
      messages: MESSAGES,
      request: {},
      script: DEFAULT_SCRIPT,
      pause,
    } as const;
    const asked = await this.#asker.ask(question, patience);
    if (asked) this.#last = asked;
    if (asked && isThrough(asked)) this.#answered.add(mode);
    return asked;
  }

  /** The gateway did not recover, and still does not answer. */
  async isGone(mode: Mode): Promise<boolean> {
    return this.#gone.has(mode) && !(await this.recover(mode));
  }

  /** Asks until it is answered. False if it was not, or never had been. */
  async recover(mode: Mode): Promise<boolean> {
    const longest = this.#gone.has(mode) ? 0 : this.#recovery;
    const began = performance.now();
    const ended = this.#onAwait(() => ({
      what: `recovery of the gateway${isPortClosed(this.#last) ? ' (its port refuses connections)' : ''}`,
      elapsed: performance.now() - began,
      most: longest,
    }));
    const isBack = await this.#askUntilAnswered(mode, longest).finally(ended);
    if (isBack) this.#gone.delete(mode);
    else if (!this.#signal.aborted) this.#gone.add(mode);
    return isBack;
  }

  async #askUntilAnswered(mode: Mode, longest: number): Promise<boolean> {
    const deadline = performance.now() + longest;
    for (let tries = 0; !this.#signal.aborted; tries++) {
      const pause = PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 0;
      await pauseFor(pause, this.#signal);
      const left = Math.ceil(Math.max(1_000, deadline - performance.now()));
      const asked = await this.ask(mode, left, pause);
      if (!asked) return false;
      if (isThrough(asked)) return true;
      if (performance.now() >= deadline) return false;
    }
    return false;
  }
}

/** The gateway asked the upstream and gave a reply. Whether it is the right one is for the cases to judge. */
export function isThrough({ calls, reading }: Asked): boolean {
  return calls.length > 0 && reading.kind === 'reply';
}
