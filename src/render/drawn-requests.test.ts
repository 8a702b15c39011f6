import { describe, expect, it } from 'vitest';
import { FULL_REPORT } from '../../test/kit/reports.ts';
import type { ExploredFinding, ExploreReport } from '../report/explore-report.ts';
import type { Report } from '../report/report.ts';
import { formatDrawnRequests } from './explore-text.ts';
import { formatFinding } from './finding-text.ts';
import { foldFindings } from './fold.ts';
import { htmlPage } from './html/html.ts';
import { terminal } from './report/outlines.ts';

const [usual] = FULL_REPORT.exchanges;
const [finding] = FULL_REPORT.explore.findings as readonly [ExploredFinding];
const exchange = (id: string, body: string, connection?: string): object => ({
  ...usual,
  id,
  step: 'explore/1',
  name: 'explore',
  body,
  side: undefined,
  cause: undefined,
  idle: connection === undefined ? undefined : { pause: 0, on: 'kept', connection },
});

/** A finding at the last of these requests. */
function explored(bodies: readonly string[], change: object = {}): Report {
  const ids = bodies.map((_, index) => (index === bodies.length - 1 ? 'e' : `e${index}`));
  const connection = bodies.length > 1 ? 'explore/1' : undefined;
  const others = [exchange('other', '{"other":1}', 'explore/2'), exchange('after', '{"after":1}', connection)];
  return {
    ...FULL_REPORT,
    exchanges: [...bodies.map((body, index) => exchange(ids[index] ?? '', body, connection)), ...others],
    explore: { ...FULL_REPORT.explore, findings: [{ ...finding, length: bodies.length, ...change }] },
  } as unknown as Report;
}

describe('The requests of a finding', () => {
  const textsOf = (report: Report) => formatDrawnRequests(report, report.explore?.findings[0] ?? finding);

  it('are shown in order, and the one that fails is named', () => {
    const { before, request } = textsOf(explored(['{"a":1}', '{"b":"e\u0301"}', '{"c":3}']));
    expect(before).toMatch(
      /^request 1, body \{"a":1\}, answered with \d+; request 2, body \{"b":"e\\u0301"\}, answered with \d+$/,
    );
    expect(request).toMatch(/^request 3 of 3, which fails: .*, body \{"c":3\}$/);
  });

  it('are one if it is no sequence', () => {
    const { before, request } = textsOf(explored(['{"c":3}']));
    expect([before, request?.endsWith(', body {"c":3}'), request?.includes('of 1')]).toEqual([undefined, true, false]);
  });

  it('stand in the page and on the terminal, also where no answer came', () => {
    const report = explored(['{"first":1}', '{"second":2}'], { silence: 'closed' });
    const text = terminal(report, { width: 300, colour: false, detail: 'normal' } as never);
    expect(text).toMatch(
      /Unanswered: .*\nBefore it: +request 1, body \{"first":1\}.*\nRequest: +request 2 of 2, which fails/,
    );
    const page = htmlPage(report, {} as never);
    expect(page).toMatch(/Request 1 of 2, answered with \d+:/);
    expect(page).toMatch(/Request 2 of 2, answered with \d+, this one fails:/);
  });
});

it('The page has a curl command beside the path, but not where the upstream is needed', () => {
  const report = explored(['{"c":3}'], { exchange: 'other' });
  const { upstream: _upstream, ...target } = report.target;
  const commandsOf = (shown: Report) =>
    htmlPage(shown, {} as never).match(/the command that sends it again|By its path/g);
  expect(commandsOf({ ...report, target })).toEqual(['By its path', 'the command that sends it again']);
  expect(commandsOf(report)).toEqual(['By its path']);
});

it('The page shows a finding once: with the clause that it breaks, or alone if it breaks none', () => {
  const pathsOf = (change: object) => htmlPage(explored(['{"c":3}'], change), {} as never).match(/By its path/g);
  expect(pathsOf({})).toHaveLength(1);
  expect(pathsOf({ exchange: 'other' })).toHaveLength(1);
});

it('Findings that an exploration tells apart are entries of their own', () => {
  const report = explored(['{"c":3}']);
  const [testCase] = report.cases;
  const [expectation] = testCase?.expectations ?? [];
  const [own] = expectation?.findings ?? [];
  const findings = [
    { ...own, exchange: 'e' },
    { ...own, exchange: 'other' },
    { ...own, exchange: 'after' },
  ];
  const cases = [{ ...testCase, expectations: [{ ...expectation, verdict: 'fail', findings }] }];
  const known = { ...report, cases, exchanges: report.exchanges } as unknown as Report;
  const entries = foldFindings(known);
  expect(entries).toHaveLength(2);
  const drawn = entries.map((entry) => formatFinding(known, entry).drawn);
  expect(drawn.filter((text) => text !== undefined)).toEqual([expect.stringMatching(/^in 1 random /)]);
});

it('The page draws pairs of fields as squares, and a finding as a mark on the pair or the field that it needs', () => {
  const PAIRS = [
    { fields: ['stream', 'text'], values: 1 },
    { fields: ['text', 'top_p'], values: 30 },
  ] as const;
  const at = (pointers: readonly string[], change: object = {}, pairs: ExploreReport['pairs'] = PAIRS) => {
    const difference = pointers.map((pointer) => ({ pointer, failing: '1' }));
    const report = explored(['{"c":3}'], { difference, beside: [], ...change });
    const page = htmlPage({ ...report, explore: { ...FULL_REPORT.explore, ...report.explore, pairs } }, {} as never);
    return {
      squares: [...page.matchAll(/<rect class="d(\d)"[^>]*><title>([^<]*)</g)].map(([, ...each]) => each),
      marks: [...page.matchAll(/<circle class="found" cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, ...place]) => place),
    };
  };
  const { squares, marks } = at(['/messages/0/content', '/top_p']);
  expect(squares).toEqual([
    ['1', 'stream with text: 1 pair of values'],
    ['0', 'stream with top_p: 0 pairs of values'],
    ['3', 'text with top_p: 30 pairs of values'],
  ]);
  expect(marks).toEqual([['20', '34']]);
  expect(at(['/stream']).marks).toEqual([['6', '6']]);
  expect(at(['/stream', '/top_p', '/messages/0/content']).marks).toEqual([]);
  const withUnknown = [...PAIRS, { fields: ['top_p', 'unknown field'], values: 1 }] as const;
  expect(at(['/extra'], {}, withUnknown).marks).toEqual([['48', '48']]);
  expect(at(['/2/stream'], { length: 2 }, withUnknown).marks).toEqual([['6', '6']]);
  // A body that is no JSON has no fields.
  for (const pointer of ['', '/model']) expect(at([pointer], {}, withUnknown).marks).toEqual([]);
  expect(at(['/model', '/top_p']).marks).toEqual([]);
});
