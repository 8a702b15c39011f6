/** What a count of a fault is a count of. */
import { describe, expect, it } from 'vitest';
import { boardOf, on } from '../../test/kit/boards.ts';
import { exchangeOf, statusFinding } from '../../test/kit/fold-reports.ts';
import { textOf } from '../../test/kit/reading-pages.ts';
import { checkRelayWith } from '../../test/kit/relay-runs.ts';
import { broken, clause, expectation, oneCase } from '../../test/kit/sample-reports.ts';
import type { Report } from '../report/report.ts';
import type { RelayModifier } from '../../selftest/relays/relay-modifier.ts';
import type { FormatName } from '../settings/format-names.ts';
import { quoteText } from '../text/quote.ts';
import { boardHtml } from './board/board-html.ts';
import { foldFindings } from './fold.ts';
import { render } from './index.ts';
import { formatFurther } from './finding-text.ts';
import { listObserved } from './unjudged.ts';
import { addCauses } from './json.ts';

const UPSTREAM = { baseUrl: 'http://127.0.0.1/v1', upstream: { url: 'http://127.0.0.1:5055/v1' } };

interface Breaking {
  readonly id: string;
  /** Answers that show it, beside the first. */
  readonly moreAnswers?: number;
  /** It looks at the answers that other cases got. */
  readonly looks?: boolean;
  readonly side?: 'upstream';
  readonly actual?: Parameters<typeof statusFinding>[1];
}

/** A report on a relay whose cases all break one clause. */
function relayOf(...breaking: readonly Breaking[]): Report {
  const cases = breaking.map(({ id, moreAnswers = 0, looks = false, actual }) => {
    const findings = [statusFinding(id, { moreAnswers, ...actual })];
    return oneCase(id, [expectation('relay.usage', { verdict: 'fail', findings })], looks ? {} : { exchange: id });
  });
  const exchanges = breaking.map(({ id, side }) => exchangeOf({ id, request: side ? { side } : {} }));
  const clauses = [clause('relay.usage', { verdict: 'fail' })];
  return broken({ subject: 'relay', target: UPSTREAM, cases, exchanges, clauses });
}

const TWO = [{ id: 'relay/plain' }, { id: 'relay/plain-usage' }];
const furtherIn = (report: Report) => foldFindings(report).map(formatFurther);

describe('a fault of a relay', () => {
  it.each<[string, readonly Breaking[], string]>([
    ['cases, if other answers were not judged', TWO, 'and in 1 more case'],
    ['cases, although one got several answers', [TWO[0]!, { ...TWO[1]!, moreAnswers: 7 }], 'and in 1 more case'],
    ['the calls of its only case', [{ id: 'relay/parallel', moreAnswers: 22 }], 'and in 22 more calls of its case'],
    ['nothing, if one answer was wrong', [{ id: 'relay/plain' }], ''],
    ['answers, if all were looked at', [{ id: 'relay/front', looks: true, moreAnswers: 53 }], 'and in 53 more answers'],
    [
      'answers, if all were looked at beside those of cases',
      [...TWO, { id: 'relay/every-reply', looks: true, moreAnswers: 60 }],
      'and in 60 more answers',
    ],
    [
      'upstream calls, if all were looked at',
      [{ id: 'relay/client-key', looks: true, side: 'upstream', moreAnswers: 162 }],
      'and in 162 more upstream calls',
    ],
  ])('counts %s', (_, breaking, words) => {
    expect(furtherIn(relayOf(...breaking))).toEqual([words]);
  });

  it('is counted the same in every format', () => {
    const report = relayOf(...TWO);
    const plain = (format: FormatName) => render(report, format).replaceAll(/\s+/g, ' ');
    for (const format of ['terminal', 'markdown', 'junit', 'github', 'agent'] as const) {
      expect(plain(format), format).toContain('and in 1 more case');
    }
    expect(textOf(render(report, 'html')).replaceAll(/\s+/g, ' ')).toContain('part 7 2 cases Copy link');
    expect(plain('summary')).toContain('2 cases, such as');
    for (const format of ['terminal', 'markdown', 'junit', 'github', 'agent', 'html', 'summary', 'sarif'] as const) {
      expect(plain(format), format).not.toMatch(/\d (?:more )?answers?\b/);
    }
    expect(addCauses(report).causes).toMatchObject([{ answers: 2, cases: TWO.map(({ id }) => id) }]);
  });

  it.each<[readonly Breaking[], string]>([
    [TWO, '2 cases'],
    [[{ id: 'relay/parallel', moreAnswers: 22 }], '1 case, 23 calls'],
    [[{ id: 'relay/front', looks: true, moreAnswers: 53 }], '1 case, 54 answers'],
  ])('is counted so on the board: %#', (breaking, words) => {
    const page = textOf(boardHtml(boardOf(on('relay', 1, relayOf(...breaking)))));
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`Seen in ${words} `);
  });

  it('has its other forms counted in cases', () => {
    const given = { kind: 'answer', status: 200, body: quoteText('{}') } as const;
    const expected = { kind: 'status', status: 401 } as const;
    const completion = { ...given, content: { kind: 'completion', text: quoteText('Hello.') } } as const;
    const list = { ...given, content: { kind: 'models', count: 2 } } as const;
    const forms = [completion, list, list].map((actual, at) => ({
      id: `relay/${at}`,
      actual: { expected, actual, actualType: '2xx' } as const,
    }));
    const report = relayOf(...forms);
    expect(addCauses(report).causes?.map(({ also }) => also)).toEqual(['200 with a list of 2 models in 2 cases']);
  });

  it('is counted in cases where the clause is only observed', () => {
    const { cases, ...rest } = relayOf(...TWO);
    const lowered = cases.map((each) => ({
      ...each,
      expectations: each.expectations.map((own) => ({ ...own, verdict: 'observed', level: 'observe' }) as const),
    }));
    const [observed] = listObserved({ ...rest, cases: lowered, observations: [] });
    expect(observed?.facts).toEqual([
      ['kept', ['in 0 of 2 cases']],
      ['seen', [expect.stringMatching(/ \(2 cases\)$/)]],
    ]);
  });

  it('is counted in answers if its requests were drawn, since each is judged by every clause', () => {
    const explore = { findings: [] } as unknown as NonNullable<Report['explore']>;
    expect(furtherIn({ ...relayOf(...TWO), explore })).toEqual(['and in 1 more answer']);
  });
});

it('A relay that drops the token counts of every reply breaks the clause in the cases that judge it', async () => {
  const drop = { reply: ({ usage: _usage, ...reply }) => reply } satisfies RelayModifier;
  const report = await checkRelayWith(drop, 'plain', 'plain-usage', 'plain-unicode', 'plain-markup');
  expect(foldFindings(report).map((entry) => [entry.cases, formatFurther(entry)])).toEqual([
    [['relay/plain', 'relay/plain-usage'], 'and in 1 more case'],
  ]);
});

it('A fault of a gateway is counted in answers', () => {
  const { subject: _subject, ...gateway } = relayOf(...TWO);
  expect(furtherIn(gateway)).toEqual(['and in 1 more answer']);
});
