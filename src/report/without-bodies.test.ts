import { describe, expect, it } from 'vitest';
import { quoteText } from '../text/quote.ts';
import { ACTUALS, EXPECTATIONS, OBSERVED_FACTS, QUOTED, REASONS } from '../../test/kit/one-of-each.ts';
import { broken, conforming, exchange, expectation, finding, oneCase } from '../../test/kit/sample-reports.ts';
import { FULL_REPORT } from '../../test/kit/reports.ts';
import type { FindingReport } from './report.ts';
import { withoutBodies } from './without-bodies.ts';

const SAID = 'what was said';

const keptOf = (found: FindingReport): FindingReport | undefined =>
  withoutBodies(broken({ cases: [oneCase('chat/a', [expectation('a', { verdict: 'fail', findings: [found] })])] }))
    .cases[0]?.expectations[0]?.findings[0];

describe('a report without bodies', () => {
  it('contains no text from answers and streams', () => {
    const attempts = conforming().exchanges.map((each) => each.attempts);
    const said = JSON.parse(JSON.stringify(attempts).replaceAll('{}', SAID)) as (typeof attempts)[number][];
    const exchanges = said.map((each, index) => exchange(String(index), { attempts: each }));
    const found = finding({ actual: { kind: 'text', text: quoteText(SAID) } });
    const report = broken({
      exchanges,
      cases: [oneCase('chat/a', [expectation('a', { verdict: 'fail', findings: [found] })])],
    });
    expect(JSON.stringify(report)).toContain(SAID);
    expect(JSON.stringify(withoutBodies(report))).not.toContain(SAID);
  });

  it('keeps which events of a stream have text, so that it is drawn as before', () => {
    const events = [
      { at: 1, data: SAID, hasText: true },
      { at: 2, event: SAID, data: SAID },
    ] as const;
    const stream = { end: 'done', events, eventCount: 2, reads: [], comments: 0 } as const;
    const [attempt] = FULL_REPORT.exchanges[0]!.attempts;
    const attempts = [{ ...attempt!, answer: { ...attempt!.answer, stream } }];
    const kept = withoutBodies(broken({ exchanges: [exchange('a', { attempts })] }));
    expect(kept.exchanges[0]?.attempts[0]?.answer?.stream?.events).toEqual([
      { at: 1, data: '', hasText: true },
      { at: 2, event: '…', data: '' },
    ]);
  });

  it('keeps our own requests and their commands', () => {
    const sent = exchange('a', { body: '{"model":"alpha-1"}', repeat: 'curl it' });
    expect(withoutBodies(broken({ exchanges: [sent] })).exchanges[0]).toMatchObject({
      body: sent.body,
      repeat: 'curl it',
    });
  });

  it('leaves out a request that names another listed model, and a request of somebody else', () => {
    const sent = exchange('models/listed#1', {
      body: '{"model":"their-other-model"}',
      repeat: 'curl their-other-model',
    });
    const testCase = oneCase('models/listed', [expectation('a')], {
      exchange: sent.id,
      repeat: 'curl their-other-model',
    });
    const report = broken({ exchanges: [sent], cases: [testCase] });
    const kept = withoutBodies(report);
    expect(JSON.stringify(kept)).not.toContain('their-other-model');
    expect(kept.cases[0]?.repeat).toContain('--only models/listed ');
    const findings = [{ exchange: sent.id, path: '17:2' }];
    const drawn = withoutBodies({ ...report, explore: { findings } } as unknown as typeof report);
    expect(drawn.cases[0]?.repeat).toMatch(/ explore http.* --path 17:2 --out none$/);
    const nothing = { requests: 0, completions: 0, tokens: 0 };
    const foreign = {
      ...report,
      exchanges: [exchange('b', { body: 'their words' })],
      cost: { ...report.cost, most: nothing },
    };
    expect(JSON.stringify(withoutBodies(foreign))).not.toContain('their words');
  });

  it('drops every quote, wherever it is, and keeps its length', () => {
    const expectations = [
      ...REASONS.map((reason) => expectation('a', { verdict: 'skipped', reason })),
      ...ACTUALS.map((actual) => expectation('a', { verdict: 'fail', findings: [finding({ actual })] })),
      ...EXPECTATIONS.map((expected) => expectation('a', { verdict: 'fail', findings: [finding({ expected })] })),
      ...OBSERVED_FACTS.map((value) => expectation('a', { observations: [{ name: 'outcome', value }] })),
    ];
    const report = conforming({ cases: [oneCase('chat/a', expectations)] });
    const texts = (value: unknown) =>
      [...JSON.stringify(value).matchAll(/"quote":("[^"]*"|null),"length":400/g)].map(([, text]) => text);
    const before = texts(report.cases);
    expect(before.length).toBeGreaterThan(20);
    const after = withoutBodies(report).cases;
    expect(texts(after)).toEqual(before.map(() => 'null'));
    expect(JSON.stringify(after)).not.toContain(QUOTED);
  });

  it('keeps lengths, times, statuses and verdicts', () => {
    const report = broken({ exchanges: [exchange('a')] });
    const kept = withoutBodies(report);
    expect(kept.exchanges[0]?.attempts[0]?.answer).toMatchObject({
      status: 200,
      endAt: 4.4,
      body: { bytes: 2, shown: 0 },
    });
    expect(kept.counts).toEqual(report.counts);
    expect(kept.cases.map(({ verdict }) => verdict)).toEqual(report.cases.map(({ verdict }) => verdict));
  });

  it('keeps the model, and the status, type and numbers of a finding', () => {
    const report = broken();
    expect(withoutBodies(report).target).toEqual(report.target);
    const status = finding({ actual: { kind: 'status', status: 500, message: quoteText(SAID) } });
    expect(keptOf(status)?.actual).toEqual({ kind: 'status', status: 500, message: { quote: null, length: 13 } });
    expect(keptOf(finding())).toEqual(finding());
  });

  it('keeps pointers to the same values', () => {
    const actual = { kind: 'repeated', value: quoteText('m'), pointer: '/data/0/id' } as const;
    expect(keptOf(finding({ actual }))?.actual).toMatchObject({ pointer: '/data/0/id', value: { quote: null } });
  });

  it('hides names that only the target uses in pointers', () => {
    expect(keptOf(finding({ pointer: '/choices/0/their_field/index' }))?.pointer).toBe('/choices/0/…/index');
  });

  it('keeps standard names, such as the types of errors, and hides the others', () => {
    const type = (text: string) => {
      const actual = { kind: 'status', status: 401, type: quoteText(text), message: quoteText(SAID) } as const;
      return keptOf(finding({ actual }))?.actual;
    };
    expect(type('authentication_error')).toMatchObject({ type: { quote: 'authentication_error' } });
    expect(type('their_type')).toMatchObject({ type: { quote: null }, message: { quote: null } });
  });

  it('hides the name of a field that is required', () => {
    const actual = { kind: 'field-required', field: quoteText('their_field') } as const;
    const kept = keptOf(finding({ actual, actualType: 'field-required' }));
    expect(JSON.stringify(kept)).not.toContain('their_field');
  });

  it('keeps standard headers and hides the others', () => {
    const [attempt] = exchange('a').attempts;
    const headers = [
      ['content-type', 'application/json'],
      ['retry-after', '60'],
      ['server', SAID],
      ['x-their-header', '7'],
    ] as const;
    const answered = { ...attempt!, answer: { ...attempt!.answer!, headers } };
    const kept = withoutBodies(broken({ exchanges: [exchange('a', { attempts: [answered] })] }));
    expect(kept.exchanges[0]?.attempts[0]?.answer?.headers).toEqual([
      ['content-type', 'application/json'],
      ['retry-after', '60'],
      ['server', '(left out by --no-bodies)'],
      ['…', '7'],
    ]);
  });
});
