/** Set-up of the tests of pages: one real browser for all of them. Without one, they are left out with a line that says so. */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { findChromium, HOW_TO_GET_IT } from '../../scripts/chromium/find-chromium.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address at which tests control the browser; empty if there is none. */
    readonly browser: string;
  }
}

/** No sandbox, since tests often run as root; no background services. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    if (process.env['CI'] && process.platform === 'linux') throw new Error(`CI needs a browser. ${HOW_TO_GET_IT}`);
    process.stdout.write(`\nChromium not found: the tests of pages in a browser are left out. ${HOW_TO_GET_IT}\n`);
    project.provide('browser', '');
    return undefined;
  }
  const server = await chromium.launchServer({ executablePath, args: ARGUMENTS });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
