import { expect, it } from 'vitest';
import { drawn, drawOf } from '../../test/kit/failing-draws.ts';
import { differenceOf, distanceOf } from './difference.ts';

const [a, b, c] = [drawn({ top_p: 0.1 }), drawn({ top_p: 0.2 }), drawn({ top_p: 0.3 })];
const places = (failing: ReturnType<typeof drawOf>, passing: ReturnType<typeof drawOf>): readonly string[] =>
  differenceOf(failing, passing).map(({ pointer }) => pointer);

it('Sequences differ in the requests that the shorter one lacks', () => {
  expect(places(drawOf(1, a, b, c), drawOf(1, b, c))).toEqual(['/1']);
  expect(places(drawOf(1, a, b, c), drawOf(1, a, c))).toEqual(['/2']);
  expect(places(drawOf(1, a, b, c), drawOf(1, c))).toEqual(['/1', '/2']);
  expect(places(drawOf(1, a, b), drawOf(1, a, c))).toEqual(['/2/top_p']);
});

it('A request less is nearer than two places more', () => {
  const far = (passing: ReturnType<typeof drawOf>): number => distanceOf(differenceOf(drawOf(1, a, b, c), passing));
  expect(far(drawOf(1, b, c))).toBeLessThan(far(drawOf(1, b, b, a)));
});
