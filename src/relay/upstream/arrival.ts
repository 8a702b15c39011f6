/** Reads a request that arrived at the upstream, within limits, whatever the gateway sends. */
import type { IncomingMessage } from 'node:http';
import { isDeeperThan } from '../../exchange/reading/json-text.ts';
import type { Header } from '../../exchange/exchange.ts';
import { type Json, parseJson } from '../../json.ts';
import { findWords } from '../words.ts';
import { messagesOf } from './upstream-call.ts';

const MAX_BODY = 8 * 1024 * 1024;
const MAX_DEPTH = 200;

/** Undefined if the body is too large, or the gateway left before its end. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > MAX_BODY) return undefined;
      parts.push(part);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(parts);
}

export function headersOf({ rawHeaders }: IncomingMessage): readonly Header[] {
  return Array.from({ length: rawHeaders.length >> 1 }, (_, at) => [rawHeaders[2 * at]!, rawHeaders[2 * at + 1]!]);
}

export function readJsonText(text: string): Json | undefined {
  return isDeeperThan(text, MAX_DEPTH) ? undefined : parseJson(text);
}

/** The known word that chooses the script: in the last user message that has one, else anywhere in the body. */
export function findWord(body: Json | undefined, text: string, isKnown: (word: string) => boolean): string | undefined {
  const messages = messagesOf(body).toReversed();
  const inOrder = [...messages.filter(({ role }) => role === 'user'), ...messages];
  for (const message of inOrder) {
    const word = findWords(message.text).find(isKnown);
    if (word !== undefined) return word;
  }
  return findWords(text).find(isKnown);
}
