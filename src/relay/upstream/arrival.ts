/** What arrives at the upstream: room for it, within limits, and the word that chooses the script. */
import type { BodyRoom, Call } from '../../gateway/call.ts';
import { messagesOf } from '../messages.ts';
import { findWords } from '../words.ts';

/** Bytes of all bodies that are being read or kept. An honest gateway needs less than one MiB. */
const MAX_BODIES = 32 * 1024 * 1024;

/** Counts the bytes of bodies in memory, so that a flood of large requests is refused. */
export class UpstreamRoom implements BodyRoom {
  #used = 0;

  take(bytes: number): boolean {
    if (this.#used + bytes > MAX_BODIES) return false;
    this.#used += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#used -= bytes;
  }
}

/** The known word that chooses the script: in the last user message that has one, otherwise anywhere in the body. */
export function findWord({ body, text = '' }: Call, isKnown: (word: string) => boolean): string | undefined {
  const messages = messagesOf(body).toReversed();
  const inOrder = [...messages.filter(({ role }) => role === 'user'), ...messages];
  for (const message of inOrder) {
    const word = findWords(message.text).find(isKnown);
    if (word !== undefined) return word;
  }
  return findWords(text).find(isKnown);
}
