import { expect, it } from 'vitest';
import { gatewayFor, quickRun } from '../test/kit/real-run.ts';
import { hasPassed, sortPoolSubjects } from './try-pool.ts';

const SLOW = 60_000;

/** A default run on a pool, in which retries replace most of what the fault does. */
async function runPool(fault: Parameters<typeof gatewayFor>[0], only: readonly string[]) {
  const { baseUrl, keys } = await gatewayFor({ ...fault, seed: 1, oneIn: { replicas: 2, per: 'request' } });
  return quickRun(baseUrl, { only, detect: 3, retries: 8, retryPauses: [1] }, { full: keys.full });
}

it(
  'A 5xx that retries replaced excuses a fault that was not found',
  async () => {
    const report = await runPool({ fault: 'models-500' }, ['models/list']);
    expect(report.retries?.causes).toEqual({ 500: expect.any(Number) as number });
    expect(hasPassed(report, ['endpoint.models-answers'])).toBe(true);
    expect(hasPassed(report, ['auth.required'])).toBe(false);
  },
  SLOW,
);

it(
  'A stream that was cut, and that retries replaced, does not',
  async () => {
    const report = await runPool({ fault: 'stream-cut' }, ['streaming/reply']);
    expect(report.retries?.causes).toHaveProperty('200');
    expect(report.clauses.find(({ id }) => id === 'stream.completes')).toMatchObject({ verdict: 'pass' });
    expect(hasPassed(report, ['stream.completes'])).toBe(false);
  },
  SLOW,
);

it('Faults of a whole deployment and those that are nothing but a 5xx are not tried', () => {
  const { tried, shared, passing } = sortPoolSubjects();
  const ids = tried.map(({ id }) => id);
  expect(shared).toContain('service-base-v2');
  expect(passing.length).toBeGreaterThan(0);
  expect(ids.filter((id) => shared.includes(id) || passing.includes(id))).toEqual([]);
  expect(ids).toEqual(expect.arrayContaining(['models-500', 'stream-cut', 'error-code-integer']));
});
