import { describe, expect, it } from 'vitest';
import { drawn, drawOf, failingTarget } from '../../../test/kit/failing-draws.ts';
import type { DrawCause } from './cause.ts';
import { triggerOf } from './difference.ts';
import type { DrawnRequest } from './drawn-request.ts';
import { findCauses } from './find-causes.ts';

const numberIn = (name: string, [request]: readonly DrawnRequest[]): number => Number(request?.body[name] ?? -1);
const says = (pattern: RegExp, requests: readonly DrawnRequest[]): boolean => pattern.test(JSON.stringify(requests));
const saying = (content: string, fields = {}): DrawnRequest =>
  drawn({ messages: [{ role: 'user', content }], ...fields });

/** The draws of each cause. */
const drawsOf = (causes: readonly DrawCause[]): readonly (readonly number[])[] =>
  causes.map(({ draws }) => draws.toSorted((a, b) => a - b)).toSorted(([a = 0], [b = 0]) => a - b);

async function causesOf(
  options: Parameters<typeof failingTarget>[0],
  requests: readonly DrawnRequest[],
): Promise<readonly DrawCause[]> {
  const target = failingTarget(options);
  const draws = requests.map((request, index) => drawOf(index + 1, request));
  return (await findCauses(draws.map(target.failing), target)).causes;
}

describe('A limit within the range', () => {
  const tooHot = (requests: readonly DrawnRequest[]): boolean => numberIn('temperature', requests) > 1.5;
  const narrow = (requests: readonly DrawnRequest[]): boolean => numberIn('top_p', requests) > 0.9;
  const hot = [1.7, 1.62, 1.9, 1.51].map((temperature) => drawn({ temperature }));

  it('explains all that is beyond it', async () => {
    expect(drawsOf(await causesOf({ fails: tooHot }, hot))).toEqual([[1, 2, 3, 4]]);
  });

  it('does not explain what fails for another field, also beside it', async () => {
    const others = [{ top_p: 0.95 }, { top_p: 0.97, temperature: 0.4 }, { top_p: 0.92, temperature: 1.2 }].map(drawn);
    const fails = (requests: readonly DrawnRequest[]): boolean => tooHot(requests) || narrow(requests);
    expect(drawsOf(await causesOf({ fails }, [...hot, ...others]))).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7],
    ]);
  });

  it('does not explain a draw without the field if nothing more can be asked', async () => {
    const fails = (requests: readonly DrawnRequest[]): boolean => tooHot(requests) || says(/ש/, requests);
    const count = failingTarget({ fails });
    await findCauses([count.failing(drawOf(1, drawn({ temperature: 1.7 })))], count);
    const target = failingTarget({ fails, budget: count.log.length });
    const failing = [drawn({ temperature: 1.7 }), saying(`שלום ${'and so on '.repeat(9)}`)].map((request, index) =>
      target.failing(drawOf(index + 1, request)),
    );
    const { causes, open } = await findCauses(failing, target);
    expect([drawsOf(causes), open.map(({ draw }) => draw.number)]).toEqual([[[1]], [2]]);
  });
});

describe('Unknown fields that are refused', () => {
  const isUnknown = (requests: readonly DrawnRequest[]): boolean => says(/x_wirecheck_/, requests);
  const inMessage = (name: string) => drawn({ messages: [{ role: 'user', content: 'Say hello.', [name]: [1] }] });
  const fields = [{ x_wirecheck_Name: null }, { 'x_wirecheck_v1.2': { a: 1 } }, { x_wirecheck_a: 'text' }].map(drawn);

  it('have one cause for each place, without their names', async () => {
    const causes = await causesOf({ fails: isUnknown }, [
      ...fields,
      inMessage('x_wirecheck_a'),
      inMessage('x_wirecheck_0'),
    ]);
    expect(drawsOf(causes)).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(new Set(causes.flatMap(triggerOf))).toEqual(new Set(['/messages/*/x_wirecheck_*', '/x_wirecheck_*']));
  });

  it('do not explain what fails for its text', async () => {
    const fails = (requests: readonly DrawnRequest[]): boolean => isUnknown(requests) || says(/ש/, requests);
    expect(drawsOf(await causesOf({ fails }, [...fields, saying('שלום')]))).toEqual([[1, 2, 3], [4]]);
  });
});

describe('Texts that fail in one way', () => {
  const texts = ['Say שלום', 'Tell me สวกด', 'And תודה too', 'กขค please'].map((text) => saying(text));

  it('have one cause, whatever is in them', async () => {
    const isScript = (requests: readonly DrawnRequest[]): boolean => says(/[ש-ת]|[ก-ฮ]/u, requests);
    expect(drawsOf(await causesOf({ fails: isScript }, texts))).toEqual([[1, 2, 3, 4]]);
  });

  it('do not explain what fails for a number', async () => {
    const fails = (requests: readonly DrawnRequest[]): boolean =>
      says(/[ש-ת]/, requests) || numberIn('temperature', requests) > 1.5;
    const hot = [1.7, 1.9].map((temperature) => saying('Tell me all about the sea.', { temperature, top_p: 0.3 }));
    expect(drawsOf(await causesOf({ fails }, [...texts.slice(0, 1), ...texts.slice(2, 3), ...hot]))).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
});
