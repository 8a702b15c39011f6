import { describe, expect, it } from 'vitest';
import { FULL_REPORT } from '../../test/kit/reports.ts';
import type { ExploredFinding, ExploreReport } from '../report/explore-report.ts';
import type { Report } from '../report/report.ts';
import {
  drawnTexts,
  formatDifferences,
  formatUnsure,
  formatUntested,
  silentFacts,
  visibleJson,
} from './explore-text.ts';
import { plainText } from './document/document.ts';

const difference = (failing: string, passing: string): string | undefined =>
  formatDifferences({
    difference: [{ pointer: '/a', failing: JSON.stringify(failing), passing: JSON.stringify(passing) }],
  } as unknown as ExploredFinding);

describe('A difference shows what cannot be seen', () => {
  it.each([
    ['a combining mark beside the composed letter', 'e\u0301', 'é', '"e\\u0301" fails, "\\u00e9" passes'],
    ['a joiner', 'a\u200Db', 'ab', '"a\\u200db" fails, "ab" passes'],
    ['a space that does not break', 'a\u00A0b', 'a b', '"a\\u00a0b" fails, "a b" passes'],
    ['a second space', 'a  b', 'a b', '"a \\u0020b" fails, "a b" passes'],
    ['wide letters', 'Ａ', 'A', '"\\uff21" fails, "A" passes'],
    ['a Windows line end', 'a\r\nb', 'a\nb', '"a\\r\\nb" fails, "a\\nb" passes'],
    ['nothing else', 'ש 🌊', 'Say hello.', '"ש 🌊" fails, "Say hello." passes'],
  ])('%s', (_what, failing, passing, shown) => {
    expect(difference(failing, passing)).toBe(`/a: ${shown}`);
  });

  it('and of a long text its beginning, and its length without quotes and escapes', () => {
    expect(difference(`"${'🌊'.repeat(150)}`, 'y')).toContain('… (151 characters) fails');
    expect(difference('x'.repeat(300), 'y')).toBe(`/a: "${'x'.repeat(39)}… (300 characters) fails, "y" passes`);
  });
});

it('A text of which only the length matters is told in characters', () => {
  expect(difference('a'.repeat(41), 'a'.repeat(40))).toBe('/a: 41 characters fail, 40 pass');
  expect(difference('a!', 'a')).toBe('/a: "a!" fails, "a" passes');
});

it('All that a request needs is named', () => {
  const finding = {
    difference: [{ pointer: '/temperature', failing: '1.01', passing: '1' }],
    beside: [{ pointer: '/max_tokens', failing: '9' }],
  } as unknown as ExploredFinding;
  expect(formatDifferences(finding)).toBe('/temperature: 1.01 fails, 1 passes; only with /max_tokens: 9');
});

it('A body in which everything can be seen is the same JSON', () => {
  const body = { text: 'e\u0301 a\u200Db  c \u{E0001} ש' };
  const shown = visibleJson(JSON.stringify(body, null, 2));
  expect(JSON.parse(shown)).toEqual(body);
  expect(shown).toContain(String.raw`e\u0301 a\u200db  c \udb40\udc01 ש`);
});

const withFinding = (change: object): Report => {
  const { explore } = FULL_REPORT;
  const { intermittent: _intermittent, alike: _alike, beside: _beside, ...finding } = explore.findings[0] ?? {};
  return { ...FULL_REPORT, explore: { ...explore, findings: [{ ...finding, ...change }] } } as Report;
};

const silent = (change: object): ReadonlyMap<string, string> => {
  const report = withFinding(change);
  const facts = report.explore?.findings.flatMap((finding) => silentFacts(report, finding)) ?? [];
  return new Map(facts.map(({ label, text }) => [label, plainText(text)]));
};

it('A request without an answer is shown with its draw, its difference and a command', () => {
  const shown = silent({ silence: 'closed', exchange: 'not shown' });
  expect(shown.get('Unanswered')).toMatch(
    /^connection closed without an answer: found in 1 random request; reduced to this one in 3 steps \(--seed \d+ --path 1:0\)$/,
  );
  expect(shown.get('Difference')).toBe('/temperature: 1.3 fails, 1 passes');
  expect(shown.get('Repeat')).toContain('--path 1:0');
});

