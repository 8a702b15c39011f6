import { describe, expect, it } from 'vitest';
import { drawn, drawOf, failingTarget } from '../../test/kit/failing-draws.ts';
import type { Ask, AskNext } from './cause.ts';
import type { Draw, DrawnRequest } from './drawn-request.ts';
import { Shrinking } from './shrink.ts';

const LARGE = drawn({
  messages: [
    { role: 'system', content: 'Be brief. שלום 🌊' },
    { role: 'user', content: 'Tell me about the sea.' },
  ],
  temperature: 1.37,
  top_p: 0.5,
  max_tokens: 40,
  stream: true,
});

const has =
  (name: string) =>
  (requests: readonly DrawnRequest[]): boolean =>
    requests.at(-1)?.body[name] !== undefined;

const next = (ask: Ask): AskNext => {
  let count = 0;
  return (draw, occasion) => ask(draw, occasion, (count += 1));
};

async function shrink(target: ReturnType<typeof failingTarget>, draw: Draw) {
  const failing = target.failing(draw);
  return new Shrinking(failing, failing.symptom, { ...target, ask: next(target.ask) }).run();
}

describe('A draw that fails', () => {
  it('is shrunk to what makes it fail, beside the same without it', async () => {
    const cause = await shrink(failingTarget({ fails: has('temperature') }), drawOf(7, LARGE));
    expect(cause).toMatchObject({ isShrunk: true, draws: [7] });
    const { max_tokens: _limit, ...smallest } = cause.smallest.requests[0]?.body ?? {};
    expect(smallest).toEqual({
      model: '${model}',
      messages: [{ role: 'user', content: 'Say hello.' }],
      temperature: 1,
    });
    expect(cause.difference.map(({ pointer }) => pointer)).toEqual(['/temperature']);
    expect(cause.neighbour?.draw.requests[0]?.body['temperature']).toBeUndefined();
  });

  it('has no neighbour if nothing near it passes', async () => {
    const other = { key: 'another' };
    const target = failingTarget({
      fails: () => true,
      symptomOf: ({ body }) => (body['temperature'] === undefined ? other : {}),
    });
    const cause = await shrink(target, drawOf(7, LARGE));
    expect(cause).toMatchObject({ isShrunk: true, difference: [] });
    expect(cause.neighbour).toBeUndefined();
  });

  it('takes at most 40 requests', async () => {
    const target = failingTarget({ fails: ([request]) => JSON.stringify(request).includes('🌊') });
    const cause = await shrink(target, drawOf(1, LARGE));
    expect(target.log.length).toBeLessThanOrEqual(40);
    expect(cause.requests).toBe(target.log.length);
  });

  it('is shrunk in a sequence to the requests that matter', async () => {
    const fails = (requests: readonly DrawnRequest[]): boolean =>
      requests.slice(0, -1).some(({ body }) => body['stream'] === true);
    const cause = await shrink(failingTarget({ fails }), drawOf(2, drawn({ top_p: 0.1 }), LARGE, drawn()));
    expect(cause.smallest.requests.map(({ body }) => body['stream'] ?? false)).toEqual([true, false]);
  });

  it('stays as it was drawn if it does not fail again', async () => {
    const cause = await shrink(failingTarget({ fails: () => false }), drawOf(3, LARGE));
    expect(cause).toMatchObject({ isShrunk: false, difference: [] });
    expect(cause.smallest.requests).toEqual([LARGE]);
  });

  it('is not called shrunk if the budget ran out', async () => {
    const cause = await shrink(failingTarget({ fails: has('temperature'), budget: 2 }), drawOf(4, LARGE));
    expect(cause.isShrunk).toBe(false);
  });
});
