/** Parsers of streams that see more than they should, or refuse what is legal, for rows that misread streams. */
import { readRelayEvents } from './read-events.ts';
import type { RelayEvent } from './relay-modifier.ts';

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

/** Refuses events of a correct parser. */
export function refuseEvents(isRefused: (event: RelayEvent) => boolean) {
  return async function* readEvents(bytes: Bytes): AsyncGenerator<RelayEvent> {
    for await (const event of readRelayEvents(bytes)) {
      if (isRefused(event)) throw new Error('refused');
      yield event;
    }
  };
}
