/** Opens connections to the target: one pool for the run, or a single fresh connection. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Undici from 'undici';
import type { Settings, TlsSettings } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import type { WireTap } from './wire-tap.ts';

/** Only what is needed: all of undici (fetch, caches, sockets of other kinds) would be half the time to the first request. A proxy needs it all. */
const require = createRequire(import.meta.url);
const buildConnector: typeof Undici.buildConnector = require('undici/lib/core/connect.js');
const Client: typeof Undici.Client = require('undici/lib/dispatcher/client.js');
const Pool: typeof Undici.Pool = require('undici/lib/dispatcher/pool.js');

export interface Connections {
  readonly pool: Undici.Dispatcher;
  fresh(): Undici.Dispatcher;
}

/** Never a redirect, never a proxy that was not asked for, never HTTP/2. */
export function openConnections(settings: Settings, tap: WireTap): Connections {
  const { origin } = new URL(settings.baseUrl);
  const tls = tlsOptions(settings.tls);
  const options = {
    maxHeaderSize: settings.limits.headers,
    // Undici's own timers tick about twice a second; ours are exact, so these are switched off.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
  };
  const { proxy } = settings;
  if (proxy !== undefined) {
    const { ProxyAgent }: typeof Undici = require('undici');
    const through = (connections: number) =>
      new ProxyAgent({
        ...options,
        uri: proxy,
        connections,
        requestTls: tls,
        proxyTls: tls,
        factory: (target, { connect, ...others }: Undici.Pool.Options) =>
          new Pool(target, { ...others, connect: tap.wrap(connect as Undici.buildConnector.connector) }),
      });
    return { pool: through(settings.concurrency), fresh: () => through(1) };
  }
  // Its timer serves only to free the socket: the attempt has ended by then.
  const connect = tap.wrap(buildConnector({ ...tls, timeout: settings.timeouts.connect }));
  return {
    pool: new Pool(origin, { ...options, connect, connections: settings.concurrency }),
    fresh: () => new Client(origin, { ...options, connect }),
  };
}

function tlsOptions(tls: TlsSettings): { ca?: string; cert?: string; key?: string; rejectUnauthorized: boolean } {
  return {
    rejectUnauthorized: !tls.insecure,
    ...(tls.ca !== undefined && { ca: pem(tls.ca, 'CA certificate') }),
    ...(tls.clientCert !== undefined && { cert: pem(tls.clientCert, 'client certificate') }),
    ...(tls.clientKey !== undefined && { key: pem(tls.clientKey, 'client key') }),
  };
}

/** A path, or the PEM text itself. */
function pem(value: string, what: string): string {
  if (value.includes('-----BEGIN')) return value;
  try {
    return readFileSync(value, 'utf8');
  } catch (error) {
    throw new UsageError(`The ${what} file ${value} cannot be read: ${(error as Error).message}`);
  }
}
