import { describe, expect, it } from 'vitest';
import { exchangeOf, statusFinding } from '../../test/kit/fold-reports.ts';
import { broken, expectation, oneCase } from '../../test/kit/sample-reports.ts';
import type { Report } from '../report/report.ts';
import { quoteText } from '../text/quote.ts';
import type { Actual } from '../verdict/actual.ts';
import type { AnswerKind } from '../verdict/verdict.ts';
import { findingSentence, formatFinding, formatFurther } from './finding-text.ts';
import { foldFindings } from './fold.ts';
import { addCauses } from './json.ts';

const given = (content: Extract<Actual, { kind: 'answer' }>['content']): Actual => ({
  kind: 'answer',
  status: 200,
  body: quoteText('{}'),
  ...(content && { content }),
});
const LIST = given({ kind: 'models', count: 2 });
const COMPLETION = given({ kind: 'completion', text: quoteText('Hello.') });
const STREAM = given({ kind: 'events', count: 5 });
const statusOf = (status: number): Actual => ({ kind: 'status', status });

/** A case for each answer to a request without a valid key. */
function withoutKey(...answers: readonly (readonly [Actual, number?])[]): Report {
  const cases = answers.map(([actual, moreAnswers = 0], place) => {
    const actualType = 'status' in actual && actual.status < 300 ? '2xx' : '4xx';
    const parts = { expected: { kind: 'status', status: 401 }, actual, actualType, moreAnswers } as const;
    const findings = [statusFinding(`a${place}`, parts)];
    return oneCase(`a/${place}`, [expectation('auth.required', { verdict: 'fail', findings })], {
      exchange: `a${place}`,
    });
  });
  const statuses = answers.map(([actual]) => ('status' in actual ? actual.status : 200));
  const exchanges = statuses.map((status, place) => exchangeOf({ id: `a${place}`, status, error: { code: place } }));
  return broken({ cases, exchanges });
}

describe('a key that is not looked at', () => {
  it('is one cause, led by a completion, with its other forms and how many answers have each', () => {
    const report = withoutKey([LIST, 4], [statusOf(400), 6], [COMPLETION], [STREAM], [statusOf(404)], [COMPLETION]);
    const [entry, ...others] = foldFindings(report);
    if (!entry) throw new Error('There is an entry.');
    expect(others).toEqual([]);
    const { actual, also } = formatFinding(report, entry);
    expect(actual).toBe('200 with a completion: "Hello."');
    expect(also).toBe(
      '200 with a stream of 5 events in 1 answer; 400 in 7 answers; 200 with a list of 2 models in 5 answers; 404 in 1 answer',
    );
    expect(findingSentence(report, entry)).toContain(`; also ${also}.`);
    expect(addCauses(report).causes).toMatchObject([{ actual, also, answers: 16 }]);
    expect(formatFurther(entry)).toBe('and in 1 more answer');
  });

  it('shows in no more answers than have the form that is shown', () => {
    const report = withoutKey([COMPLETION], [STREAM, 4], [statusOf(400), 6]);
    expect(foldFindings(report).map((entry) => [entry.answers, formatFurther(entry)])).toEqual([[13, '']]);
    const more = withoutKey([COMPLETION, 7], [STREAM, 2], [statusOf(400), 5], [statusOf(404), 2]);
    expect(foldFindings(more).map((entry) => formatFurther(entry))).toEqual(['and in 7 more answers']);
  });

  it('has no other form if all answers are alike', () => {
    const report = withoutKey([LIST], [LIST]);
    expect(foldFindings(report).map((entry) => formatFinding(report, entry).also)).toEqual([undefined]);
  });

  it('is another fault than a key that is looked at after the body', () => {
    const { cases, exchanges, ...rest } = withoutKey([statusOf(400)], [statusOf(404)]);
    const late = { ...rest, cases, exchanges };
    expect(foldFindings(late)).toHaveLength(2);
    const refused = oneCase('a/refused', [expectation('auth.required', { verdict: 'pass' })], { exchange: 'r' });
    const known = { ...late, cases: [...cases, refused], exchanges: [...exchanges, exchangeOf({ id: 'r' })] };
    expect(foldFindings(known).map((entry) => formatFinding(known, entry).also)).toEqual(['404 in 1 answer']);
    const other = exchangeOf({ id: 'r', request: { key: 'longer' } });
    expect(foldFindings({ ...known, exchanges: [...exchanges, other] })).toHaveLength(2);
  });

  it.each([403, 302])('is another fault than a %i for a key that was looked at', (status) => {
    expect(foldFindings(withoutKey([LIST], [statusOf(status)]))).toHaveLength(2);
  });
});

