/** The reference gateway: conforms to the contract except for what its modifiers change. A process can run any number of them. */
import type { IncomingMessage } from 'node:http';
import { type BodyRoom, type Call, readRequest } from './call.ts';
import { listen, type ListenOptions } from './listen.ts';
import { type DeploymentFacts, type DeploymentOptions, openDeployment } from './open-deployment.ts';
import { send, type Watcher } from './send.ts';

export interface GatewayOptions extends DeploymentOptions, ListenOptions {
  /** Pause before every answer. */
  readonly latencyMs?: number;
  /** Called with every call when it has arrived; what it returns is told what becomes of the answer. */
  readonly watch?: (call: Call, request: IncomingMessage) => Watcher | undefined;
  /** Holds an answer back until it resolves. */
  readonly hold?: (call: Call) => Promise<void> | undefined;
  /** Default: each body has a limit, all of them together have none. */
  readonly room?: BodyRoom;
}

export interface Gateway extends DeploymentFacts {
  readonly baseUrl: string;
  /** Closes at once, including open connections. */
  close(): Promise<void>;
}

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { basePath, facts, begin } = openDeployment(options);
  const server = await listen(async (request, response) => {
    const respondTo = begin(request.socket);
    const { call, answer, ended } = respondTo(await readRequest(request, options.room));
    const watcher = options.watch?.(call, request);
    await options.hold?.(call);
    await send(answer, response, options.latencyMs ?? 0, watcher).finally(ended);
  }, options);
  return { baseUrl: `${server.origin}${basePath}`, ...facts, close: () => server.close() };
}
