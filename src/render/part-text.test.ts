import { describe, expect, it } from 'vitest';
import { FULL_REPORT } from '../../test/kit/reports.ts';
import { broken, clause, expectation, finding, oneCase } from '../../test/kit/sample-reports.ts';
import type { Report } from '../report/report.ts';
import { render } from './index.ts';
import { formatKind, ownerOf } from './profile-text.ts';

const OWN = { kind: 'clause', clause: 'house.rule', level: 'must', summary: 'A house rule.' } as const;

/** With a clause that v1 does not have, broken. */
function withOwn(name: string | undefined): Report {
  const { name: _name, ...rest } = FULL_REPORT.profile;
  const profile = { ...rest, ...(name !== undefined && { name }), changes: [{ change: OWN }] };
  const own = clause('house.rule', { part: '-', kind: 'stated', verdict: 'fail', summary: OWN.summary });
  const failed = expectation('house.rule', { verdict: 'fail', findings: [finding()] });
  return broken({ profile, clauses: [own], cases: [oneCase('house/case', [failed])] });
}

describe('a clause that v1 does not have', () => {
  it.each([
    [undefined, 'suite house'],
    ['acme', 'profile acme'],
  ])('is said to be that of its owner in every format, if the profile is %s', (name, owner) => {
    const report = withOwn(name);
    expect(ownerOf(report, 'house.rule')).toBe(owner);
    expect(ownerOf(report, 'errors.code')).toBeUndefined();
    expect(render(report, 'terminal')).toContain(`must · ${owner}\n`);
    expect(render(report, 'markdown')).toContain(`\`house.rule\`, must, ${owner}`);
    expect(render(report, 'summary')).toContain(`\`house.rule\`, must, ${owner}`);
    expect(render(report, 'html')).toContain(`<span class="tag">${owner}</span>`);
    expect(render(report, 'agent')).toContain(`house.rule (must, ${owner})`);
    expect(render(report, 'sarif')).toContain(`Level must, ${owner}.`);
  });

  it('is not called stated where no report says whose it is', () => {
    expect(formatKind({ kind: 'stated', part: '-' })).toBe('added to v1');
    expect(formatKind({ kind: 'stated', part: '7' })).toBe('stated');
    expect(formatKind({ kind: 'prudent', part: '-' })).toBe('security');
  });
});
