import { describe, expect, it } from 'vitest';
import { ALL_CHECKS } from './all-checks.ts';
import { SUBJECT_NAMES, SUBJECTS } from './subjects.ts';

describe.each(SUBJECT_NAMES)('The row of %s', (name) => {
  const { cases, contract } = SUBJECTS[name];
  const checks = ALL_CHECKS.filter(({ subject }) => subject === name);

  it('has cases, each of a clause of its contract and by a check of its own', () => {
    const all = cases([]);
    // Under load, the cases of gateways that look at all answers judge as well.
    expect(all.length).toBeGreaterThan(name === 'load' ? 10 : 50);
    for (const { id, expect: expectations } of all) {
      for (const { clause, check } of expectations) {
        expect(contract().clause(clause), `${id} ${clause}`).toBeDefined();
        expect(
          checks.map((each) => each.name),
          `${id} ${check}`,
        ).toContain(check);
      }
    }
  });

  it('says in a sentence what each check looks at', () => {
    for (const { name: check, summary } of checks) expect(summary, check).toMatch(/^[A-Z].*\.$/);
  });
});
