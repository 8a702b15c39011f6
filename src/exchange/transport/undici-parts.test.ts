import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as undici from 'undici';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../contract/package-root.ts';
import { buildConnector, Client, loadProxyAgent, Pool } from './undici-parts.ts';

/** The version whose private files were checked. */
const CHECKED = '7.30.2';

const WHAT_TO_DO = `undici is not ${CHECKED}, the version whose private files were checked. Do this, then set CHECKED to the new version:
1. See that lib/core/connect.js, lib/dispatcher/client.js and lib/dispatcher/pool.js still export what undici-parts.ts loads.
2. See that lib/dispatcher/client-h1.js reads a socket by read, gives back by unshift and writes by write, as watch-socket.ts needs it.
3. See that client-h1.js still writes the head of a request in the turn of onRequestStart, as wire-tap.ts needs it.
4. Run the tests of src/exchange, and all of test/hostile with WIRECHECK_TESTS=all.`;

describe('the private files of undici', () => {
  const require = createRequire(import.meta.url);
  const manifest = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

  it('are those of the version that was checked, and that version is pinned', () => {
    expect(manifest(require.resolve('undici/package.json')).version, WHAT_TO_DO).toBe(CHECKED);
    expect(manifest(join(packageRoot(), 'package.json')).dependencies.undici, WHAT_TO_DO).toBe(CHECKED);
  });

  it('have what the public export has', () => {
    expect(buildConnector, WHAT_TO_DO).toBe(undici.buildConnector);
    expect(Client, WHAT_TO_DO).toBe(undici.Client);
    expect(Pool, WHAT_TO_DO).toBe(undici.Pool);
    expect(loadProxyAgent()).toBe(undici.ProxyAgent);
  });

  it('are loaded in one place', () => {
    const src = join(packageRoot(), 'src');
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!\.test)\.ts$/.test(file),
    );
    const loading = files.filter((file) => readFileSync(join(src, file), 'utf8').includes("'undici/"));
    expect(loading).toEqual([join('exchange', 'transport', 'undici-parts.ts')]);
  });
});
