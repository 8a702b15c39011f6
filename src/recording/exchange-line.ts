/** Converts an exchange to a line of a recording and back, without losing a byte. */
import { Buffer, isUtf8 } from 'node:buffer';
import { readChunks } from '../exchange/reading/chunks.ts';
import { textEvents } from '../exchange/reading/looks-fake.ts';
import type { Answer, Attempt, Body, Exchange } from '../exchange/exchange.ts';
import { identityOf } from '../exchange/identity.ts';
import type { LoadEvent } from '../exchange/load-traffic.ts';
import type { AttemptLine, BodyLine, EventLine, ExchangeLine } from './recording-line.ts';

/** `again`: the exchange was written before. */
export function toLine(
  exchange: Exchange,
  { control, again = false }: { readonly control?: string | undefined; readonly again?: boolean } = {},
): ExchangeLine {
  const { seeks, request, attempts, controlAfter } = exchange;
  return {
    kind: 'exchange',
    ...identityOf(exchange),
    ...(control !== undefined && { control }),
    ...(again && { again }),
    seeks,
    request,
    attempts: attempts.map((attempt) => attemptLine(attempt, request.mode)),
    ...(controlAfter && { controlAfter }),
  };
}

function attemptLine(attempt: Attempt, mode: Exchange['request']['mode']): AttemptLine {
  const { outcome, ...rest } = attempt;
  if (outcome.kind === 'none') return { ...rest, failure: outcome.failure };
  const { answer } = outcome;
  const isStream = mode === 'stream' && answer.status === 200;
  const lines = { body: bodyLine(answer.body), ...(isStream && { events: eventLines(answer) }) };
  return { ...rest, answer: { ...answer, ...lines } };
}

function bodyLine({ bytes, reads, end }: Body): BodyLine {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    ...(isUtf8(bytes) && !isMostlyControls(bytes)
      ? { text: buffer.toString('utf8') }
      : { base64: buffer.toString('base64') }),
    reads: reads.map((read) => [read.at, read.bytes]),
    end,
  };
}

/** JSON writes a control character as six letters, so such a body would become six times as long. */
function isMostlyControls(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes) if (byte < 0x20) controls += 1;
  return controls > bytes.length / 2;
}

function eventLines(answer: Answer): readonly EventLine[] {
  const chunks = readChunks(answer);
  const texts = textEvents(chunks);
  return chunks.stream.events.map(({ at, event, data }, number) => ({
    at,
    ...(event !== undefined && { event }),
    bytes: Buffer.byteLength(data),
    ...(texts.has(number) && { hasText: true }),
  }));
}

export function fromLine(line: ExchangeLine, maxDepth: number): Exchange {
  const { seeks, request, controlAfter } = line;
  const attempts = line.attempts.map((attempt) => toAttempt(attempt, maxDepth));
  return { ...identityOf(line), seeks, request, attempts, ...(controlAfter && { controlAfter }) };
}

function toAttempt(line: AttemptLine, maxDepth: number): Attempt {
  if ('failure' in line) {
    const { failure, ...attempt } = line;
    return { ...attempt, outcome: { kind: 'none', failure } };
  }
  const { answer, ...attempt } = line;
  const { body, events: _events, ...rest } = answer;
  return { ...attempt, outcome: { kind: 'answer', answer: { ...rest, body: toBody(body, maxDepth) } } };
}

function toBody(line: BodyLine, maxDepth: number): Body {
  return {
    bytes: 'text' in line ? Buffer.from(line.text, 'utf8') : Buffer.from(line.base64, 'base64'),
    reads: line.reads.map(([at, bytes]) => ({ at, bytes })),
    end: line.end,
    maxDepth,
  };
}

/** An event under load, with its exchange as a line. */
export function toEventLine(event: LoadEvent): LoadEvent<ExchangeLine> {
  return 'exchange' in event ? { ...event, exchange: toLine(event.exchange) } : event;
}

export function restoreEvent(event: LoadEvent<ExchangeLine>, maxDepth: number): LoadEvent {
  return 'exchange' in event ? { ...event, exchange: fromLine(event.exchange, maxDepth) } : event;
}
