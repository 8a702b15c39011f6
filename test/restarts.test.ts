/** Requests that end the gateway's process, which a supervisor starts again. */
import { expect, it } from 'vitest';
import { exploreSettings } from '../selftest/explore/try-explore.ts';
import { runExplore } from '../src/gather/explore/run-explore.ts';
import { SEED } from './kit/explored.ts';
import { quickRun, withVerdict } from './kit/real-run.ts';
import { restartedGateway } from './kit/restarted-gateway.ts';

const downFor = 100;
/** A machine that is busy may take seconds to start a process. */
const retryPauses = Array.from({ length: 40 }, () => 250);

const LETHAL = 'parameters/temperature-out-of-range[just-above]';
const ONLY = [
  'chat/reply',
  'streaming/reply',
  'parameters/*-out-of-range*',
  'parameters/*-type*',
  'errors/every-error-body[json]',
];

it('One that ends the process is the only finding: what was cut off with it is judged by answers of its own', async () => {
  const gateway = await restartedGateway({ body: /"temperature":2\.0000001/, others: 2, downFor });
  const { full } = gateway.keys;
  const report = await quickRun(gateway.baseUrl, { retryPauses, only: ONLY }, { full });
  expect(report.ending.kind).toBe('complete');
  expect(gateway.restarts()).toBeGreaterThanOrEqual(2);
  expect(withVerdict(report, 'fail')).toEqual(['errors/every-error-body[json] errors.json']);
  const findings = report.cases.flatMap(({ expectations }) => expectations.flatMap((each) => each.findings));
  expect(findings).toMatchObject([{ exchange: LETHAL, actual: { kind: 'hang-up' } }]);
  const open = report.cases.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);
  expect(open).toEqual([LETHAL]);
  const isOther = ({ id, occasion }: { readonly id: string; readonly occasion?: string }): boolean =>
    id !== LETHAL && occasion === undefined;
  const others = report.exchanges.filter(isOther).flatMap(({ attempts }) => (attempts.length > 1 ? [attempts] : []));
  expect(others.length).toBeGreaterThanOrEqual(2);
  expect(others.map((attempts) => attempts.at(-1)?.answer?.status)).toEqual(others.map(() => 400));
}, 60_000);

it('An exploration waits for the process as well, and finds the smallest request that ends it', async () => {
  const gateway = await restartedGateway({ body: /\\ud800/, others: 0, downFor });
  const usual = exploreSettings(gateway.baseUrl, SEED, 1);
  const explore = { requests: 1, completions: 1, shrinkCompletions: 0, ...usual.explore, path: '4' };
  const { report } = await runExplore({ ...usual, explore, retryPauses }, { full: gateway.keys.full });
  expect(report.ending.kind).toBe('complete');
  expect(withVerdict(report, 'fail')).toEqual(['errors/every-error-body[json] errors.json']);
  expect(report.explore?.findings).toMatchObject([
    { isShrunk: true, difference: [{ pointer: '/messages/0/content' }] },
  ]);
}, 60_000);
