/** The requests of calls: which model each of them asks for. */
import { expect, it } from 'vitest';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import { memberOf, parseJson } from '../../json.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { CallSource, type LoadCall, requestOf } from './calls.ts';

it('Calls of a stage ask for one named model after the other, those asked alone for the model that answered', () => {
  const { rules } = contractOf(DEFAULT_SETTINGS);
  const mix = { plain: 1, stream: 0, list: 0, refusal: 0 };
  const drawn = { seed: 1, mix, disconnects: 0, violations: [], hasUpstream: true, sendsUnknownKeys: false };
  const source = new CallSource(drawn);
  const modelOf = (call: LoadCall, named: readonly string[] = ['a', 'b', 'c']) =>
    memberOf(parseJson(requestOf(call, { word: 'w' }, { rules, model: 'first', named }).body), 'model');
  expect([3, 4, 5, 6].map((number) => modelOf(source.draw(0, number)))).toEqual(['a', 'b', 'c', 'a']);
  expect([3, 4].map((number) => modelOf(source.drawControl(number, false)))).toEqual(['first', 'first']);
  expect(modelOf(source.draw(0, 4), [])).toBe('first');
});
