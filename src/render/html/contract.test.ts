import { describe, expect, it } from 'vitest';
import { runGateway } from '../../../test/kit/real-run.ts';
import { page, sectionOf, textOf } from '../../../test/kit/reading-pages.ts';
import { clause, conforming } from '../../../test/kit/sample-reports.ts';

const clauses = [clause('a.one'), clause('a.two', { verdict: 'fail' }), clause('b.own', { part: '-' })];
const contract = [
  { part: '1', sentences: [{ text: 'It answers `GET`.', clauses: [0] }] },
  { part: '7', table: 'Error (field, type)', sentences: [{ text: 'code | string', clauses: [0, 1, 99] }] },
];
const textWith = (more: Parameters<typeof conforming>[0]) => textOf(sectionOf(page(conforming(more)), 'contract'));

describe('the contract on a page', () => {
  it('has each sentence with the worst verdict of its clauses, and says how many clauses have none', () => {
    const html = sectionOf(page(conforming({ clauses, contract })), 'contract');
    expect(html.match(/<li data-verdict="[a-z]+" data-area="[a-z]+"/g)).toEqual([
      '<li data-verdict="pass" data-area="a"',
      '<li data-verdict="fail" data-area="a"',
    ]);
    expect(html).toContain('It answers <code>GET</code>.');
    const text = textOf(html);
    expect(text).toContain('7 Error code – string');
    expect(text).toContain('1 pass, 1 broken');
    expect(text).toContain('1 more clause');
  });

  it('ticks a sentence only where every clause of it was judged', () => {
    const signOf = (...verdicts: readonly (string | undefined)[]) => {
      const own = verdicts.map((verdict, at) => ({ ...clause(`a.c${at}`), verdict }) as ReturnType<typeof clause>);
      const sentences = [{ text: 'It answers.', clauses: own.map((_, at) => at) }];
      const html = sectionOf(page(conforming({ clauses: own, contract: [{ part: '1', sentences }] })), 'contract');
      return /<li data-verdict="([a-z]+)"/.exec(html)?.[1];
    };
    expect(signOf('pass', 'pass')).toBe('pass');
    expect(signOf('pass', undefined)).toBe('none');
    expect(signOf('observed', 'pass', undefined)).toBe('none');
    expect(signOf('pass', 'observed')).toBe('observed');
    expect(signOf('pass', 'fail', undefined)).toBe('fail');
  });

  it('is left out for a report of an older version, and says that a profile has changed it', () => {
    expect(textWith({ clauses })).toBe('');
    expect(textWith({ clauses, contract })).not.toContain('Profile');
    const profile = { basedOn: 'v1', changes: [], safetyChanges: 0, digest: 'a'.repeat(64) } as const;
    expect(textWith({ clauses, contract, profile })).toContain('The run has changed it: see Profile.');
  });

  it('comes from the report of a run, in few bytes', async () => {
    const report = await runGateway({}, { only: ['models/list'] });
    const named = report.contract?.flatMap(({ sentences }) => sentences.flatMap(({ clauses: at }) => at)) ?? [];
    expect(report.clauses[named[0] ?? -1]?.id).toBe('service.reply');
    expect(named.every((at) => at < report.clauses.length)).toBe(true);
    expect(JSON.stringify(report.contract).length).toBeLessThan(7_000);
  });
});
