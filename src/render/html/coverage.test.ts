import { expect, it } from 'vitest';
import { page, sectionOf, textOf } from '../../../test/kit/reading-pages.ts';
import { clause, conforming } from '../../../test/kit/sample-reports.ts';

it('The coverage says of a clause that was not selected that it was not in the run', () => {
  const { verdict: _none, ...unselected } = clause('models.list');
  const coverage = textOf(sectionOf(page(conforming({ clauses: [unselected] })), 'coverage'));
  expect(coverage).toMatch(/Summary of models.list. must stated, part 7 not judged: not in this run/);
  expect(coverage).not.toContain('no case');
});
