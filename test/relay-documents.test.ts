/** The library judges a relay as its page shows. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';
import { RELAY_KEYS, startSmallRelay } from '../selftest/relays/small-relay.ts';
import { findFreePort } from './kit/free-port.ts';
import { temporaryFolder } from './kit/recording.ts';

const PAGE = readFileSync(join(packageRoot(), 'docs/programs.md'), 'utf8');

it('The library judges a relay as its page shows', async () => {
  const example = PAGE.split(/^```.*$/m).find((block, index) => index % 2 === 1 && block.includes('runRelay')) ?? '';
  const library = pathToFileURL(join(packageRoot(), 'dist/index.js')).href;
  const port = await findFreePort();
  const relay = await startSmallRelay({ upstreamUrl: `http://127.0.0.1:${port}/v1` });
  const file = join(temporaryFolder(), 'check.mjs');
  writeFileSync(
    file,
    example
      .replace(`'@wirecheck/wirecheck'`, `'${library}'`)
      .replace('5055', String(port))
      .replace('http://127.0.0.1:8080/v1', relay.baseUrl),
  );
  try {
    const env = { ...process.env, WIRECHECK_API_KEY: RELAY_KEYS.full };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
    expect(stdout).toContain(`${relay.baseUrl} in front of http://127.0.0.1:${port}/v1`);
    expect(stdout).toMatch(/CONFORMS IN PART: \d+ of 39 must clauses judged/);
  } finally {
    await relay.close();
  }
});
