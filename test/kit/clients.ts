/** Clients for tests: the careful one, and small scripts that do something else. */
import { fileURLToPath } from 'node:url';
import { checkClient, type ClientHooks } from '../../src/gather/client/check-client.ts';
import type { Client, ClientSettings } from '../../src/exchange/traffic.ts';
import { createClientSetup, DEFAULT_CLIENT_SETTINGS } from '../../src/gather/client/client-setup.ts';
import { startChild } from '../../src/gather/client/drive/child.ts';
import type { Report } from '../../src/report/report.ts';
import { type ClientBody, startBody } from './in-process-client.ts';

const path = (name: string) => fileURLToPath(new URL(`clients/${name}`, import.meta.url));

export const CAREFUL_DRIVER = [process.execPath, path('careful-driver.mjs')];
export const CAREFUL_PROCESS = [process.execPath, path('careful-process.mjs')];

/** A script that has the careful `call`, the `task`, and `answer(line)` for a driver. */
export function script(body: string): readonly string[] {
  const careful = JSON.stringify(new URL('clients/careful-client.mjs', import.meta.url));
  const { env } = { env: 'process.env' };
  const task = `{ baseUrl: ${env}.OPENAI_BASE_URL, apiKey: ${env}.OPENAI_API_KEY, model: ${env}.WIRECHECK_MODEL,
    mode: ${env}.WIRECHECK_MODE, prompt: ${env}.WIRECHECK_PROMPT, timeoutMs: Number(${env}.WIRECHECK_TIMEOUT_MS) }`;
  const text = `const { call } = await import(${careful}); const task = ${task};
    const answer = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
    const lines = async (take) => { for await (const line of (await import('node:readline')).createInterface({ input: process.stdin })) take(JSON.parse(line)); };
    const reply = (one) => call(one).then((text) => answer({ scenario: one.scenario, ok: true, text }), (error) => answer({ scenario: one.scenario, ok: false, error: String(error) }));
    ${body}`;
  return [process.execPath, '--input-type=module', '-e', text];
}

/** A driver that shows a failure as success. */
export const SILENT_DRIVER = script(`await lines((task) => call(task).catch(() => 'Sorry.')
  .then((text) => answer({ scenario: task.scenario, ok: true, text })));`);

/** Enough for any call on a busy machine. A client that hangs needs less. */
const SETTINGS: ClientSettings = { ...DEFAULT_CLIENT_SETTINGS, scenarioTimeout: 20_000 };

/** `client`: the command of a process, or a client in this one. */
export function check(
  client: readonly string[] | ClientBody,
  changes: Partial<ClientSettings> & Partial<Pick<Client, 'isDriver'>> = {},
  hooks: Pick<ClientHooks, 'signal' | 'onProgress'> = {},
): Promise<Report> {
  const { isDriver = false, ...settings } = changes;
  const isBody = typeof client === 'function';
  return checkClient(
    { name: 'test', command: isBody ? ['in-process'] : client, isDriver },
    { ...SETTINGS, ...settings },
    { setup: createClientSetup({}), ...hooks },
    isBody ? startBody(client) : startChild,
  );
}

/** Result and verdict of each scenario, as `result verdict`. */
export function resultsOf(report: Report): Readonly<Record<string, string>> {
  return Object.fromEntries(
    report.cases.map(({ id, client, verdict }) => [id.replace('client/', ''), `${client?.result ?? '-'} ${verdict}`]),
  );
}
