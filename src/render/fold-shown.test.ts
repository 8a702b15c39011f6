import { describe, expect, it } from 'vitest';
import { exchangeOf, reportOf } from '../../test/kit/fold-reports.ts';
import { broken, expectation, finding, oneCase } from '../../test/kit/sample-reports.ts';
import type { ExchangeReport } from '../report/report.ts';
import { formatFinding, formatFurther } from './finding-text.ts';
import { foldFindings } from './fold.ts';

describe('the finding to show', () => {
  const chat = { endpoint: 'chat', method: 'POST', path: '/chat/completions' } as const;
  const json = [['content-type', 'application/json']] as const;

  it.each<[string, Partial<ExchangeReport>, Partial<ExchangeReport>]>([
    ['labelled as JSON', { ...chat, headers: [], body: '{}' }, { ...chat, headers: json, body: '{"model":"a"}' }],
    ['with a JSON body', { ...chat, headers: json, body: '{' }, { ...chat, headers: json, body: '{"model":"a"}' }],
    ['for the model list', { ...chat, headers: json, body: '{}' }, {}],
    [
      'that is not streamed',
      { ...chat, headers: json, body: '{}', mode: 'stream' },
      { ...chat, headers: json, body: '{"a":1}' },
    ],
    ['with the plainer key', { key: 'longer' }, { key: 'unknown' }],
    ['without a query', { path: '/models?key=x' }, {}],
    ['with the shorter body', { ...chat, headers: json, body: '{"a":1}' }, { ...chat, headers: json, body: '{}' }],
  ])('has the request %s', (_, odd, plain) => {
    const [entry] = foldFindings(reportOf({ id: 'a/odd', request: odd }, { id: 'a/plain', request: plain }));
    expect([entry?.case.id, entry?.finding?.exchange]).toEqual(['a/plain', 'a/plain']);
  });

  it('has a base request, although edits made another one shorter', () => {
    const edited = { id: 'a/edited', request: { ...chat, headers: json, body: '{}' } };
    const base = { id: 'chat', request: { ...chat, headers: json, body: '{"model":"a"}' } };
    expect(foldFindings(reportOf(edited, base))[0]?.finding?.exchange).toBe('chat');
  });

  it('can be repeated by its request, if any can', () => {
    const long = { id: 'a/plain' };
    const short = { id: 'a/odd', request: { key: 'longer', repeat: 'curl' } } as const;
    expect(foldFindings(reportOf(short, long))[0]?.case.id).toBe('a/odd');
    expect(foldFindings(reportOf({ ...short, request: { key: 'longer' } }, long))[0]?.case.id).toBe('a/plain');
  });

  it('names the edits of the case that sent the request', () => {
    const sender = oneCase('a/sent', [expectation('c')], {
      exchange: 'a/sent',
      repeat: 'npx --no-install wirecheck run … --only a/sent',
      edits: [{ kind: 'remove', pointer: '/model' }],
    });
    const found = finding({ exchange: 'a/sent', status: 400, more: 3, moreAnswers: 2 });
    const judge = oneCase('errors/every-error-body[code]', [
      expectation('errors.code', { verdict: 'fail', findings: [found] }),
    ]);
    const textsFor = (request: Partial<ExchangeReport>) => {
      const report = broken({ cases: [sender, judge], exchanges: [exchangeOf({ id: 'a/sent', request })] });
      const [entry] = foldFindings(report);
      if (!entry) throw new Error('no entry');
      expect(formatFurther(entry)).toBe('and in 2 more answers');
      return formatFinding(report, entry);
    };
    expect(textsFor({ ...chat, repeat: 'curl it' })).toMatchObject({
      request: 'POST /v1/chat/completions, without /model',
      repeat: 'curl it',
    });
    // A run of the case that sent it would judge something else.
    expect(textsFor(chat).repeat).toContain(` --only 'errors/every-error-body[code]' `);
  });
});
