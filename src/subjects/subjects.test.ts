import { describe, expect, it } from 'vitest';
import { SUBJECT_NAMES, SUBJECTS } from './subjects.ts';

describe.each(SUBJECT_NAMES)('The row of %s', (name) => {
  const { cases, checks, contract } = SUBJECTS[name];

  it('has cases, each of a clause of its contract and by a check of its own', () => {
    const all = cases([]);
    // Under load, the cases of gateways that look at all answers judge as well.
    expect(all.length).toBeGreaterThan(name === 'load' ? 10 : 50);
    for (const { id, expect: expectations } of all) {
      for (const { clause, check } of expectations) {
        expect(contract().clause(clause), `${id} ${clause}`).toBeDefined();
        expect(Object.keys(checks), `${id} ${check}`).toContain(check);
      }
    }
  });

  it('says in a sentence what each check looks at', () => {
    for (const [check, { summary }] of Object.entries(checks)) expect(summary, check).toMatch(/^[A-Z].*\.$/);
  });
});
