/** The scripted upstream: the reference gateway, called by the gateway under test. The word of a question chooses what it does. */
import type { Exchange } from '../../exchange/exchange.ts';
import type { OtherRequests } from '../../exchange/relay-traffic.ts';
import type { Vault } from '../../exchange/secrets/vault.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../gateway/index.ts';
import type { ReceivedCall } from '../../scripted/received-call.ts';
import { ACCEPT_ALL } from '../../scripted/reply-script.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';
import { type ScriptedQuestion, UpstreamCalls } from './upstream-calls.ts';

export const UPSTREAM_MODEL = 'wirecheck-upstream';
const MODEL = { id: UPSTREAM_MODEL, object: 'model', owned_by: 'wirecheck' };

/** Limits that no honest gateway reaches. */
const MAX_HEADERS = 64 * 1024;
const MAX_CONNECTIONS = 512;

export interface Upstream {
  readonly url: string;
  /** From now on, calls with its word belong to this question. */
  expect(question: ScriptedQuestion): void;
  /** The calls of a question so far, in the order of arrival. */
  callsOf(question: string): readonly Pick<ReceivedCall, 'written' | 'isOver'>[];
  /** All calls so far as plain data, or those of a question, in the order of arrival. `began`: start of the run. */
  exchanges(began: number, question?: string): readonly Exchange[];
  /** Those that belong to no question. `began`: start of the run. */
  otherRequests(began: number): OtherRequests;
  /** Number of chat requests that were too large or too many to be answered. */
  readonly overflow: number;
  /** Ends stalled answers of a question. */
  release(question: string): void;
  /** Closes the port, so that connections are refused. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

export interface UpstreamOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly vault: Vault;
  /** Milliseconds after which idle connections are closed. Default: they stay open. */
  readonly idleMs?: number;
}

export async function startUpstream({ host, port, vault, idleMs }: UpstreamOptions): Promise<Upstream> {
  const calls = new UpstreamCalls(vault);
  const gateway = await listenAsUpstream({
    host,
    port,
    modifiers: [ACCEPT_ALL],
    route: (call) => calls.route(call),
    watch: (call, request) => calls.watch(call, request),
    hold: (call) => calls.hold(call),
    room: calls.room,
    ...(idleMs !== undefined && { idleMs }),
  });
  return {
    url: gateway.baseUrl,
    expect: (question) => calls.expect(question),
    callsOf: (question) => calls.of(question),
    exchanges: (began, question) =>
      (question === undefined ? calls.all : calls.of(question)).map((call) => call.toExchange(began)),
    otherRequests: (began) => calls.otherRequests(began),
    get overflow() {
      return calls.overflow;
    },
    release: (question) => calls.release(question),
    stopListening: () => gateway.close(),
    close: () => gateway.close(),
  };
}

/** The reference gateway with one model, at any path, within limits. */
export async function listenAsUpstream(
  options: GatewayOptions & Pick<UpstreamOptions, 'host' | 'port'>,
): Promise<Gateway> {
  const oneModel = { title: 'There is one model', models: () => [MODEL] };
  try {
    return await startGateway({
      ...options,
      modifiers: [...(options.modifiers ?? []), oneModel],
      anyBasePath: true,
      eventGapMs: 0,
      maxHeaders: MAX_HEADERS,
      maxConnections: MAX_CONNECTIONS,
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `Cannot listen on ${inert(options.host, 100)}:${options.port} (${code ?? message}): choose another --upstream-port or --upstream-host.`,
      { code: 'CANNOT_LISTEN' },
    );
  }
}
