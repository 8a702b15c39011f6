/** Whole runs against the reference gateway or against a server that a test makes up, quick enough for a test. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Gateway, type GatewayOptions, startGateway } from '../../src/gateway/index.ts';
import type { Report } from '../../src/report/report.ts';
import { run, type RunHooks } from '../../src/run/run.ts';
import { DEFAULT_SETTINGS, type Keys, type Settings } from '../../src/settings.ts';
import type { Verdict, VerdictName } from '../../src/verdict/verdict.ts';

export const KEY = 'sk-service-Qk7Zr2Xw9Lm4Tn6Bv1Cs8Dp3';

export interface Changes extends Partial<Omit<Settings, 'timeouts'>> {
  readonly timeouts?: Partial<Settings['timeouts']>;
}

/** Real settings, but for pauses and time-outs that a person would want and a test does not. */
export function quickSettings(baseUrl: string, { timeouts, ...changes }: Changes = {}): Settings {
  return {
    ...DEFAULT_SETTINGS,
    baseUrl,
    retryPauses: [1, 2],
    maxRetryWait: 50,
    ...changes,
    timeouts: { attempt: 10_000, edit: 5_000, connect: 2_000, firstByte: 5_000, idle: 1_000, run: 60_000, ...timeouts },
  };
}

export function quickRun(
  baseUrl: string,
  changes: Changes = {},
  keys: Keys = { full: KEY },
  hooks: RunHooks = {},
): Promise<Report> {
  return run(quickSettings(baseUrl, changes), keys, hooks);
}

/** Ends with the test. */
export async function gatewayFor(options: GatewayOptions = {}): Promise<Gateway> {
  const gateway = await startGateway({ eventGapMs: 1, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Checks a gateway with its full key. */
export async function runGateway(
  options: GatewayOptions = {},
  changes: Changes = {},
  hooks: RunHooks = {},
): Promise<Report> {
  const gateway = await gatewayFor(options);
  return quickRun(gateway.baseUrl, changes, { full: gateway.keys.full }, hooks);
}

/** A server of the test's own; the base URL that comes back is its origin. */
export async function serverFor(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function respondJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

export type Expected = Omit<Verdict, 'case'>;

/** Everything that a report says with this verdict, as `case clause`. */
export function withVerdict(report: Report, verdict: VerdictName): readonly string[] {
  return report.cases.flatMap(({ id, expectations }) =>
    expectations.filter((expectation) => expectation.verdict === verdict).map(({ clause }) => `${id} ${clause}`),
  );
}

/** Clauses that are broken, each once. */
export function brokenClauses(report: Report): readonly string[] {
  return report.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);
}

export function expectationOf(report: Report, caseId: string, clause: string): Expected | undefined {
  return report.cases
    .find(({ id }) => id === caseId)
    ?.expectations.find((expectation) => expectation.clause === clause);
}
