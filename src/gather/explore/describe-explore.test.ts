import { describe, expect, it } from 'vitest';
import type { Report } from '../../report/report.ts';
import { exploreSettings } from '../../../selftest/explore/try-explore.ts';
import { describeDraws, describeFound } from './report-on-explore.ts';
import { stepIdOf } from './plan-explore.ts';
import type { Draw } from './drawn-request.ts';
import { plainly } from './change-request.ts';
import type { Investigation } from './judge-explore.ts';
import type { Traffic } from '../../exchange/traffic.ts';

const settings = exploreSettings('http://127.0.0.1:9/v1', 1, 2);
const MESSAGES = { model: 'm', messages: [{ role: 'user', content: 'Say hello.' }] };
const drawn = (...bodies: readonly object[]): readonly Draw[] =>
  bodies.map((body, index) => ({
    number: index + 1,
    path: `${index + 1}`,
    requests: [plainly({ ...MESSAGES, ...body })],
  }));
const missingIn = (draws: readonly Draw[]): readonly string[] => {
  const exchanges = draws.map((draw) => ({ id: stepIdOf(draw, 0) }));
  const { missing } = describeDraws(draws, { exchanges } as unknown as Traffic, settings);
  return missing.map((fields) => fields.join(' with '));
};

describe('The pairs that were drawn', () => {
  it('lack a violation that was never streamed, although both fields were drawn together', () => {
    const draws = drawn({ max_tokens: 0, stream: false }, { max_tokens: 9, stream: true });
    expect(missingIn(draws)).toEqual(['stream with violation of limits.max-tokens']);
  });

  it('have one that was', () => {
    expect(missingIn(drawn({ max_tokens: 0, stream: true }, { max_tokens: 9 }))).toEqual([]);
  });
});

describe('What was left in doubt', () => {
  const [draw] = drawn({});
  const found = (open: readonly number[]): Investigation =>
    ({
      causes: [],
      sent: [],
      passed: new Map([165, 83, 112].map((number) => [number, []])),
      open: open.map((number) => ({ draw: { ...draw, number } })),
    }) as unknown as Investigation;
  const describeWith = (open: readonly number[], traffic: object): ReturnType<typeof describeFound> =>
    describeFound(found(open), traffic as Traffic, settings, {} as Report);
  const silent = {
    step: 'explore/1',
    occasion: 'smaller',
    attempts: [{ outcome: { kind: 'none', failure: { at: 90_001 } } }],
  };
  const answered = {
    ...silent,
    attempts: Array.from({ length: 478 }, () => ({ outcome: { kind: 'none', failure: {} } })),
  };

  it('is listed by the number of the draw', () => {
    expect(describeWith([], {})).toEqual({ findings: [], flaky: [83, 112, 165], unconfirmed: [] });
  });

  it.each([
    ['completions', { exchanges: [], ending: { kind: 'complete' } }],
    ['silence', { exchanges: [silent], ending: { kind: 'complete' } }],
    ['requests', { exchanges: [answered], ending: { kind: 'complete' } }],
    ['run', { exchanges: [silent], ending: { kind: 'budget', setting: 'max-requests' } }],
  ])('names the limit that was reached: %s', (askingLimit, traffic) => {
    expect(describeWith([64, 23], traffic)).toMatchObject({ unconfirmed: [23, 64], askingLimit });
  });
});
