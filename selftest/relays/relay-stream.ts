/** Passes a stream on, chunk by chunk. */
import type { ServerResponse } from 'node:http';
import { readRelayEvents } from './read-events.ts';
import { choicesIn, textOf } from './rewrite.ts';
import type { ClientCall, JsonMap, RelayEvent, RelayModifier, UpstreamFailure } from './relay-modifier.ts';

const ERROR = { error: { message: 'The upstream broke off.', type: 'relay_error', code: 'upstream_broke_off' } };

/** A call that is being relayed. */
export interface RelayedCall {
  readonly call: ClientCall;
  readonly response: ServerResponse;
  readonly modifier: RelayModifier;
}

interface ChoiceChunk extends JsonMap {
  readonly choices: readonly JsonMap[];
}

/** How the upstream's stream ended. */
type StreamEnd = 'whole' | 'broken';

/** `done` once anything was sent to the client. `callAgain`: for a relay that retries after output. */
export async function relayStream(
  relayed: RelayedCall,
  bytes: AsyncIterable<Uint8Array>,
  callAgain: (sent: string) => Promise<{ readonly bytes: AsyncIterable<Uint8Array> }>,
): Promise<'done' | UpstreamFailure> {
  const { retriesAfterOutput } = relayed.modifier;
  const out = openWriter(relayed);
  let sent = '';
  const add = (chunks: readonly JsonMap[]): void => {
    sent += chunks.flatMap(choicesIn).map(textOf).join('');
    out.add(chunks);
  };
  let end = await copyChunks(bytes, add, relayed);
  if (end === 'broken' && !relayed.response.headersSent) return { status: 200, headers: {}, body: '' };
  if (end === 'broken' && retriesAfterOutput !== undefined) {
    const again = await callAgain(sent);
    if (retriesAfterOutput === 'passed-on') end = await copyChunks(again.bytes, out.add, relayed);
  }
  out.finish(end);
  return 'done';
}

/** The whole stream at once; undefined if it is broken. */
export async function readStream(relayed: RelayedCall, bytes: AsyncIterable<Uint8Array>) {
  const chunks: JsonMap[] = [];
  const end = await copyChunks(bytes, (some) => chunks.push(...some), relayed);
  return end === 'whole' ? chunks : undefined;
}

/** Sends a reply that is already whole as a stream. */
export function sendStream(relayed: RelayedCall, chunks: readonly JsonMap[]): void {
  const out = openWriter(relayed);
  out.add(chunks);
  out.finish('whole');
}

async function copyChunks(
  bytes: AsyncIterable<Uint8Array>,
  add: (chunks: readonly JsonMap[]) => void,
  { call, modifier }: RelayedCall,
): Promise<StreamEnd> {
  let hasFinish = false;
  try {
    for await (const event of readEvents(bytes, modifier)) {
      if (event.data.trim() === '[DONE]') return hasFinish || modifier.trustsDone ? 'whole' : 'broken';
      const chunk = readChunk(event, modifier);
      if (chunk === 'broken') return 'broken';
      if (chunk === 'passed-over') continue;
      hasFinish ||= chunk.choices.some((choice) => typeof choice['finish_reason'] === 'string');
      add([modifier.chunk?.(chunk, call) ?? chunk].flat());
    }
  } catch {
    return 'broken';
  }
  return hasFinish || modifier.trustsClose ? 'whole' : 'broken';
}

async function* readEvents(bytes: AsyncIterable<Uint8Array>, { readEvents: read, event: change }: RelayModifier) {
  for await (const event of (read ?? readRelayEvents)(bytes)) {
    const changed = change ? change(event) : event;
    if (changed) yield changed;
  }
}

function readChunk({ name, data }: RelayEvent, modifier: RelayModifier): ChoiceChunk | 'passed-over' | 'broken' {
  if (name === 'error' && !modifier.ignoresErrorEvents) return 'broken';
  const chunk = JSON.parse(data) as JsonMap;
  if (chunk['error'] !== undefined && chunk['error'] !== null) {
    return modifier.ignoresErrorEvents ? 'passed-over' : 'broken';
  }
  return Array.isArray(chunk['choices']) ? (chunk as ChoiceChunk) : 'passed-over';
}

/** Writes chunks as the modifier says. */
function openWriter({ call, response, modifier }: RelayedCall) {
  const { holdBack = 0, midStream = 'error-event', endMarker = 'data: [DONE]\n\n', write = writeChunks } = modifier;
  let held: JsonMap[] = [];
  let timer: NodeJS.Timeout | undefined;
  const send = (chunks: readonly JsonMap[]): void => {
    if (response.destroyed) return;
    if (!response.headersSent) {
      const usual = { 'Content-Type': 'text/event-stream' };
      response.writeHead(200, modifier.answerHeaders?.(usual, call) ?? usual);
    }
    response.write(write(chunks));
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const chunks = held;
    held = [];
    if (chunks.length > 0) send(chunks);
  };
  const endWith = (reason: string, content?: string): void => {
    send([{ choices: [{ index: 0, delta: content === undefined ? {} : { content }, finish_reason: reason }] }]);
    response.end(endMarker);
  };
  const breakOff: Record<typeof midStream, () => void> = {
    'error-event': () => response.end(`data: ${JSON.stringify(ERROR)}\n\n`),
    cut: () => response.destroy(),
    close: () => response.end(),
    hang: () => undefined,
    'proper-end': () => endWith('stop'),
    'error-text': () => endWith('stop', ' [The upstream broke off.]'),
    'error-finish': () => endWith('error'),
  };
  return {
    add: (chunks: readonly JsonMap[]): void => {
      held.push(...chunks);
      if (holdBack === 0) flush();
      else if (Number.isFinite(holdBack)) timer ??= setTimeout(flush, holdBack);
    },
    finish: (end: StreamEnd): void => {
      flush();
      if (end === 'whole') response.end(endMarker);
      else breakOff[midStream]();
    },
  };
}

function writeChunks(chunks: readonly JsonMap[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
}
