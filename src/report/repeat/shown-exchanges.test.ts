import { expect, it } from 'vitest';
import { broken, exchange, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import type { Step } from '../../plan/plan.ts';
import { render } from '../../render/index.ts';
import { describeShown } from './shown-exchanges.ts';

const RUN = { baseUrl: 'http://127.0.0.1/v1', settings: {}, seed: 7 };

/** The command for the third request of a step. */
function repeatOfThird(step: Pick<Step, 'id' | 'repeat'>): string | undefined {
  const id = `${step.id}#3`;
  const wrong = expectation('errors.code', { verdict: 'fail', findings: [finding({ exchange: id })] });
  const third = exchange(id, { step: step.id, number: 3 });
  const [shown] = describeShown([third], [oneCase('a/b', [wrong])], [step as Step], RUN);
  return shown?.repeat;
}

it('A request that was sent until its answer changed is repeated as often', () => {
  const repeat = repeatOfThird({ id: 'auth/limited-key', repeat: { until: 429, most: 20 } });
  expect(repeat).toMatch(/^for call in \$\(seq 3\); do curl /);
});

it('One of several different requests is repeated once', () => {
  expect(repeatOfThird({ id: 'chat/parallel[plain]' })).toMatch(/^curl /);
});

it('No command is given for a case whose check only the library has, and every format says so', () => {
  const shown = (check: string, format: 'agent' | 'markdown' | 'terminal' | 'html') => {
    const wrong = expectation('errors.code', { check, verdict: 'fail', findings: [finding({ exchange: 'other' })] });
    return render(broken({ exchanges: [], cases: [oneCase('own/case', [wrong])] }), format);
  };
  for (const format of ['agent', 'markdown', 'terminal', 'html'] as const) {
    expect(shown('acme/small', format).replaceAll('`', '')).toMatch(
      /by the library only: no command has the check acme\/small/,
    );
    expect(shown('acme/small', format)).not.toContain('--only own/case');
    expect(shown('every-answer', format)).not.toContain('by the library only');
  }
  expect(shown('every-answer', 'terminal')).toContain('--only own/case');
});
