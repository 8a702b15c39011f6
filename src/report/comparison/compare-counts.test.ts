import { expect, it } from 'vitest';
import type { ObservationReport, Report } from '../report.ts';
import { compareCounts } from './compare-counts.ts';

const IN = { clause: 'usage.signature', case: 'counts/signature' };
const reportOf = (constant: number, latin: number, ...more: readonly ObservationReport[]) =>
  ({
    observations: [
      { ...IN, name: 'prompt-constant', value: constant },
      { ...IN, name: 'letter-tokens', of: 'Latin', value: latin },
      ...more,
    ],
  }) as unknown as Report;

it('a moved constant or signature is drift, with both numbers', () => {
  const changes = compareCounts(reportOf(4, 25), reportOf(44, 31));
  expect(changes.map(({ kind, place, old, new: now }) => [kind, place.measure, old.value, now.value])).toEqual([
    ['drift', 'tokens that every call carries and that you did not send', '4', '44'],
    ['drift', 'tokens of a hundred Latin letters', '25', '31'],
  ]);
});

it('two tokens are noise, and a run that counted in two ways is not compared', () => {
  expect(compareCounts(reportOf(4, 25), reportOf(6, 23))).toEqual([]);
  const varied: ObservationReport = { ...IN, name: 'count-notes', value: ['counts-vary'] };
  expect(compareCounts(reportOf(4, 25), reportOf(44, 31, varied))).toEqual([]);
  expect(compareCounts({ ...reportOf(4, 25), observations: [] }, reportOf(44, 31))).toEqual([]);
});
