import { expect, it } from 'vitest';
import { conforming, clause } from '../../../test/kit/sample-reports.ts';
import { quoteText } from '../../text/quote.ts';
import type { Change } from './comparison.ts';
import { orderChanges } from './compare.ts';

const SAME = { fingerprint: 'f'.repeat(16), cause: 'c'.repeat(16), place: {}, old: { exchanges: [] } } as const;

function broken(name: string, expected: 'refusal' | 'http', kind: Change['kind'] = 'breaking'): Change {
  const found = { expected: { kind: expected }, actualType: '2xx', actual: { kind: 'status', status: 200 } } as const;
  return { ...SAME, kind, what: 'clause-broken', clause: name, new: { finding: found, exchanges: [] } };
}

it('Changes are in the order of their kind, then of the harm, then completions before shapes', () => {
  const report = conforming({ clauses: [clause('auth.required', { safety: true }), clause('limits.temperature')] });
  const gone: Change = { ...SAME, kind: 'breaking', what: 'field-gone', new: { exchanges: [] } };
  const given = [
    broken('limits.top-p', 'refusal', 'warning'),
    gone,
    broken('errors.code', 'http'),
    broken('limits.temperature', 'refusal'),
    broken('auth.required', 'http'),
  ];
  expect(orderChanges(given, report).map(({ clause: name }) => name)).toEqual([
    'auth.required',
    'limits.temperature',
    undefined,
    'errors.code',
    'limits.top-p',
  ]);
});

it('Of one cause, the kind of answer with the most answers comes first', () => {
  const [few, many] = [1, 55].map((answers): Change => {
    const side = { answers, exchanges: [] };
    return { ...SAME, kind: 'breaking', what: 'field-type', old: side, new: side };
  });
  const other: Change = { ...broken('errors.code', 'http'), cause: 'd'.repeat(16) };
  const given = [few, other, many].flatMap((each) => each ?? []);
  expect(orderChanges(given, conforming()).map(({ old }) => old.answers)).toEqual([55, 1, undefined]);
});

it('Of one cause, a completion that was given away comes before a list of models, and a stream last', () => {
  const given = (kind: 'completion' | 'models', mode: 'plain' | 'stream'): Change => {
    const content = kind === 'models' ? { kind, count: 3 } : { kind, text: quoteText('Hello!') };
    const actual = { kind: 'answer', status: 200, body: quoteText('{}'), content } as const;
    const finding = { expected: { kind: 'status', status: 401 }, actualType: '2xx', actual } as const;
    const place = { case: `${kind} ${mode}`, mode };
    return { ...broken('auth.required', 'http'), place, new: { finding, exchanges: [] } };
  };
  const changes = [given('models', 'plain'), given('completion', 'stream'), given('completion', 'plain')];
  expect(orderChanges(changes, conforming()).map(({ place }) => place.case)).toEqual([
    'completion plain',
    'completion stream',
    'models plain',
  ]);
});
