import { describe, expect, it } from 'vitest';
import { broken, expectation, finding, oneCase } from '../../test/kit/sample-reports.ts';
import type { Report } from '../report/report.ts';
import { quoteText } from '../text/quote.ts';
import type { Finding } from '../verdict/verdict.ts';
import { formatFurther } from './finding-text.ts';
import { foldFindings } from './fold.ts';
import { type Sent, exchangeOf, statusFinding, reportOf } from '../../test/kit/fold-reports.ts';

const foldedCases = (report: Report) => foldFindings(report).map(({ cases }) => cases);

describe('a key that answers repeat', () => {
  it('is one entry, whatever the status of the answers', () => {
    const sent = [
      { id: 'a', status: 200 },
      { id: 'b', status: 404, error: { type: 'not_found_error' } },
    ];
    const findings = sent.map(({ id }) => statusFinding(id, { mismatch: 'echo' }));
    const testCase = oneCase('auth/key-echo', [expectation('auth.key-echo', { verdict: 'warn', findings })]);
    expect(foldFindings(broken({ cases: [testCase], exchanges: sent.map(exchangeOf) }))).toHaveLength(1);
  });
});

describe('a fault of a relay', () => {
  const relayOf = (...findings: readonly Parameters<typeof finding>[0][]) =>
    broken({
      cases: findings.map((each, at) =>
        oneCase(`relay/${at}`, [expectation('relay.text', { verdict: 'fail', findings: [finding(each)] })]),
      ),
    });
  const limitOf = (tokens: number) => ({ kind: 'token-limit', tokens }) as const;
  const text = { kind: 'upstream-text', text: quoteText('a'), from: 0 } as const;

  it('is one entry, whatever the request and however it shows, with its other forms', () => {
    expect(foldedCases(relayOf({ expected: limitOf(7) }, { expected: limitOf(1_999) }))).toHaveLength(1);
    const [entry] = foldFindings(
      relayOf(
        { mismatch: 'text-lost', expected: text },
        { mismatch: 'text-altered', expected: text },
        { mismatch: 'text-altered', expected: text },
      ),
    );
    expect(entry?.cases).toHaveLength(3);
    expect(entry?.forms).toHaveLength(1);
  });

  it('has one form, whatever the status', () => {
    const page = (status: number) =>
      ({ expected: { kind: 'error-body' }, actual: { kind: 'answer', status, content: { kind: 'page' } } }) as never;
    expect(foldFindings(relayOf(page(502), page(429)))).toMatchObject([{ forms: [] }]);
  });

  it('is another one at another place', () => {
    const places = ['/temperature', '/top_p'].map((pointer) => ({ pointer, expected: text }));
    expect(foldFindings(relayOf(...places))).toHaveLength(2);
  });
});

describe('a clause of what sends the bytes of any answer', () => {
  const entriesOf = (name: string, ...findings: readonly Parameters<typeof finding>[0][]) => {
    const broke = findings.map((each) => expectation(name, { verdict: 'fail', findings: [finding(each)] }));
    return foldFindings(broken({ cases: broke.map((each, at) => oneCase(`a/${at}`, [each])) }));
  };
  const labelled = (status: number, actualType: Finding['actualType']) =>
    ({
      mismatch: 'content-type',
      expected: { kind: 'media-type', type: `for ${status}` },
      actualType,
      status,
    }) as const;
  const [failed, closed] = [{ mismatch: 'status', actualType: '5xx' } as const, { mismatch: 'no-body' } as const];

  it('has an entry for each kind of what was found, whatever the status', () => {
    const other = 'other-media-type';
    expect(entriesOf('wire.json-labelled', labelled(200, other), labelled(401, other))).toHaveLength(1);
    expect(entriesOf('wire.json-labelled', labelled(200, 'absent'), labelled(401, other))).toHaveLength(2);
    expect(entriesOf('load.answered', failed, closed, failed)).toMatchObject([{ cases: ['a/0', 'a/2'] }, {}]);
  });
});

describe('requests that were drawn', () => {
  const sent = ['a', 'b', 'c'].map((id) => ({ id, error: { type: 'x' } }));
  const explored = (...ids: readonly string[]): Report => {
    const findings = ids.map((exchange) => ({ exchange }));
    return { ...reportOf(...sent), explore: { findings } } as unknown as Report;
  };

  it('have an entry for each cause that an exploration told apart', () => {
    expect(foldedCases(explored('a', 'b', 'c'))).toEqual([['a'], ['b'], ['c']]);
  });

  it('and share one with nothing else', () => {
    expect(foldedCases(explored('b'))).toEqual([['a', 'c'], ['b']]);
  });
});

