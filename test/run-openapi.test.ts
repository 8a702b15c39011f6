import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';
import { loadReferenceDescription } from '../src/contract/published-schemas.ts';
import { type Gateway, startGateway } from '../src/gateway/index.ts';
import type { Report } from '../src/report/report.ts';
import { run } from '../src/run/run.ts';
import { DEFAULT_SETTINGS, type Settings } from '../src/settings.ts';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

async function check(openapi: string | undefined): Promise<Report> {
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    baseUrl: gateway.baseUrl,
    only: ['versioning/openapi-description'],
    ...(openapi !== undefined && { openapi }),
  };
  return run(settings, gateway.keys);
}

function verdictsOf({ cases }: Report): readonly string[] {
  return cases.flatMap(({ expectations }) => expectations.map(({ clause, verdict }) => `${clause} ${verdict}`));
}

it('A run without a description names the setting that enables its checks', async () => {
  const [testCase] = (await check(undefined)).cases;
  expect(testCase?.expectations).toHaveLength(5);
  for (const expectation of testCase?.expectations ?? []) {
    expect(expectation).toMatchObject({ verdict: 'skipped', reason: { kind: 'needs', settings: ['openapi'] } });
  }
});

it('A run judges the description in a file', async () => {
  const report = await check(join(packageRoot(), 'schemas/v1/openapi.yaml'));
  expect(report.outcome.exit).toBe(0);
  expect(verdictsOf(report)).toEqual([
    'openapi.version pass',
    'openapi.interface-version pass',
    'openapi.operations pass',
    'openapi.bearer pass',
    'openapi.agrees pass',
  ]);
});

it('A run judges the description at a URL, and fetching it is not a request to the API', async () => {
  const wrong = { ...(loadReferenceDescription() as object), openapi: '3.1.0' };
  const server = createServer((_, response) => response.end(JSON.stringify(wrong)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const report = await check(`http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`);
    expect(report.outcome.exit).toBe(1);
    expect(verdictsOf(report).filter((verdict) => verdict.endsWith('fail'))).toEqual(['openapi.version fail']);
    const [finding] = report.cases[0]?.expectations[0]?.findings ?? [];
    expect(finding).toMatchObject({
      exchange: 'openapi',
      pointer: '/openapi',
      expected: { kind: 'constant', value: '3.0.3' },
      actual: { kind: 'value', value: { quote: '3.1.0' } },
    });
    expect(report.cost.used.requests).toBe(report.exchanges.length);
  } finally {
    server.close().closeAllConnections();
  }
});

it('A missing description leaves its clauses inconclusive', async () => {
  const report = await check(`${gateway.baseUrl}/openapi.json`);
  expect(report.outcome.exit).toBe(3);
  expect(new Set(verdictsOf(report).map((verdict) => verdict.split(' ')[1]))).toEqual(new Set(['inconclusive']));
});
