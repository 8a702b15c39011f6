/** Passes a stream on, chunk by chunk. */
import type { ServerResponse } from 'node:http';
import { readRelayEvents } from './read-events.ts';
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
  { call, response, modifier }: RelayedCall,
  bytes: AsyncIterable<Uint8Array>,
  callAgain: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<'done' | UpstreamFailure> {
  const out = new StreamWriter(response, modifier, call);
  let end = await copyChunks(bytes, out, call, modifier);
  if (end === 'broken' && !out.hasBegun) return { status: 200, headers: {}, body: '' };
  if (end === 'broken' && modifier.retriesAfterOutput !== undefined) {
    const again = await callAgain();
    if (modifier.retriesAfterOutput === 'passed-on') end = await copyChunks(again, out, call, modifier);
  }
  out.finish(end);
  return 'done';
}

/** The whole stream at once; undefined if it is broken. */
export async function readStream(
  bytes: AsyncIterable<Uint8Array>,
  call: ClientCall,
  modifier: RelayModifier,
): Promise<readonly JsonMap[] | undefined> {
  const chunks: JsonMap[] = [];
  const end = await copyChunks(bytes, { add: (some) => chunks.push(...some) }, call, modifier);
  return end === 'whole' ? chunks : undefined;
}

/** Sends a reply that is already whole as a stream. */
export function sendStream({ call, response, modifier }: RelayedCall, chunks: readonly JsonMap[]): void {
  const out = new StreamWriter(response, modifier, call);
  out.add(chunks);
  out.finish('whole');
}

async function copyChunks(
  bytes: AsyncIterable<Uint8Array>,
  out: { add(chunks: readonly JsonMap[]): void },
  call: ClientCall,
  modifier: RelayModifier,
): Promise<StreamEnd> {
  let hasFinish = false;
  try {
    for await (const event of (modifier.readEvents ?? readRelayEvents)(bytes)) {
      if (event.data.trim() === '[DONE]') return hasFinish || modifier.trustsDone ? 'whole' : 'broken';
      const chunk = readChunk(event, modifier);
      if (chunk === 'broken') return 'broken';
      if (chunk === 'passed-over') continue;
      hasFinish ||= chunk.choices.some((choice) => typeof choice['finish_reason'] === 'string');
      out.add(modifier.chunk?.(chunk, call) ?? [chunk]);
    }
  } catch {
    return 'broken';
  }
  return hasFinish || modifier.trustsClose ? 'whole' : 'broken';
}

function readChunk({ name, data }: RelayEvent, modifier: RelayModifier): ChoiceChunk | 'passed-over' | 'broken' {
  if (name === 'error' && !modifier.ignoresErrorEvents) return 'broken';
  const chunk = JSON.parse(data) as JsonMap;
  if (chunk['error'] !== undefined && chunk['error'] !== null) {
    return modifier.ignoresErrorEvents ? 'passed-over' : 'broken';
  }
  return Array.isArray(chunk['choices']) ? (chunk as ChoiceChunk) : 'passed-over';
}

class StreamWriter {
  readonly #response: ServerResponse;
  readonly #modifier: RelayModifier;
  readonly #call: ClientCall;
  #held: JsonMap[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, modifier: RelayModifier, call: ClientCall) {
    this.#response = response;
    this.#modifier = modifier;
    this.#call = call;
  }

  /** Whether the client has got anything. */
  get hasBegun(): boolean {
    return this.#response.headersSent;
  }

  add(chunks: readonly JsonMap[]): void {
    this.#held.push(...chunks);
    const { holdBack = 0 } = this.#modifier;
    if (holdBack === 0) return this.#flush();
    if (Number.isFinite(holdBack)) this.#timer ??= setTimeout(() => this.#flush(), holdBack);
  }

  finish(end: StreamEnd): void {
    this.#flush();
    const { midStream = 'error-event', endMarker = 'data: [DONE]\n\n' } = this.#modifier;
    const response = this.#response;
    const endProperly = (): void => void response.end(endMarker);
    if (end === 'whole') return endProperly();
    const finish = (reason: string, content = ''): void => {
      this.#write([{ choices: [{ index: 0, delta: content === '' ? {} : { content }, finish_reason: reason }] }]);
      endProperly();
    };
    const ways: Record<typeof midStream, () => void> = {
      'error-event': () => response.end(`data: ${JSON.stringify(ERROR)}\n\n`),
      cut: () => response.destroy(),
      close: () => response.end(),
      hang: () => undefined,
      'proper-end': () => finish('stop'),
      'error-text': () => finish('stop', ' [The upstream broke off.]'),
      'error-finish': () => finish('error'),
    };
    ways[midStream]();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const chunks = this.#held;
    this.#held = [];
    if (chunks.length > 0) this.#write(chunks);
  }

  #write(chunks: readonly JsonMap[]): void {
    const response = this.#response;
    if (response.destroyed) return;
    if (!response.headersSent) {
      const usual = { 'Content-Type': 'text/event-stream' };
      response.writeHead(200, this.#modifier.answerHeaders?.(usual, this.#call) ?? usual);
    }
    const write = this.#modifier.write ?? writeChunks;
    response.write(write(chunks));
  }
}

function writeChunks(chunks: readonly JsonMap[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
}