describe('an intermittent failure', () => {
  const answers = { judged: 40, broken: 9 };

  it('counts the answers that broke the clause', () => {
    const findings = [statusFinding('a', { moreAnswers: 3 })];
    const testCase = oneCase('a/b', [
      expectation('errors.code', { verdict: 'fail', findings, answers, intermittent: true }),
    ]);
    const [entry] = foldFindings(broken({ cases: [testCase], exchanges: [exchangeOf({ id: 'a' })] }));
    expect(entry?.intermittent).toEqual(answers);
  });

  it('is shown by a case that some answers keep, so that its command asks until the fault shows', () => {
    const fails = { verdict: 'fail', findings: [statusFinding('a')] } as const;
    const cases = [
      oneCase('a/always', [expectation('errors.code', { ...fails, answers: { judged: 4, broken: 4 } })]),
      oneCase('a/sometimes', [expectation('errors.code', { ...fails, answers, intermittent: true })]),
    ];
    const [entry] = foldFindings(broken({ cases, exchanges: [exchangeOf({ id: 'a' })] }));
    expect(entry?.case.id).toBe('a/sometimes');
  });

  it('that shows in several statuses is one entry, with the counts of each', () => {
    const sent = [
      { id: 'a', status: 400, error: { type: 'x' } },
      { id: 'b', status: 401, error: { type: 'y' } },
    ];
    const findings = sent.map(({ id, status }, place) => statusFinding(id, { status, moreAnswers: 4 - place }));
    const statuses = [
      { status: 400, judged: 20, broken: 5 },
      { status: 401, judged: 10, broken: 4 },
    ];
    const testCase = oneCase('a/b', [
      expectation('errors.code', { verdict: 'fail', findings, answers: { ...answers, statuses }, intermittent: true }),
    ]);
    const report = broken({ cases: [testCase], exchanges: sent.map(exchangeOf) });
    const [entry, ...others] = foldFindings(report);
    expect(others).toEqual([]);
    expect(entry?.intermittent).toEqual({ judged: 30, broken: 9, statuses });
    expect(entry && formatFurther(entry)).toBe('intermittent: 5 of 20 answers with status 400, 4 of 10 with 401');
  });

  it('that shows in several ways counts the answers of each by themselves', () => {
    const findings = [
      statusFinding('a', { status: 400, moreAnswers: 4 }),
      statusFinding('a', { status: 400, moreAnswers: 3, pointer: '/error/type' }),
    ];
    const testCase = oneCase('a/b', [
      expectation('errors.code', { verdict: 'fail', findings, answers, intermittent: true }),
    ]);
    const entries = foldFindings(broken({ cases: [testCase], exchanges: [exchangeOf({ id: 'a', status: 400 })] }));
    expect(entries.map(({ intermittent }) => intermittent)).toEqual([
      { judged: 40, broken: 5 },
      { judged: 40, broken: 4 },
    ]);
  });
});

it('What harms users comes before what more answers show', () => {
  const failing = (id: string, clause: string, moreAnswers: number) =>
    oneCase(id, [expectation(clause, { verdict: 'fail', findings: [statusFinding('a', { moreAnswers })] })]);
  const cases = [failing('a/shape', 'errors.code', 30), failing('a/key', 'auth.missing-key', 0)];
  const sample = broken({ cases, exchanges: [exchangeOf({ id: 'a' })] });
  const [clause] = sample.clauses;
  if (!clause) throw new Error('The sample has a clause.');
  const report: Report = { ...sample, clauses: [{ ...clause, id: 'auth.missing-key', safety: true }] };
  expect(foldedCases(report)).toEqual([['a/key'], ['a/shape']]);
});

it('A completion that should have been refused comes before what more answers show, and after what harms users', () => {
  const failing = (id: string, clause: string, parts: Parameters<typeof statusFinding>[1]) =>
    oneCase(id, [expectation(clause, { verdict: 'fail', findings: [statusFinding('a', parts)] })]);
  const cases = [
    failing('a/shape', 'errors.code', { moreAnswers: 30 }),
    failing('a/limit', 'limits.temperature', { mismatch: 'completion' }),
    failing('a/key', 'auth.missing-key', {}),
  ];
  const sample = broken({ cases, exchanges: [exchangeOf({ id: 'a' })] });
  const clauses = sample.clauses
    .slice(0, 1)
    .map((each) => ({ ...each, id: 'auth.missing-key', safety: true as const }));
  expect(foldedCases({ ...sample, clauses })).toEqual([['a/key'], ['a/limit'], ['a/shape']]);
});

