import { expect, it } from 'vitest';
import { isPlayable, loadScenarios } from '../../gather/client/scenario.ts';
import { isAboutRequests } from '../client-text.ts';
import { countRows } from './matrix-html.ts';

it('Rows are counted as scenarios if they are played, and otherwise as checks', () => {
  const [played, judged] = [{ isOfRequests: false }, { isOfRequests: true }];
  expect(countRows([played, judged, played, judged])).toBe('2 scenarios and 2 checks of requests');
  expect(countRows([played])).toBe('1 scenario');
  expect(countRows([judged])).toBe('1 check of requests');
  expect(countRows([])).toBe('0 scenarios');
});

it('The area of requests has the scenarios that are not played, and no others', () => {
  for (const scenario of loadScenarios()) expect(isAboutRequests(scenario)).toBe(!isPlayable(scenario));
});
