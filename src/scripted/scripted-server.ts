/**
 * The one server of ours that plays the other side, for a client or for a gateway: the reference gateway, told by a route
 * what to do with each call. Calls that belong to the run are watched, and become exchanges.
 */
import type { IncomingMessage } from 'node:http';
import type { Identity } from '../exchange/identity.ts';
import type { OtherRequests } from '../exchange/traffic.ts';
import type { Vault } from '../exchange/secrets/vault.ts';
import type { BodyRoom, Call } from '../gateway/call.ts';
import { type GatewayOptions, startGateway } from '../gateway/index.ts';
import { inert } from '../text/layout.ts';
import { type UsageError, usageError } from '../usage-error.ts';
import { rawHeaders, ReceivedCall, type ReceivedRequest } from './received-call.ts';

export interface ScriptedServerOptions extends Omit<GatewayOptions, 'watch'> {
  /** Which call of the run it is; undefined for one that is answered and not kept. */
  readonly identify: (call: Call, request: IncomingMessage) => Identity | undefined;
  /** The request as evidence. */
  readonly receive: (call: Call, request: IncomingMessage) => ReceivedRequest;
  /** Blanks secrets in what was sent, in place. */
  readonly redact?: (bytes: Uint8Array) => void;
  /** Called when everything was sent and the answer is held open. */
  readonly onHeld?: (call: ReceivedCall) => void;
}

export interface ScriptedServer {
  readonly url: string;
  /** The calls that are kept, in the order of arrival. */
  readonly calls: readonly ReceivedCall[];
  /** Closes the port, so that connections are refused, and every connection. */
  close(): Promise<void>;
}

export async function startScriptedServer(given: ScriptedServerOptions): Promise<ScriptedServer> {
  const { identify, receive, redact, onHeld, ...options } = given;
  const calls: ReceivedCall[] = [];
  const gateway = await startGateway({
    ...options,
    watch: (call, request) => {
      const identity = identify(call, request);
      if (!identity) return undefined;
      const { socket, httpVersion } = request;
      const facts = { ...receive(call, request), ...identity, socket, httpVersion, redact, onHeld };
      const received = new ReceivedCall(facts);
      calls.push(received);
      return received;
    },
  });
  return { url: gateway.baseUrl, calls, close: () => gateway.close() };
}

/** The model that an upstream of ours lists. It answers any. */
export const UPSTREAM_MODEL = 'wirecheck-upstream';

/** Limits that no honest gateway reaches: bytes of all bodies that are being read or kept, of headers, and connections. */
const MAX_BODIES = 32 * 1024 * 1024;
const MAX_HEADERS = 64 * 1024;
const MAX_CONNECTIONS = 512;

/** Other requests that are listed, and chat requests whose time is kept. All are counted. */
const MAX_LISTED = 10;
const MAX_TIMES = 500;

export interface UpstreamServerOptions extends Omit<ScriptedServerOptions, 'receive' | 'redact' | 'room'> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The flag of the port. Default: that of the only upstream. */
  readonly portFlag?: '--upstream-port' | '--fallback-port';
  /** The model that it lists. */
  readonly model?: string;
  /** Learns the credentials that arrive. */
  readonly vault: Vault;
}

export interface UpstreamServer extends ScriptedServer {
  /** Counts a call that belongs to nothing that the run asked. */
  countOther(call: Call): void;
  /** `began`: start of the run, by `performance.now()`. */
  otherRequests(began: number): OtherRequests;
}

/** The upstream of a gateway under test: one model, at any path, within limits. */
export async function startUpstreamServer(given: UpstreamServerOptions): Promise<UpstreamServer> {
  const { vault, identify, model = UPSTREAM_MODEL, ...options } = given;
  const room = bodyRoom();
  const models = () => [{ id: model, object: 'model', owned_by: 'wirecheck' }];
  const server = await startScriptedServer({
    ...options,
    modifiers: [...(options.modifiers ?? []), { models }],
    anyBasePath: true,
    eventGapMs: 0,
    maxHeaders: MAX_HEADERS,
    maxConnections: MAX_CONNECTIONS,
    room,
    identify: (call, request) => {
      const identity = identify(call, request);
      if (!identity) room.free(Buffer.byteLength(call.text ?? ''));
      // A gateway that asks for models does so with its own key.
      if (call.endpoint === 'models') {
        vault.receive({ path: call.path, headers: rawHeaders(request), body: Buffer.alloc(0) });
      }
      return identity;
    },
    receive: (call, request) => receiveFromGateway(call, request, vault),
    redact: (bytes) => void vault.redactor.body(bytes),
  }).catch((error: unknown) => {
    throw cannotListen(error, options);
  });
  return { ...server, ...countOthers(vault) };
}

export function cannotListen(
  error: unknown,
  { host, port, portFlag = '--upstream-port' }: Pick<UpstreamServerOptions, 'host' | 'port' | 'portFlag'>,
): UsageError {
  const { code, message } = error as NodeJS.ErrnoException;
  return usageError.CANNOT_LISTEN(
    `Cannot listen on ${inert(host, 100)}:${port} (${code ?? message}): choose another ${portFlag} or --upstream-host.`,
  );
}

/** Counts the bytes of bodies in memory, so that a flood of large requests is refused. */
function bodyRoom(): BodyRoom {
  let left = MAX_BODIES;
  return {
    take(bytes) {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    free(bytes) {
      left += bytes;
    },
  };
}

/** The request of a gateway to its upstream as evidence, without its credential. */
function receiveFromGateway(call: Call, request: IncomingMessage, vault: Vault): ReceivedRequest {
  const { endpoint, streamed, method, text } = call;
  const { path, headers, body, secretsSeen, hasCredential } = vault.receive({
    path: request.url ?? '',
    headers: rawHeaders(request),
    body: Buffer.from(text ?? ''),
  });
  const mode = streamed ? 'stream' : 'plain';
  return {
    request: { endpoint, mode, method, path, headers, body, key: hasCredential ? 'full' : 'none' },
    secretsSeen,
  };
}

function countOthers(vault: Vault): Pick<UpstreamServer, 'countOther' | 'otherRequests'> {
  const listed = new Map<string, { method: string; path: string; count: number }>();
  /** When chat requests arrived, by `performance.now()`. */
  const chats: number[] = [];
  let count = 0;
  return {
    countOther({ method, path, endpoint }) {
      count += 1;
      if (endpoint === 'chat' && chats.length < MAX_TIMES) chats.push(performance.now());
      const shown = vault.receive({ path, headers: [], body: Buffer.alloc(0) });
      const other = { method: inert(method, 20), path: inert(shown.path, 120), count: 1 };
      const name = `${other.method} ${other.path}`;
      const known = listed.get(name);
      if (known) known.count += 1;
      else if (listed.size < MAX_LISTED) listed.set(name, other);
    },
    otherRequests(began) {
      const chatsAt = chats.flatMap((at) => (at < began ? [] : [at - began]));
      return { count, first: [...listed.values()], chatsAt };
    },
  };
}
