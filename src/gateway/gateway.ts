/** The reference gateway: conforms to the contract except for what its modifiers change. A process can run any number of them. */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import { bytesOf, refusalReply, asRaw } from './answer.ts';
import { type Call, readCall } from './call.ts';
import { type FaultId, FAULTS, type VariantId, VARIANTS } from './catalogue.ts';
import { type Keys, FORBIDDEN_MODEL } from './access.ts';
import type { Modifier } from './modifier.ts';
import { type OneIn, Pool } from './pool.ts';
import { refusal } from './refusals.ts';
import { respond } from './respond.ts';
import { send, type Watcher } from './send.ts';

export interface GatewayOptions {
  readonly fault?: FaultId;
  readonly variant?: VariantId;
  /** More of them, applied after `fault` and `variant`. */
  readonly faults?: readonly FaultId[];
  readonly variants?: readonly VariantId[];
  /** Changes that are not in a registry. */
  readonly modifiers?: readonly Modifier[];
  /** 0, the default, means any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Pause before every answer. */
  readonly latencyMs?: number;
  /** Pause between the events of a stream. */
  readonly eventGapMs?: number;
  /** The modifiers are those of one replica of several, which a balancer chooses at random; of all calls by default. */
  readonly oneIn?: OneIn;
  /** The same seed and request give the same text, and the same seed and order of requests the same replicas. */
  readonly seed?: number;
  /** Called with every call when it has arrived; what it returns is told what becomes of the answer. */
  readonly watch?: (call: Call, request: IncomingMessage) => Watcher | undefined;
}

export interface LoggedRequest {
  readonly method: string;
  /** Without the query, which may contain a key. */
  readonly path: string;
  /** Undefined if the answer was not HTTP. */
  readonly status: number | undefined;
}

export interface Gateway {
  readonly baseUrl: string;
  readonly keys: Keys;
  readonly models: readonly string[];
  /** A model that the restricted key may not call. */
  readonly forbiddenModel: string;
  /** In the order in which they were answered. */
  readonly requests: { readonly count: number; readonly log: readonly LoggedRequest[] };
  /** Closes at once, including open connections. */
  close(): Promise<void>;
}

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const modifiers = modifiersOf(options);
  const host = options.host ?? '127.0.0.1';
  const basePath = modifiers.findLast((modifier) => modifier.basePath !== undefined)?.basePath ?? '/v1';
  const { oneIn, eventGapMs = 3, seed = 1 } = options;
  const pool = new Pool({ modifiers, oneIn, eventGapMs, seed });
  const { keys, models } = pool.replicas[0].deployment;
  const log: LoggedRequest[] = [];
  const sockets = new Set<Socket>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { deployment, memory } = pool.choose(request.socket);
    const call = await readCall(request, basePath, memory);
    const ended = call.endpoint === 'chat' ? memory.prompts.begin(call.body) : undefined;
    const reply = respond(call, deployment);
    const status = reply.kind === 'reply' ? reply.status : undefined;
    log.push({ method: call.method, path: call.path, status });
    await send(reply, response, options.latencyMs ?? 0, options.watch?.(call, request)).finally(ended);
  };

  // A client that disconnects while its request is read is not an error of the gateway.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!request.destroyed || request.complete) server.emit('error', error);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseBrokenRequest(error, socket));

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`,
    keys,
    models: models.map(({ id }) => id),
    forbiddenModel: FORBIDDEN_MODEL,
    requests: {
      get count() {
        return log.length;
      },
      log,
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function modifiersOf(options: GatewayOptions): readonly Modifier[] {
  const faults = [...(options.fault === undefined ? [] : [options.fault]), ...(options.faults ?? [])];
  const variants = [...(options.variant === undefined ? [] : [options.variant]), ...(options.variants ?? [])];
  return [...faults.map((id) => FAULTS[id]), ...variants.map((id) => VARIANTS[id]), ...(options.modifiers ?? [])];
}

/** Answers requests that Node's parser rejects, then closes the connection. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const reply = refusalReply(
    tooLong
      ? refusal('invented', 431, 'headers_too_large', 'The headers of the request are too large.')
      : refusal('invented', 400, 'invalid_http', 'The request is not HTTP.'),
  );
  socket.end(bytesOf(asRaw(reply).pieces));
}
