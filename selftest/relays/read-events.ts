/**
 * A correct parser of server-sent events (WHATWG grammar), on its own: the relay and the client share no code with the checker.
 * For rows that misread streams, parsers that see more than they should, or refuse what is legal.
 */
import type { RelayEvent } from './relay-modifier.ts';

export async function* readRelayEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RelayEvent> {
  let name = '';
  let data: string[] = [];
  for await (const line of readLines(bytes)) {
    if (line === '') {
      if (data.length > 0) yield { name, data: data.join('\n') };
      name = '';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    if (colon === 0) continue;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    if (field === 'event') name = value;
  }
  // Lenient: many upstreams forget the blank line after the end marker.
  if (data.length > 0) yield { name, data: data.join('\n') };
}

/** Lines end in LF, CR or CRLF. A CR at the end of a part may be half of a CRLF. */
async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let skipsLineFeed = false;
  for await (const part of bytes) {
    let text = decoder.decode(part, { stream: true });
    if (skipsLineFeed && text !== '') {
      if (text.startsWith('\n')) text = text.slice(1);
      skipsLineFeed = false;
    }
    rest += text;
    for (let match = /\r\n|\r|\n/.exec(rest); match; match = /\r\n|\r|\n/.exec(rest)) {
      yield rest.slice(0, match.index);
      const isOpen = match[0] === '\r' && match.index === rest.length - 1;
      rest = rest.slice(match.index + match[0].length);
      skipsLineFeed = isOpen;
    }
  }
  if (rest !== '') yield rest;
}

type Bytes = AsyncIterable<Uint8Array>;

/** A correct parser that sees what `inspect` thinks of the text so far. */
export function readInspected(inspect: (textSoFar: string, event?: RelayEvent) => boolean) {
  return async function* readEvents(bytes: Bytes): AsyncGenerator<RelayEvent> {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    let text = '';
    async function* copy(): AsyncGenerator<Uint8Array> {
      for await (const part of bytes) {
        text += decoder.decode(part, { stream: true });
        inspect(text);
        yield part;
      }
    }
    for await (const event of readRelayEvents(copy())) if (inspect(text, event)) yield event;
  };
}

export function refuseText(pattern: RegExp) {
  return readInspected((text) => {
    if (pattern.test(text)) throw new Error('refused');
    return true;
  });
}

/** Parts of the text, however the bytes were cut. */
export async function* readBlocks(bytes: Bytes, separator: RegExp | string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of bytes) {
    const blocks = (rest + decoder.decode(part, { stream: true })).split(separator);
    rest = blocks.pop() ?? '';
    yield* blocks;
  }
  if (rest !== '') yield rest;
}

/** One event per block, which has nothing but data lines. */
export async function* readData(blocks: AsyncIterable<string>): AsyncGenerator<RelayEvent> {
  for await (const block of blocks) {
    const lines = block.split('\n').flatMap((line) => dataOf(line) ?? []);
    if (lines.length > 0) yield { name: '', data: lines.join('\n') };
  }
}

export function dataOf(line: string): string | undefined {
  return line.startsWith('data:') ? line.slice('data:'.length).trim() : undefined;
}
