/** The lengths of replies: what is asked for, and what the scripted upstream sends. Pure. */

import type { ReplyProfileName } from '../../exchange/load-traffic.ts';

export interface ReplyProfile {
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
