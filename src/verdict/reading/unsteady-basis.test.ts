import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS, plan } from '../../index.ts';
import { COMPLETION, plainExchange, runView } from '../../../test/kit/exchanges.ts';
import { STEPS } from '../../plan/known-steps.ts';
import { CHECKS } from '../checks/index.ts';
import { isBasisUnsteady } from './pick-exchanges.ts';

const PLAN = plan({ ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', detect: 3 });

/** A run of two rounds, in which the second request of a step is refused. */
function runWithRefused(step: string) {
  const answered = plainExchange({ id: step, step, json: COMPLETION });
  const refused = { ...plainExchange({ id: `${step}~round#2`, step, status: 400 }), round: 2 };
  return { ...runView({ exchanges: [answered, refused] }), lastRound: 2 };
}

it.each([
  ['the plain request that it changes', 'parameters/temperature-maximum', 'chat', true],
  ['its basis', 'parameters/spelling[temperature]', 'parameters/temperature-one', true],
  ['a request with some of its changes', 'parameters/spelling-streamed[key-order]', STEPS.brief, true],
  ['the basis of a request that it covers', 'chat/assistant-last-together', 'parameters/temperature-with-top-p', true],
  ['a request that it covers', 'parameters/in-range-together', 'parameters/temperature-minimum', false],
  ['a request with the same changes', 'streaming/one-token', STEPS.brief, false],
  ['a request with other changes', 'parameters/temperature-maximum', 'parameters/top-p-maximum', false],
])('An intermittent refusal of %s', (_, id, step, isUnsteady) => {
  const testCase = PLAN.cases.find((each) => each.id === id)!;
  expect(isBasisUnsteady(testCase, PLAN, runWithRefused(step), CHECKS)).toBe(isUnsteady);
  expect(isBasisUnsteady(testCase, PLAN, { ...runWithRefused(step), lastRound: 1 }, CHECKS)).toBe(false);
});
