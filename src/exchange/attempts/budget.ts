/** The bounds of what may be sent. Several runs may share one. */
import type { Settings } from '../../settings.ts';
import type { SentRequest } from '../exchange.ts';

/** A place in the budget for one request until it is over, or the setting that forbids it. */
export type Reservation =
  | { readonly kind: 'reserved'; release(): void }
  | { readonly kind: 'forbidden'; readonly setting: 'max-requests' | 'max-completions' };

export class Budget {
  readonly #maxRequests: number;
  readonly #maxCompletions: number;
  /** Aborts when the time is over; absent if each run has a limit of its own only. */
  readonly time?: AbortSignal;
  #requests = 0;
  #completions = 0;
  #requestsUnderWay = 0;
  /** Any of them may be charged. */
  #chatsUnderWay = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(
    { maxRequests = Infinity, maxCompletions = Infinity }: Pick<Settings, 'maxRequests' | 'maxCompletions'>,
    time?: AbortSignal,
  ) {
    this.#maxRequests = maxRequests;
    this.#maxCompletions = maxCompletions;
    if (time) this.time = time;
  }

  /**
   * Called before a request is sent. Waits while requests under way decide whether anything is left.
   * `kept`: completions that this request has to leave to others.
   */
  async reserve({ endpoint }: Pick<SentRequest, 'endpoint'>, kept = 0): Promise<Reservation> {
    const chats = endpoint === 'chat' ? 1 : 0;
    const maxCompletions = this.#maxCompletions - kept;
    for (;;) {
      if (this.#requests + this.#requestsUnderWay >= this.#maxRequests) {
        return { kind: 'forbidden', setting: 'max-requests' };
      }
      if (chats === 0 || this.#completions + this.#chatsUnderWay < maxCompletions) break;
      if (this.#completions >= maxCompletions) return { kind: 'forbidden', setting: 'max-completions' };
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#requestsUnderWay += 1;
    this.#chatsUnderWay += chats;
    return {
      kind: 'reserved',
      release: () => {
        this.#requestsUnderWay -= 1;
        this.#chatsUnderWay -= chats;
        for (const wake of this.#waiting.splice(0)) wake();
      },
    };
  }

  /** One request was sent. */
  spend(completions: number): void {
    this.#requests += 1;
    this.#completions += completions;
  }
}
