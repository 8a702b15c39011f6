/** `--detect`: valid requests that are combined, and what the refusal of a combination says. */
import { expect, it } from 'vitest';
import type { Report } from '../src/report/report.ts';
import { runInMemory } from './kit/in-memory-run.ts';

const SLOW = 120_000;

const brokenMusts = ({ clauses }: Report) => clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
const expectationOf = ({ cases }: Report, id: string, clause: string) =>
  cases.find((testCase) => testCase.id === id)?.expectations.find((expectation) => expectation.clause === clause);

it(
  'Valid requests are combined until that is refused, and then sent one by one until the refused one is found',
  async () => {
    const settings = {
      detect: 3,
      only: ['parameters/temperature-*', 'parameters/max-tokens-minimum'],
      skip: ['parameters/temperature-with-top-p'],
    };
    const together = 'parameters/temperature-maximum';
    const asked = ({ exchanges }: Report) => exchanges.filter(({ id }) => id.replace(/~.*/, '') === together).length;
    const conforming = await runInMemory({}, settings);
    expect(conforming.outcome).toMatchObject({ exit: 0, detect: { oneIn: 3, short: [] } });
    // A request with more in it shows the same.
    expect(asked(conforming)).toBe(0);
    const fault = 'param-temperature-two-refused';
    const report = await runInMemory({ fault, seed: 2, oneIn: { replicas: 3, per: 'request' } }, settings);
    expect(brokenMusts(report)).toEqual(['limits.temperature-in-range']);
    expect(asked(report)).toBeGreaterThan(1);
    expect(expectationOf(report, together, 'limits.temperature-in-range')).toMatchObject({ intermittent: true });
    expect(report.clauses.find(({ id }) => id === 'limits.max-tokens-in-range')?.verdict).toBe('pass');
  },
  SLOW,
);

it(
  'If a value is refused intermittently, requests that contain it beside something else are not blamed for that',
  async () => {
    const fault = 'param-max-tokens-one-refused';
    const only = ['streaming/*', 'parameters/spelling*', 'parameters/max-tokens-minimum'];
    const settings = { detect: 3, seed: 2, concurrency: 1, only };
    const report = await runInMemory({ fault, seed: 2, oneIn: { replicas: 3, per: 'request' } }, settings);
    expect(brokenMusts(report)).toEqual(['limits.max-tokens-in-range']);
    // It was refused, so that this is no matter of luck.
    const refused = report.exchanges.filter(
      ({ id, attempts }) => id.startsWith('streaming/unknown-fields') && attempts.at(-1)?.answer?.status === 400,
    );
    expect(refused.length).toBeGreaterThan(0);
  },
  SLOW,
);

it(
  'A combined request that one of its values explains is not called intermittent',
  async () => {
    const fault = 'param-temperature-zero-refused';
    const only = ['parameters/temperature-minimum', 'parameters/in-range-together'];
    const settings = { detect: 3, seed: 1, concurrency: 1, only };
    const report = await runInMemory({ fault, seed: 1, oneIn: { replicas: 3, per: 'request' } }, settings);
    expect(brokenMusts(report)).toEqual(['limits.temperature-in-range']);
    const combined = expectationOf(report, 'parameters/in-range-together', 'endpoint.chat-answers');
    expect(combined?.verdict).toBe('skipped');
    expect(combined).not.toHaveProperty('intermittent');
    const refused = report.exchanges.filter(
      ({ id, attempts }) => id.startsWith('parameters/in-range-together') && attempts.at(-1)?.answer?.status === 400,
    );
    expect(refused.length).toBeGreaterThan(0);
  },
  SLOW,
);