it('An answer that one case got and another one looked at counts once', () => {
  const findings = [statusFinding('a', { moreAnswers: 5 })];
  const own = oneCase('a/own', [expectation('errors.code', { verdict: 'fail', findings: [statusFinding('a')] })], {
    exchange: 'a',
  });
  const every = oneCase('a/every', [expectation('errors.code', { verdict: 'fail', findings })]);
  const [entry] = foldFindings(broken({ cases: [own, every], exchanges: [exchangeOf({ id: 'a' })] }));
  expect(entry).toMatchObject({ cases: ['a/own', 'a/every'], answers: 6 });
});

describe('causes', () => {
  it.each<[string, Omit<Sent, 'id'>]>([
    ['status', { status: 503, error: { type: 'server', code: 'x' } }],
    ['type', { status: 500, error: { type: 'upstream', code: 'x' } }],
    ['code', { status: 500, error: { type: 'server', code: 'y' } }],
  ])('differ if the %s of the error differs', (_, other) => {
    const failure = { status: 500, error: { type: 'server', code: 'x' } };
    const report = reportOf({ id: 'a/a', ...failure }, { id: 'a/b', ...other }, { id: 'a/c', ...failure });
    expect(foldedCases(report)).toEqual([['a/a', 'a/c'], ['a/b']]);
  });

  it('of a wrong body do not differ by its code, of which there may be one for each kind of mistake', () => {
    const sent = ['x', 'y'].map((code) => ({ id: `a/${code}`, error: { code } }));
    const findings = sent.map(({ id }) => finding({ exchange: id, pointer: '/error/type', status: 400 }));
    const cases = [
      oneCase('errors/every-error-body[type]', [expectation('errors.type', { verdict: 'fail', findings })]),
    ];
    const report = broken({ cases, exchanges: sent.map(exchangeOf) });
    const entries = foldFindings(report);
    expect(entries.map((entry) => formatFurther(entry))).toEqual(['and in 1 more answer']);
  });

  it('do not differ by bodies that the report does not have', () => {
    const report = reportOf({ id: 'a/a', error: { type: 'x' } }, { id: 'a/b', error: { type: 'y' } });
    const withoutText = report.exchanges.map((exchange) => ({
      ...exchange,
      attempts: exchange.attempts.map((attempt) => ({
        ...attempt,
        ...(attempt.answer && { answer: { ...attempt.answer, body: { ...attempt.answer.body, text: '', shown: 0 } } }),
      })),
    }));
    expect(foldedCases({ ...report, exchanges: withoutText })).toEqual([['a/a', 'a/b']]);
  });
});

it.each([
  ['bad-request', 'and in 2 more requests'],
  ['silent', 'and in 2 more scenarios'],
] as const)('A client is found by what it sent or what it made of scenarios: %s', (result, words) => {
  const client = { result, said: quoteText(''), complaint: quoteText(''), time: 1, exchanges: [] };
  const found = expectation('c', { verdict: 'fail', findings: [finding({ moreAnswers: 2 })] });
  const report = {
    ...broken({
      cases: [oneCase('client/x', [found], { client, suite: result === 'silent' ? 'failures' : 'requests' })],
    }),
    subject: 'client',
  } as const;
  expect(foldFindings(report).map((entry) => formatFurther(entry))).toEqual([words]);
});

it('Entries are in order of verdict, level and number of answers', () => {
  const entry = (id: string, level: 'must' | 'should', verdict: 'fail' | 'warn', moreAnswers: number) =>
    oneCase(id, [expectation(id, { level, verdict, findings: [finding({ moreAnswers })] })]);
  const cases = [
    entry('a/warn', 'should', 'warn', 9),
    entry('a/strict', 'should', 'fail', 9),
    entry('a/few', 'must', 'fail', 1),
    entry('a/many', 'must', 'fail', 5),
  ];
  expect(foldFindings(broken({ cases })).map((entry) => entry.case.id)).toEqual([
    'a/many',
    'a/few',
    'a/strict',
    'a/warn',
  ]);
});
