import { describe, expect, it } from 'vitest';
import { drawn, drawOf, failingTarget } from '../../../test/kit/failing-draws.ts';
import { type CauseContext, pair } from './cause.ts';
import { type Draw, type DrawnRequest, textsIn } from './drawn-request.ts';
import { Shrinking } from './shrink.ts';
import { USUAL_TOKENS } from './simpler.ts';
import type { Symptom } from './symptoms.ts';

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

function contextOf({ ask, symptomsOf, ...rest }: ReturnType<typeof failingTarget>): CauseContext {
  let count = 0;
  return {
    ...rest,
    ask: async (draw, occasion = 'smaller') => {
      const exchanges = await ask(draw, occasion, (count += 1));
      return exchanges && { exchanges, symptoms: symptomsOf(pair(draw, exchanges)) };
    },
  };
}

async function shrink(target: ReturnType<typeof failingTarget>, draw: Draw) {
  const failing = target.failing(draw);
  return new Shrinking(failing, contextOf(target)).run(1);
}

describe('A draw that fails', () => {
  it('is shrunk to what makes it fail, beside the same without it', async () => {
    const cause = await shrink(failingTarget({ fails: has('temperature') }), drawOf(7, LARGE));
    expect(cause).toMatchObject({ isShrunk: true, draws: [7] });
    const { max_tokens: _limit, ...smallest } = cause.smallest.requests[0]?.body ?? {};
    expect(smallest).toEqual({
      model: '${model}',
      messages: [{ role: 'user', content: 'Say hello.' }],
      temperature: 0,
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

  it('by a number comes as near as 0.01 to what passes', async () => {
    const target = failingTarget({ fails: ([request]) => Number(request?.body['temperature'] ?? 0) > 0.62 });
    const { difference, requests } = await shrink(target, drawOf(5, drawn({ temperature: 1.9 })));
    expect(difference).toEqual([{ pointer: '/temperature', failing: 0.63, passing: 0.62 }]);
    expect(requests).toBeLessThan(25);
  });

  it.each([
    ['to the usual limit', 16, 15, 16],
    ['to another number', 11, 10, 11],
  ])('by a whole number comes as near to a larger one that passes, %s', async (_what, limit, failing, passing) => {
    const target = failingTarget({ fails: ([request]) => Number(request?.body['max_tokens']) < limit });
    const { difference, requests } = await shrink(target, drawOf(5, drawn({ max_tokens: 9 })));
    expect(difference).toEqual([{ pointer: '/max_tokens', failing, passing }]);
    expect(requests).toBeLessThan(25);
  });

  it('by one number alone is compared with the one beside it', async () => {
    const target = failingTarget({ fails: ([request]) => request?.body['top_p'] === 1 });
    const { difference } = await shrink(target, drawOf(6, drawn({ top_p: 1 })));
    expect(difference).toEqual([{ pointer: '/top_p', failing: 1, passing: 0.99 }]);
  });

  it('for the length of a text ends at the boundary, with letters alone', async () => {
    const fails = ([request]: readonly DrawnRequest[]): boolean =>
      textsIn(request ?? drawn()).some((text) => text.length > 40);
    const draw = drawOf(
      5,
      drawn({ messages: [{ role: 'user', content: 'Tell me about «the sea», the harbour and 100 boats.' }] }),
    );
    const { difference } = await shrink(failingTarget({ fails }), draw);
    expect(difference).toEqual([{ pointer: '/messages/0/content', failing: 'a'.repeat(41), passing: 'a'.repeat(40) }]);
  });

  it('for two fields together names both', async () => {
    const fails = ([request]: readonly DrawnRequest[]): boolean =>
      Number(request?.body['temperature'] ?? 0) > 1 && request?.body['top_p'] !== undefined;
    const { difference, beside } = await shrink(failingTarget({ fails }), drawOf(5, LARGE));
    const names = [...difference, ...beside].map(({ pointer }) => pointer);
    expect(names.toSorted()).toEqual(['/temperature', '/top_p']);
  });

  it('for something else is shrunk without a field that is null', async () => {
    const target = failingTarget({ fails: has('temperature') });
    const { smallest } = await shrink(target, drawOf(8, drawn({ temperature: 1, top_p: null })));
    expect(smallest.requests[0]?.body).not.toHaveProperty('top_p');
  });

  it('goes on where it stopped', async () => {
    const target = failingTarget({ fails: has('temperature') });
    const shrinking = new Shrinking(target.failing(drawOf(7, LARGE)), contextOf(target));
    let turns = 0;
    while (await shrinking.goOn(2)) turns += 1;
    expect(turns).toBeGreaterThan(1);
    expect(await shrinking.close(1)).toMatchObject({ isShrunk: true, difference: [{ pointer: '/temperature' }] });
  });

  it('as small as it can be is called shrunk, although nothing is left to ask for it a third time', async () => {
    const fails = ([request]: readonly DrawnRequest[]): boolean => textsIn(request ?? LARGE).includes('\uD800');
    const finding = { actualType: '5xx', actual: { kind: 'status', status: 500 } } as Symptom['finding'];
    const target = failingTarget({ fails, budget: 1, symptom: { finding } });
    const content = { messages: [{ role: 'user', content: '\uD800' }] };
    const draw = drawOf(4, drawn({ ...content, max_tokens: USUAL_TOKENS }));
    const { isShrunk, difference } = await new Shrinking(target.failing(draw), contextOf(target)).run(2);
    expect([isShrunk, difference]).toEqual([
      true,
      [{ pointer: '/messages/0/content', failing: '\uD800', passing: 'a' }],
    ]);
  });

  it('is not called shrunk if the budget ran out', async () => {
    const cause = await shrink(failingTarget({ fails: has('temperature'), budget: 2 }), drawOf(4, LARGE));
    expect(cause.isShrunk).toBe(false);
  });
});
