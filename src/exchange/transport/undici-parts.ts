/**
 * The parts of undici in use, without the rest: with all of it, the first request leaves a quarter later. They are
 * private files, so the version is pinned, and the test beside says what to check when the pin moves.
 */
import { createRequire } from 'node:module';
import type * as Undici from 'undici';

const require = createRequire(import.meta.url);

export const buildConnector: typeof Undici.buildConnector = require('undici/lib/core/connect.js');
export const Client: typeof Undici.Client = require('undici/lib/dispatcher/client.js');
export const Pool: typeof Undici.Pool = require('undici/lib/dispatcher/pool.js');

/** A proxy needs almost everything, so it loads the public export. */
export function loadProxyAgent(): typeof Undici.ProxyAgent {
  const { ProxyAgent }: typeof Undici = require('undici');
  return ProxyAgent;
}
