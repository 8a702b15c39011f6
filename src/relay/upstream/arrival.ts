/** Reads a request that arrived at the upstream, within limits, whatever the gateway sends. */
import type { IncomingMessage } from 'node:http';
import { isDeeperThan } from '../../exchange/reading/json-text.ts';
import type { Header } from '../../exchange/exchange.ts';
import { type Json, parseJson } from '../../json.ts';
import { findWords } from '../words.ts';
import { messagesOf } from './upstream-call.ts';

const MAX_BODY = 8 * 1024 * 1024;
const MAX_DEPTH = 200;

/** Bytes of all bodies that are being read or kept. An honest gateway needs less than one MiB. */
const MAX_BODIES = 32 * 1024 * 1024;

/** Counts the bytes of bodies in memory, so that a flood of large requests is refused. */
export class BodyRoom {
  #used = 0;

  /** False if there is no room left. */
  take(bytes: number): boolean {
    if (this.#used + bytes > MAX_BODIES) return false;
    this.#used += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#used -= bytes;
  }
}

/** The room of the body stays taken. `left`: the gateway went away before its end. */
export async function readBody(request: IncomingMessage, room: BodyRoom): Promise<Buffer | 'too-large' | 'left'> {
  const parts: Buffer[] = [];
  let length = 0;
  let isTooLarge = false;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      isTooLarge = length + part.length > MAX_BODY || !room.take(part.length);
      if (isTooLarge) break;
      length += part.length;
      parts.push(part);
    }
    if (!isTooLarge && request.complete) return Buffer.concat(parts);
  } catch {
    // The gateway left.
  }
  room.free(length);
  return isTooLarge ? 'too-large' : 'left';
}

export function headersOf({ rawHeaders }: IncomingMessage): readonly Header[] {
  return Array.from({ length: rawHeaders.length >> 1 }, (_, at) => [rawHeaders[2 * at]!, rawHeaders[2 * at + 1]!]);
}

export function readJsonText(text: string): Json | undefined {
  return isDeeperThan(text, MAX_DEPTH) ? undefined : parseJson(text);
}

/** The known word that chooses the script: in the last user message that has one, otherwise anywhere in the body. */
export function findWord(body: Json | undefined, text: string, isKnown: (word: string) => boolean): string | undefined {
  const messages = messagesOf(body).toReversed();
  const inOrder = [...messages.filter(({ role }) => role === 'user'), ...messages];
  for (const message of inOrder) {
    const word = findWords(message.text).find(isKnown);
    if (word !== undefined) return word;
  }
  return findWords(text).find(isKnown);
}
