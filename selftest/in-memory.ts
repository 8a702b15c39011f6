/**
 * A reference gateway without sockets: requests reach it through undici's own interface for dispatchers, and its answers
 * go through limits, redaction and stream reading as those of any target. What needs a socket, such as a connection that
 * is cut, is not played: `needsSocket` is called, and the run is made again over a socket.
 */
import type { Connect, Wire, WireController, WireHandler, WireRequest } from '../src/exchange/transport/dispatcher.ts';
import type { WireTap } from '../src/exchange/transport/wire-tap.ts';
import {
  type Answer,
  type Gateway,
  type GatewayOptions,
  headersOf,
  openDeployment,
  type OpenDeployment,
  type Piece,
  piecesOf,
  type Reply,
  startGateway,
} from '../src/gateway/index.ts';
import type { Recorder } from '../src/recording/write-recording.ts';
import { gather, type RunHooks } from '../src/run/run.ts';
import type { Keys, Settings } from '../src/settings.ts';

/** A gateway that runs, and the hooks of a run that reaches it. */
type ReachedGateway = Pick<Gateway, 'baseUrl' | 'keys' | 'forbiddenModel'> & { readonly hooks: RunHooks };

/** The run is in memory if that will do; it is repeated over a socket if an answer needs one. */
export async function withGateway<Result>(
  options: GatewayOptions,
  inMemory: boolean,
  run: (gateway: ReachedGateway) => Promise<Result>,
): Promise<Result> {
  if (inMemory) {
    const needsSocket = new AbortController();
    const { basePath, facts, begin } = openDeployment(options);
    const connect: Connect = (_settings, tap) => {
      const wireFor = (): Wire => openWire(begin, () => needsSocket.abort(), tap);
      return { pool: wireFor(), fresh: wireFor, held: wireFor };
    };
    const hooks = { connect, signal: needsSocket.signal };
    const result = await run({ baseUrl: `http://127.0.0.1${basePath}`, ...facts, hooks });
    if (!needsSocket.signal.aborted) return result;
  }
  const gateway = await startGateway(options);
  try {
    return await run({ ...gateway, hooks: {} });
  } finally {
    await gateway.close();
  }
}

/** A pool of connections, as far as a balancer in front of several replicas can tell them apart. */
function openWire(begin: OpenDeployment['begin'], needsSocket: () => void, tap: WireTap): Wire {
  const idle: ReturnType<WireTap['watch']>[] = [];
  const answerTo = (request: WireRequest, handler: WireHandler): void => {
    const call = new CallController(handler);
    handler.onRequestStart?.(call, {});
    if (call.aborted) return;
    const connection = idle.pop() ?? tap.watch();
    connection.writing();
    const { answer, ended } = begin(connection)(wholeRequest(request));
    const leave = (): void => {
      ended();
      idle.push(connection);
    };
    if (isPlayable(answer)) setImmediate(() => void call.play(answer).finally(leave));
    else needsSocket();
  };
  return {
    dispatch(request, handler) {
      setImmediate(answerTo, request, handler);
      return true;
    },
    destroy: () => Promise.resolve(),
  };
}

function wholeRequest({ method, path, headers, body }: WireRequest) {
  const raw = headers as readonly string[];
  const named = raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] ?? '']] : []));
  return {
    method,
    target: path,
    headers: Object.fromEntries(named) as Record<string, string>,
    rawHeaders: raw,
    body: Buffer.from((body ?? '') as string | Uint8Array),
  };
}

/** Whether the answer looks the same without a socket: nothing about framing, compression, timing or the end is unusual. */
function isPlayable(answer: Answer): answer is Reply {
  if (answer.kind !== 'reply') return false;
  const { framing, ending, coding, delayMs, headers, status } = answer;
  const isOrdinary = framing !== 'close' && ending === 'proper' && coding === undefined && delayMs === 0;
  const isFramed = Object.keys(headers).some((name) => /^(content-length|transfer-encoding|connection)$/i.test(name));
  return isOrdinary && !isFramed && status >= 200 && status !== 204 && status !== 304;
}

class CallController implements WireController {
  readonly #handler: WireHandler;
  rawHeaders: Buffer[] = [];
  reason: Error | null = null;
  readonly paused = false;
  #wake = (): void => undefined;

  constructor(handler: WireHandler) {
    this.#handler = handler;
  }

  get aborted(): boolean {
    return this.reason !== null;
  }

  abort(reason: Error): void {
    if (this.aborted) return;
    this.reason = reason;
    this.#wake();
    this.#handler.onResponseError?.(this, reason);
  }

  /** Nothing that is received is ever paused. */
  pause(): void {}
  resume(): void {}

  async play(reply: Reply): Promise<void> {
    if (this.aborted) return;
    const pieces = piecesOf(reply);
    const headers = { ...headersOf(reply, pieces), date: new Date().toUTCString() };
    this.rawHeaders = Object.entries(headers).flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
    this.#handler.onResponseStart?.(this, reply.status, headers, 'OK');
    for (const piece of pieces) {
      await this.#wait(piece);
      if (this.aborted) return;
      this.#handler.onResponseData?.(this, Buffer.from(piece.bytes));
    }
    // The handler may have ended the call with the last piece.
    if (!this.aborted) this.#handler.onResponseEnd?.(this, {});
  }

  #wait({ waitMs }: Piece): Promise<void> | undefined {
    if (waitMs === 0) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

export interface GatherOptions {
  readonly gateway: GatewayOptions;
  readonly inMemory: boolean;
  readonly settingsFor: (baseUrl: string, forbiddenModel: string) => Settings;
  /** Default: all keys of the gateway. */
  readonly keysOf?: (keys: Gateway['keys']) => Keys;
  /** Called for each try: one in memory may have to be made again over a socket. */
  readonly record?: (() => Recorder) | undefined;
}

export type GatheredFrom = Awaited<ReturnType<typeof gatherFrom>>;

export function gatherFrom({ gateway, inMemory, settingsFor, keysOf = (keys) => keys, record }: GatherOptions) {
  return withGateway(gateway, inMemory, async ({ baseUrl, keys, forbiddenModel, hooks }) => {
    const settings = settingsFor(baseUrl, forbiddenModel);
    const recording = record ? { recorder: record() } : {};
    return { settings, gathered: await gather(settings, keysOf(keys), { ...hooks, ...recording }) };
  });
}
