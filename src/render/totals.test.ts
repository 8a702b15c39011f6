import { expect, it } from 'vitest';
import { LOAD, underLoad } from '../../test/kit/load-reports.ts';
import { formatRequests, formatTimeSpent, retriesFact, seconds } from './run-text.ts';

it.each<[wall: number, parts: readonly [target: number, pauses: number, checker: number], text: string]>([
  [540, [380, 0, 160], '0.5 s (0.4 s waiting for the target, 0.1 s in wirecheck)'],
  [300, [120, 60, 120], '0.3 s (0.1 s waiting for the target, 0.1 s pausing, 0.1 s in wirecheck)'],
  [5_840, [5_290, 0, 550], '5.8 s (5.3 s waiting for the target, 0.5 s in wirecheck)'],
  [8_000, [20, 7_980, 0], '8.0 s (8.0 s pausing)'],
  [40, [20, 0, 20], 'less than 0.1 s'],
])('The parts of %i ms add up', (wall, [target, pauses, checker], text) => {
  expect(formatTimeSpent({ wall, target, pauses, checker, slowest: [] })).toBe(text);
});

it('Of the file of another tool, only the wait for the target is told apart', () => {
  expect(formatTimeSpent({ wall: 3_300, target: 100, pauses: 0, slowest: [] })).toBe(
    '3.3 s (0.1 s waiting for the target)',
  );
});

it('Under load, refused connections are counted apart, though few requests are kept', () => {
  const { cost } = underLoad();
  const used = { ...cost.used, requests: 419 };
  const told = (refused: number) => formatRequests(underLoad({ cost: { ...cost, used }, load: { ...LOAD, refused } }));
  expect(told(0)).toBe('419 requests');
  expect(told(23)).toBe('396 requests and 23 refused connections');
});

it('Retries are told of the attempts at this base URL, where the cost has requests to others as well', () => {
  const { cost } = underLoad();
  const retries = { attempts: 6, replaced: 2, causes: { 503: 2 } };
  const told = (requests: number) =>
    retriesFact({ retries, cost: { ...cost, used: { ...cost.used, requests } } })[0]?.text;
  expect(told(6)).toBe('2 of 6 attempts were replaced by a retry (503: 2)');
  expect(told(8)).toBe('2 of 6 attempts at this base URL were replaced by a retry (503: 2)');
});

it.each([
  [0, 'less than 0.1 s'],
  [40, 'less than 0.1 s'],
  [60, '0.1 s'],
  [11_800, '11.8 s'],
])('A time of %i ms is never none', (milliseconds, text) => {
  expect(seconds(milliseconds)).toBe(text);
});
