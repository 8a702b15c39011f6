import { expect, it } from 'vitest';
import { broken, expectation, oneCase } from '../../test/kit/sample-reports.ts';
import { ownVerdict } from './looks.ts';
import { render } from './index.ts';

const held = expectation('errors.no-server-error');
const open = oneCase('auth/open', [expectation('auth.required', { verdict: 'observed', level: 'observe' }), held], {
  verdict: 'pass',
});
const skipped = oneCase('auth/query', [expectation('auth.key-in-query', { verdict: 'skipped' }), held], {
  verdict: 'pass',
});
const passed = oneCase('auth/passed', [expectation('auth.required'), held]);
const failed = oneCase('auth/failed', [expectation('auth.required', { verdict: 'fail' }), held]);

it('A case has the verdict of its first clause beside its title, not that of a clause that merely held too', () => {
  expect([open, skipped, passed].map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
  const by = 'counts as pass by errors.no-server-error';
  expect([open, skipped, passed, failed].map(ownVerdict)).toEqual([
    { verdict: 'observed', remark: `recorded; ${by}` },
    { verdict: 'skipped', remark: `not judged; ${by}` },
    { verdict: 'pass' },
    { verdict: 'fail' },
  ]);
});

it('The remark stands in HTML and in the verbose terminal, with the sign of the first clause', () => {
  const report = broken({ cases: [open, passed] });
  const page = render(report, 'html');
  expect(page.match(/counts as pass by errors\.no-server-error/g)).toHaveLength(1);
  const text = render(report, 'terminal', { detail: 'verbose', width: 200 });
  expect(text).toMatch(/· auth\/open .*\(recorded; counts as pass by errors\.no-server-error\)/);
  expect(text).toMatch(/✓ auth\/passed .*\(pass\)/);
});
