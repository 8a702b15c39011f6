// Reading event streams: megabytes a second, over bare eventsource-parser.
import { createParser } from 'eventsource-parser';
import { readEvents } from '../../build/src/exchange/reading/event-stream.js';
import { LiveStream } from '../../build/src/exchange/transport/body-intake.js';
import { repeat, summaries } from './measure.mjs';
/** @import { EventSourceMessage } from 'eventsource-parser' */
/** @import { Body } from '../../build/src/index.js' */

const MEGABYTES = 16;
/** Bytes of a network read, about that of an Ethernet frame and that of a busy socket. */
const READS = [1_400, 65_536];
const NO_LIMITS = { line: Infinity, events: Infinity };

/** `live` watches a stream while it comes, `reading` reads it for judging. */
export async function measureEventStreams() {
  const bytes = makeStream();
  const rows = [];
  for (const size of READS) {
    const body = bodyOf(bytes, size);
    const rounds = await repeat(5, () => {
      const bare = speed(() => parse(body));
      // A copy, since a body that was read is remembered.
      const reading = speed(() => readEvents({ ...body }).events.length);
      const live = speed(() => watch(body));
      return { bare, reading, live, readingRatio: reading / bare };
    });
    rows.push({ bytesPerRead: size, ...summaries(rounds) });
  }
  return rows;
}

function makeStream() {
  const event = (/** @type {number} */ at) => {
    const choice = { index: 0, delta: { content: ` word ${at}` }, finish_reason: null };
    const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'small', choices: [choice] };
    return `data: ${JSON.stringify(chunk)}\n\n`;
  };
  const some = Array.from({ length: 1_000 }, (_, at) => event(at)).join('');
  return Buffer.from(some.repeat(Math.ceil((MEGABYTES * 1e6) / some.length)));
}

/**
 * @param {Buffer} bytes
 * @param {number} size of a read, in bytes
 * @returns {Body}
 */
function bodyOf(bytes, size) {
  const reads = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => ({
    at,
    bytes: Math.min(size, bytes.length - at * size),
  }));
  return { bytes, reads, end: { kind: 'complete' }, maxDepth: Infinity };
}

/** @param {Body} body */
function* pieces({ bytes, reads }) {
  let start = 0;
  for (const read of reads) yield bytes.subarray(start, (start += read.bytes));
}

/** @param {Body} body */
function parse(body) {
  /** @type {EventSourceMessage[]} */
  const events = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  for (const piece of pieces(body)) parser.feed(decoder.decode(piece, { stream: true }));
  return events.length;
}

/** @param {Body} body */
function watch(body) {
  const live = new LiveStream(NO_LIMITS);
  for (const piece of pieces(body)) live.look(piece);
  return live.lines;
}

/**
 * Megabytes a second.
 * @param {() => number} read Returns the number of events.
 */
function speed(read) {
  const began = performance.now();
  if (read() < MEGABYTES * 1_000) throw new Error('Fewer events were read than there are.');
  return (MEGABYTES / (performance.now() - began)) * 1_000;
}
