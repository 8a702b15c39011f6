/** The sentence that says what the verdict means. */
import { describe, expect, it } from 'vitest';
import { report, WAIVED } from '../../../test/kit/excused-reports.ts';
import { broken, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import { render } from '../index.ts';

describe('the first sentence of a summary', () => {
  it('does not say of a clause of your own that it is a sentence of the contract', () => {
    const change = { kind: 'clause', clause: 'acme.small', level: 'must', summary: 'Small.', why: 'Slow.' } as const;
    const profile = { basedOn: 'v1', digest: 'a'.repeat(64), safetyChanges: 0, changes: [{ change }] } as const;
    const failing = (...ids: readonly string[]) => {
      const failed = ids.map((id) => expectation(id, { verdict: 'fail', findings: [finding()] }));
      return render(broken({ profile, cases: [oneCase('a/b', failed)] }), 'summary');
    };
    const own = 'clauses of suite a, which the contract does not have';
    expect(failing('acme.small')).toContain(`The target does not keep ${own}. Its clients`);
    expect(failing('acme.small')).not.toContain('keep the contract');
    expect(failing('errors.code', 'acme.small')).toContain(`The target does not keep the contract and ${own}.`);
    expect(failing('errors.code')).toContain('The target does not keep the contract. Its clients');
  });

  it('does not say of a sentence that a profile changes that v1 has it', () => {
    const change = { kind: 'limit', field: 'temperature', max: 1, why: 'Models.' } as const;
    const profile = {
      name: 'acme',
      basedOn: 'v1',
      digest: 'a'.repeat(64),
      safetyChanges: 0,
      changes: [{ change }],
    } as const;
    expect(render(broken({ profile }), 'summary')).toContain(
      'The target does not keep the contract, as profile acme changes it. Its clients',
    );
  });

  it('does not call everything accepted while a should clause is broken without a waiver', () => {
    const excused = (verdict: 'warn') =>
      report(
        [WAIVED, oneCase('a/b', [expectation('a.b', { level: 'should', verdict, findings: [finding()] })])],
        'conforms-but-waived',
      );
    expect(render(excused('warn'), 'summary')).toContain(
      'What fails is accepted for now by waivers. 1 should clause is broken beside it, which fails no run.',
    );
    expect(render(report([WAIVED], 'conforms-but-waived'), 'summary')).toMatch(/accepted for now by waivers\.\n/);
  });

  it('does not say of what the contract implies that it is a sentence of the contract', () => {
    const failing = (...kinds: readonly ('stated' | 'implied' | 'prudent')[]) => {
      const failed = kinds.map((kind) => expectation(`a.${kind}`, { kind, verdict: 'fail', findings: [finding()] }));
      return render(broken({ strict: true, cases: [oneCase('a/b', failed)] }), 'summary');
    };
    const implied = 'clauses that the contract implies but does not state';
    expect(failing('implied')).toContain(`The target does not keep ${implied}. Its clients`);
    expect(failing('implied', 'stated')).toContain(`The target does not keep the contract and ${implied}. Its clients`);
    expect(failing('prudent')).toContain(
      'The target does not keep clauses of good security practice, which the contract',
    );
  });
});
