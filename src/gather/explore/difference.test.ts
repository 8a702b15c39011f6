import { expect, it } from 'vitest';
import { drawn, drawOf } from '../../../test/kit/failing-draws.ts';
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

it('Messages differ in those that the shorter list lacks', () => {
  const talk = (...texts: readonly string[]) =>
    drawn({ messages: texts.map((content) => ({ role: 'user', content })) });
  const [three, later] = [drawOf(1, talk('a', 'b', 'c')), drawOf(1, talk('b', 'c'))];
  expect(places(three, later)).toEqual(['/messages/0']);
  expect(places(three, drawOf(1, talk('a', 'x', 'c')))).toEqual(['/messages/1/content']);
  expect(places(later, three)).toEqual(['/messages/0']);
});

it('A text is nearest to the one that lacks least of it', () => {
  const text = (content: string) => drawOf(1, drawn({ messages: [{ role: 'user', content }] }));
  const far = (failing: string, passing: string): number => distanceOf(differenceOf(text(failing), text(passing)));
  expect(far('a ', 'a')).toBeLessThan(far('a ', ' a'));
  expect(far('100 %!', '100 !')).toBeLessThan(far('100 %!', '100'));
  expect(far('\u05D0', 'Say hello.')).toBeLessThan(far('\u05D0', 'x'));
  expect(far('a\u05D0', 'a')).toBeLessThan(far('a\u05D0', 'Say hello.'));
});
