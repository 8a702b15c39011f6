/** The words of calls, which say whose a reply is, and the lengths of replies: what is asked for, and what the upstream sends. */
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

/** Only calls that may still matter are remembered. */
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

  /** Another call with this word that was under way at the same time, or whose client had disconnected. */
  findOther(word: string, { id, from, to = Infinity }: KnownCall): KnownCall | undefined {
    const other = this.find(word);
    if (!other || other.id === id || other.from >= to) return undefined;
    return other.hasLeft || from < (other.to ?? Infinity) ? other : undefined;
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

interface ReplyProfile {
  /** Pieces that the upstream streams the text in. */
  readonly pieces: number;
  /** Times that each piece has the word. */
  readonly repeat: number;
  readonly finish: 'stop' | 'length';
  /** `max_tokens` of the request. */
  readonly maxTokens: number;
}

export const PROFILES = {
  short: { pieces: 4, repeat: 1, finish: 'stop', maxTokens: 16 },
  medium: { pieces: 16, repeat: 1, finish: 'stop', maxTokens: 32 },
  long: { pieces: 60, repeat: 1, finish: 'stop', maxTokens: 64 },
  // Ends by length.
  limited: { pieces: 8, repeat: 1, finish: 'length', maxTokens: 8 },
  // 8 MiB in fewer than 20,000 events: a smaller reply fits into the buffers of the sockets and proves nothing.
  huge: { pieces: 1_024, repeat: 750, finish: 'stop', maxTokens: 1_024 },
  paced: { pieces: 8, repeat: 1, finish: 'stop', maxTokens: 32 },
} as const satisfies Record<ReplyProfileName, ReplyProfile>;

/** Milliseconds that the upstream pauses in the middle of a paced stream. */
export const PACED_PAUSE = 1_500;

/** Ordinary calls draw from these. */
export const USUAL_PROFILES = ['short', 'medium', 'long', 'limited'] as const satisfies readonly ReplyProfileName[];

/** Every piece has the word, so that a piece of another reply is recognised. */
export function replyPieces(word: string, profile: ReplyProfileName): readonly string[] {
  const { pieces, repeat } = PROFILES[profile];
  const body = `${word} `.repeat(repeat);
  return Array.from({ length: pieces }, (_, at) => `${at === 0 ? '' : ' '}${body}${at + 1}.`);
}

/** The token counts that the upstream sends. */
export function usageOf(profile: ReplyProfileName) {
  const { pieces } = PROFILES[profile];
  return { prompt_tokens: 12, completion_tokens: pieces, total_tokens: 12 + pieces };
}

/** What a model is asked for: it may repeat the word, and does not have to. */
export function promptFor(word: string, profile: ReplyProfileName): string {
  const times = PROFILES[profile].pieces;
  return times <= 4
    ? `Repeat this word and nothing else: ${word}`
    : `Repeat this word ${times} times, numbered, and nothing else: ${word}`;
}
