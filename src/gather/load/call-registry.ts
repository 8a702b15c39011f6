/** The words of calls: which reply is whose. Only calls that may still matter are remembered. */
import { makeRequestWord } from '../../plan/request-word.ts';
import type { ReplyProfileName } from '../../exchange/load-traffic.ts';

/** Words of disconnected clients that are remembered: their streams are the ones that come back in other replies. */
const MAX_LEFT = 5_000;

export interface KnownCall {
  readonly id: string;
  readonly word: string;
  readonly profile: ReplyProfileName;
  /** When the call began, by `performance.now()`. */
  readonly from: number;
  to?: number;
  /** Its client disconnected. */
  hasLeft?: true;
  /** When the scripted upstream had sent its whole reply. */
  upstreamDone?: number;
  /** The scripted upstream sent token counts. */
  usageSent?: true;
  /** The scripted upstream paused in the middle of the stream. */
  wasPaced?: true;
}

export class CallRegistry {
  readonly salt: number;
  readonly #open = new Map<string, KnownCall>();
  readonly #ended = new Map<string, KnownCall>();
  readonly #left = new Map<string, KnownCall>();

  /** `salt`: different in every run, since a gateway with a cache would answer the word of an earlier one. */
  constructor(salt: number) {
    this.salt = salt;
  }

  open(id: string, profile: ReplyProfileName, from = performance.now()): KnownCall {
    const call: KnownCall = { id, word: makeRequestWord(this.salt, id), profile, from };
    this.#open.set(call.word, call);
    return call;
  }

  end(call: KnownCall, hasLeft: boolean, to = performance.now()): void {
    this.#open.delete(call.word);
    call.to = to;
    if (hasLeft) {
      call.hasLeft = true;
      this.#left.set(call.word, call);
      const [oldest] = this.#left.keys();
      if (this.#left.size > MAX_LEFT && oldest !== undefined) this.#left.delete(oldest);
    } else this.#ended.set(call.word, call);
    this.#forget(to);
  }

  /** The open call with this id. */
  findOpen(id: string): KnownCall | undefined {
    return this.#open.get(makeRequestWord(this.salt, id));
  }

  find(word: string): KnownCall | undefined {
    return this.#open.get(word) ?? this.#ended.get(word) ?? this.#left.get(word);
  }

  /** Calls that ended before any open one began overlap with none that is still to be judged soon. */
  #forget(now: number): void {
    const oldest = this.#open.values().next().value?.from ?? now;
    for (const [word, { to = oldest }] of this.#ended) {
      if (to > oldest - GRACE) return;
      this.#ended.delete(word);
    }
  }
}

/** Milliseconds that an answer may wait for judging. */
const GRACE = 10_000;

/** Both were under way at the same time, or the other client had disconnected. */
export function mayMix(own: KnownCall, other: KnownCall): boolean {
  if (other.hasLeft) return other.from < (own.to ?? Infinity);
  return other.from < (own.to ?? Infinity) && own.from < (other.to ?? Infinity);
}