it('A request with an answer is none of these', () => {
  expect(silent({ silence: undefined }).size).toBe(0);
});

it('A request that also passes is called intermittent, with counts', () => {
  const change = { silence: 'closed', draws: 4, isShrunk: false, intermittent: { failed: 2, asked: 5 } };
  expect(silent(change).get('Unanswered')).toContain(
    'found in 4 random requests; intermittent: the same request failed 2 of 5 times (',
  );
});

it('A sequence says how many requests are left, and what was not reduced to the end says so', () => {
  const unanswered = (change: object) =>
    silent({ silence: 'closed', draws: 2, requests: 1, ...change }).get('Unanswered');
  expect(unanswered({ length: 3, alike: ['a'] })).toContain(
    'found in 2 random sequences, with violations of several clauses; reduced to these 3 requests on one connection in 1 step (',
  );
  expect(unanswered({ isShrunk: false })).toContain('; not fully reduced: repeat it alone with its path (');
});

it('A place in a sequence names its request', () => {
  const place = (pointer: string, length: number): string | undefined =>
    formatDifferences({ difference: [{ pointer, failing: '1' }], length } as unknown as ExploredFinding);
  expect(place('/1/top_p', 2)).toBe('/top_p of request 1: 1 fails, absent passes');
  expect(place('/1', 2)).toBe('request 1: 1 fails, absent passes');
  expect(place('/top_p', 1)).toBe('/top_p: 1 fails, absent passes');
});

it('Draws that are in doubt are named, not counted', () => {
  const unsure = (flaky: readonly number[], unconfirmed: readonly number[]): string | undefined =>
    formatUnsure({ flaky, unconfirmed } as unknown as ExploreReport);
  expect(unsure([141], [])).toBe('draw 141 failed once and then passed');
  expect(unsure([3, 17, 141], [5])).toBe(
    'draws 3, 17 and 141 failed once and then passed; draw 5 failed and could not be asked again',
  );
  expect(unsure([], [])).toBeUndefined();
});

it('Draws that could not be asked again are named with the limit that was reached', () => {
  const unsure = (askingLimit: ExploreReport['askingLimit']): string | undefined =>
    formatUnsure({ flaky: [], unconfirmed: [5], askingLimit } as unknown as ExploreReport);
  const words = 'draw 5 failed and could not be asked again';
  expect(unsure('completions')).toBe(`${words} (all of --shrink-completions was used)`);
  expect(unsure('requests')).toBe(`${words} (all requests for asking again were used)`);
  expect(unsure('silence')).toBe(`${words} (the time for requests without an answer was used)`);
  expect(unsure('run')).toBe(`${words} (the run ended before)`);
});

it('Unknown fields that were sent are not called untested', () => {
  const { explore } = FULL_REPORT;
  const withTolerant = (tolerant: number): Report => ({
    ...FULL_REPORT,
    explore: { ...explore, kinds: { ...explore.kinds, tolerant } },
  });
  expect(formatUntested(withTolerant(12))).toBe('sent and not judged');
  expect(formatUntested(withTolerant(0))).toBe('not tested');
});

it('What a control of an exploration shows has its request, and says that it was not drawn', () => {
  const [exchange] = FULL_REPORT.exchanges;
  const asked = { id: 'c', body: '{"stream":true}', method: 'POST', path: '/chat/completions' };
  const sent = { ...asked, side: undefined, cause: undefined, idle: undefined };
  const report = (step: string, name?: string): Report => ({
    ...FULL_REPORT,
    exchanges: [{ ...exchange, ...sent, step, name } as unknown as Report['exchanges'][number]],
  });
  expect(drawnTexts(report('streaming/reply'), 'c')).toEqual({
    request: expect.stringContaining('/chat/completions, body {"stream":true}') as string,
    drawn: 'by a fixed request, not by a random one',
  });
  expect(drawnTexts(report('explore/17', 'explore'), 'c')).toEqual({});
});
