/** Gathers from a reference gateway: over a socket, or in memory as far as its answers allow that. */
import { type Gateway, type GatewayOptions, startGateway } from '../src/gateway/index.ts';
import type { Recorder } from '../src/recording/write-recording.ts';
import { gather, type Gathered, type RunHooks } from '../src/run/run.ts';
import type { Keys, Settings } from '../src/settings.ts';
import { openInMemory } from './in-memory.ts';

export interface GatherOptions {
  readonly gateway: GatewayOptions;
  readonly inMemory: boolean;
  readonly settingsFor: (baseUrl: string, forbiddenModel: string) => Settings;
  /** Default: all keys of the gateway. */
  readonly keysOf?: (keys: Gateway['keys']) => Keys;
  /** Called for each try: one in memory may have to be made again over a socket. */
  readonly record?: (() => Recorder) | undefined;
}

export interface GatheredFrom {
  readonly settings: Settings;
  readonly gathered: Gathered;
}

export async function gatherFrom(options: GatherOptions): Promise<GatheredFrom> {
  return (options.inMemory && (await gatherInMemory(options))) || gatherOverSocket(options);
}

/** Undefined if an answer needs a socket. */
async function gatherInMemory(options: GatherOptions): Promise<GatheredFrom | undefined> {
  const needsSocket = new AbortController();
  const { baseUrl, facts, connect } = openInMemory(options.gateway, () => needsSocket.abort());
  const settings = options.settingsFor(baseUrl, facts.forbiddenModel);
  const hooks = { ...recorderFor(options), connect, signal: needsSocket.signal };
  const gathered = await gather(settings, keysFor(options, facts.keys), hooks);
  return needsSocket.signal.aborted ? undefined : { settings, gathered };
}

async function gatherOverSocket(options: GatherOptions): Promise<GatheredFrom> {
  const gateway = await startGateway(options.gateway);
  try {
    const settings = options.settingsFor(gateway.baseUrl, gateway.forbiddenModel);
    return { settings, gathered: await gather(settings, keysFor(options, gateway.keys), recorderFor(options)) };
  } finally {
    await gateway.close();
  }
}

function recorderFor({ record }: GatherOptions): Pick<RunHooks, 'recorder'> {
  return record ? { recorder: record() } : {};
}

function keysFor({ keysOf }: GatherOptions, keys: Gateway['keys']): Keys {
  return keysOf ? keysOf(keys) : keys;
}