describe('answers of which some keep a clause', () => {
  const looked = (parts: Parameters<typeof expectation>[1], exchange?: string): Report =>
    broken({
      cases: [
        oneCase(
          'errors/every-error-body[code]',
          [
            expectation('errors.code', {
              verdict: 'fail',
              findings: [statusFinding('a', { status: 400, mismatch: 'type' })],
              ...parts,
            }),
          ],
          exchange === undefined ? {} : { exchange },
        ),
      ],
      exchanges: [exchangeOf({ id: 'a' })],
    });
  const textsOf = (report: Report) =>
    foldFindings(report).map((entry) => [formatFurther(entry), findingSentence(report, entry)]);

  it('are counted in every format, and may have to be asked for several times', () => {
    const statuses = [{ status: 400, judged: 60, broken: 21 }];
    const report = looked({ answers: { judged: 105, broken: 21, statuses } });
    const [[further, sentence] = []] = textsOf(report);
    expect(further).toBe('in 21 of 60 answers with status 400');
    expect(sentence).toContain('got 500, in 21 of 60 answers with status 400.');
    expect(addCauses(report).causes?.[0]?.share).toEqual({ judged: 60, broken: 21, statuses });
  });

  it('may have to be asked for several times if some to the same kind of request are right, with the same status', () => {
    const answers = { judged: 105, broken: 21, statuses: [{ status: 400, judged: 60, broken: 21 }] };
    const shown = { endpoint: 'chat', mode: 'plain', status: 400 } as const;
    const triesOf = (...mixed: readonly AnswerKind[]) => {
      const made = looked({ answers, mixed });
      const report = {
        ...made,
        exchanges: [exchangeOf({ id: 'a', status: 400, request: { endpoint: 'chat', mode: 'plain' } })],
      };
      return foldFindings(report).map((entry) => [formatFurther(entry), formatFinding(report, entry).tries]);
    };
    const counted = 'in 21 of 60 answers with status 400';
    expect(triesOf({ ...shown, status: 401 }, shown)).toEqual([
      [counted, expect.stringContaining('If the command does not show it, run it again.')],
    ]);
    const others = [
      { ...shown, endpoint: 'models' } as const,
      { ...shown, mode: 'stream' } as const,
      { ...shown, status: 401 },
    ];
    expect([triesOf(), triesOf(...others)].flat()).toEqual([
      [counted, undefined],
      [counted, undefined],
    ]);
  });

  it('are counted together with those of a case that none keeps', () => {
    const findings = [statusFinding('a', { status: 400, mismatch: 'type' })];
    const report = looked({
      findings,
      answers: { judged: 9, broken: 1, statuses: [{ status: 400, judged: 9, broken: 1 }] },
    });
    const other = [statusFinding('a', { status: 400, mismatch: 'type', moreAnswers: 2 })];
    const further = expectation('errors.code', { verdict: 'fail', findings: other, answers: { judged: 3, broken: 3 } });
    const both = { ...report, cases: [...report.cases, oneCase('errors/other', [further])] };
    expect(textsOf(both).map(([words]) => words)).toEqual(['in 4 of 12 answers with status 400']);
  });

  it('are called intermittent in every format if the same request had both', () => {
    const report = looked({ answers: { judged: 9, broken: 2 }, intermittent: true });
    const [[further, sentence] = []] = textsOf(report);
    expect(further).toBe('intermittent: 2 of 9 answers');
    expect(sentence).toContain('got 500, intermittent: 2 of 9 answers.');
    expect(addCauses(report).causes?.[0]?.intermittent).toEqual({ judged: 9, broken: 2 });
  });

  it.each<[string, Report]>([
    [
      'all with the same status',
      looked({ answers: { judged: 9, broken: 4, statuses: [{ status: 400, judged: 4, broken: 4 }] } }),
    ],
    ['a case with a request of its own', looked({ answers: { judged: 2, broken: 1 } }, 'a')],
    [
      'an answer as a whole',
      looked({ answers: { judged: 9, broken: 1 }, findings: [statusFinding('a', { mismatch: 'echo' })] }),
    ],
    ['all answers', looked({ answers: { judged: 3, broken: 3 } })],
  ])('are not told of %s', (_, report) => {
    expect(textsOf(report).map(([further]) => further)).toEqual(['']);
  });
});
