/** Opens connections to the target: one pool for the run, or a single fresh connection. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type * as Undici from 'undici';
import { withoutUndefined } from '../../json.ts';
import type { Settings, TlsSettings } from '../../settings.ts';
import { inert } from '../../text/layout.ts';
import { UsageError, usageError } from '../../usage-error.ts';
import { buildConnector, Client, loadProxyAgent, Pool } from './undici-parts.ts';
import type { WireTap } from './wire-tap.ts';

/** Takes requests as undici's dispatchers do. */
export type Wire = Pick<Undici.Dispatcher, 'dispatch' | 'destroy'>;
export type WireRequest = Undici.Dispatcher.DispatchOptions;
export type WireHandler = Undici.Dispatcher.DispatchHandler;
export type WireController = Undici.Dispatcher.DispatchController;

export interface Connections {
  readonly pool: Wire;
  fresh(): Wire;
  /** A single connection that is kept while it idles, even if the target announces to close it. */
  held(): Wire;
}

/** Milliseconds. Longer than any pause. */
const HOLD = 300_000;
/** A negative threshold outweighs a `Keep-Alive` header of the target, after which undici would close the connection itself. */
const HELD = { keepAliveTimeout: HOLD, keepAliveMaxTimeout: HOLD, keepAliveTimeoutThreshold: -HOLD };

export type Connect = (settings: Settings, tap: WireTap) => Connections;

/** No redirects, no HTTP/2, and no proxy but the one in the settings. */
export function openConnections(settings: Settings, tap: WireTap): Connections {
  const { origin } = new URL(settings.baseUrl);
  const tls = tlsOptions(settings.tls);
  const options = {
    maxHeaderSize: settings.limits.headers,
    // Off: undici's timers tick about twice a second, and ours are exact.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
  };
  const { proxy } = settings;
  if (proxy !== undefined) {
    const ProxyAgent = loadProxyAgent();
    const through = (connections: number, more = {}) =>
      new ProxyAgent({
        ...options,
        ...more,
        uri: proxy,
        connections,
        requestTls: tls,
        proxyTls: tls,
        factory: (target, { connect, ...others }: Undici.Pool.Options) =>
          new Pool(target, { ...others, connect: tap.wrap(connect as Undici.buildConnector.connector) }),
      });
    return { pool: through(mostAtOnce(settings)), fresh: () => through(1), held: () => through(1, HELD) };
  }
  // This timeout only frees the socket; the attempt has ended by then.
  const connect = tap.wrap(buildConnector({ ...tls, timeout: settings.timeouts.connect }));
  return {
    pool: new Pool(origin, { ...options, connect, connections: mostAtOnce(settings) }),
    fresh: () => new Client(origin, { ...options, connect }),
    held: () => new Client(origin, { ...options, ...HELD, connect }),
  };
}

function mostAtOnce({ concurrency, parallel }: Settings): number {
  return Math.max(concurrency, parallel);
}

/** Certificates are read when connections are opened: one that cannot be used is found before anything is sent. */
function tlsOptions({ ca: authority, clientCert, clientKey, insecure }: TlsSettings) {
  const ca = pem(authority, 'CA certificate');
  // OpenSSL passes over a file without a certificate in silence, and then trusts nobody.
  if (ca !== undefined && problemOf(() => new X509Certificate(ca)) !== undefined)
    throw wrong(authority, 'CA certificate', 'holds no certificate (PEM): give that of the authority, such as ca.pem.');
  const pair = withoutUndefined({ cert: pem(clientCert, 'client certificate'), key: pem(clientKey, 'client key') });
  const problem = pair.cert === undefined ? undefined : problemOf(() => createSecureContext(pair));
  if (problem !== undefined) {
    const what = `cannot be used with its key (${inert(problem)}): give a certificate and the key that belongs to it (PEM).`;
    throw wrong(clientCert, 'client certificate', what);
  }
  return { rejectUnauthorized: !insecure, ...withoutUndefined({ ca }), ...pair };
}

/** The code of the error that it throws. */
function problemOf(use: () => unknown): string | undefined {
  try {
    use();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/** A path, or the PEM text itself. */
function pem(given: string | undefined, what: string): string | undefined {
  if (given === undefined || isText(given)) return given;
  try {
    return readFileSync(given, 'utf8');
  } catch (error) {
    throw usageError.FILE_UNREADABLE(`Cannot read the ${what} ${given}: ${(error as Error).message}`);
  }
}

/** Text is not repeated: it may be a key. */
function wrong(given = '', name: string, what: string): UsageError {
  return isText(given)
    ? new UsageError(`The text of the ${name} ${what}`)
    : usageError.FILE_INVALID(`${inert(given, 300)} ${what}`);
}

function isText(given: string): boolean {
  return given.includes('-----BEGIN');
}
