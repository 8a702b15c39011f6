/** When unknown keys are asked, and when refusals of valid calls say nothing about the target. */
import { describe, expect, it } from 'vitest';
import { plainExchange } from '../../../test/kit/exchanges.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { KeyWatch } from './calls.ts';

function answer(status: number, sentAt = 0): Exchange {
  const exchange = plainExchange({ status });
  return { ...exchange, attempts: exchange.attempts.map((attempt) => ({ ...attempt, sentAt })) };
}

it('At most 20 calls of a stage have an unknown key, one of them at its end', () => {
  const keys = new KeyWatch();
  keys.beginStage();
  let asked = 0;
  for (let number = 1; number < 1_000; number++) {
    if (!keys.takes(number)) continue;
    asked += 1;
    keys.end();
  }
  expect(asked).toBe(19);
  expect(keys.takesLast()).toBe(false);
  keys.noteValid(answer(403));
  expect(keys.takesLast()).toBe(true);
});

describe('At the end of a stage', () => {
  function endedWith(unknown: number, ...valid: readonly Exchange[]): KeyWatch {
    const keys = new KeyWatch();
    keys.beginStage();
    for (const each of valid) keys.noteValid(each);
    keys.noteUnknown(answer(unknown));
    keys.endStage();
    return keys;
  }

  it.each([
    ['a valid and an unknown key are denied', 403, [answer(403)], true],
    ['a stream that was sent before ends after a valid key was denied', 429, [answer(403, 5), answer(200, 4)], true],
    ['a valid key is answered again', 403, [answer(403, 5), answer(200, 6)], false],
    ['only the valid key is denied', 401, [answer(403)], false],
    ['calls of both are rejected as overloaded', 429, [answer(429)], false],
  ] as const)('%s: shut out or not', (_title, unknown, valid, isShutOut) => {
    const keys = endedWith(unknown, ...valid);
    expect([keys.isShutOut, keys.isBlocked]).toEqual([isShutOut, isShutOut]);
  });
});
