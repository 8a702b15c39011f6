import { expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import { type FailingDraw, tellByWords } from './cause.ts';
import type { Symptom } from './symptoms.ts';

const said = (message: string, kind = 'status') =>
  ({
    key: 'k',
    plainKey: 'p',
    finding: { actual: { kind, status: 500, message: quoteText(message) } },
  }) as unknown as Symptom;
const keysOf = (...symptoms: readonly Symptom[]) => {
  const tell = tellByWords(symptoms.map((symptom) => ({ symptom }) as FailingDraw));
  return symptoms.map((symptom) => tell(symptom).key);
};

it('Draws that fail with the same words are told apart from those with other words', () => {
  const [db, again, utf, other] = keysOf(said('db'), said('db'), said('utf-8'), said('utf-8'));
  expect([db === again, utf === other, db === utf, db === 'k']).toEqual([true, true, false, false]);
});

it.each([
  ['no two share them', [said('a'), said('b'), said('c'), said('c')]],
  ['only numbers differ', [said('line 1'), said('line 1'), said('line 2'), said('line 2')]],
  ['the answer is no error', [said('a', 'answer'), said('a', 'answer'), said('b', 'answer'), said('b', 'answer')]],
])('Words do not count if %s', (_why, symptoms) => {
  expect(new Set(keysOf(...symptoms))).toEqual(new Set(['k']));
});
