/** Finds the first text of an event stream while it arrives: some requests need no more, and its time matters. */
import { createParser } from 'eventsource-parser';
import { parseJson } from '../../json.ts';
import { partsOf } from '../reading/choices.ts';

/** Bytes. Few events come before the first text, and the parser is slow with a long line in small reads. */
const MOST_READ = 64 * 1024;

/** A character that is split between reads is damaged here, but it is text all the same. One decoder serves all streams. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

export class FirstText {
  readonly #parser = createParser({
    maxBufferSize: 2 * MOST_READ,
    onEvent: ({ data }) => {
      this.#isFound ||= partsOf(parseJson(data), 0, 0).some(({ text, reasoning }) => text !== '' || reasoning !== '');
    },
  });
  #left = MOST_READ;
  #isFound = false;

  /** True once an event with text or reasoning is complete. */
  look(chunk: Uint8Array): boolean {
    if (this.#isFound) return true;
    const part = chunk.subarray(0, this.#left);
    this.#left -= part.length;
    this.#parser.feed(DECODER.decode(part));
    return this.#isFound;
  }
}
