/** A case that provokes an error is red for the status, the shape of its body is judged once for the whole run. */
import { expect, it } from 'vitest';
import { junit } from '../src/render/junit/junit.ts';
import type { Report } from '../src/report/report.ts';
import { runGateway } from './kit/real-run.ts';

const failed = ({ cases }: Report): readonly string[] =>
  cases.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

it('One wrong field in every error is one failed case, with a finding for each endpoint, mode and status', async () => {
  const report = await runGateway({ fault: 'error-code-integer' });
  expect(failed(report)).toEqual(['errors/every-error-body[code]']);
  expect(junit.render(report, { width: 80, colour: false, detail: 'normal' }).match(/<failure/g)).toHaveLength(1);
  const findings = report.cases.flatMap(({ expectations }) => expectations.flatMap((each) => each.findings));
  const places = findings.map(({ exchange, status }) => {
    const { endpoint, mode } = report.exchanges.find(({ id }) => id === exchange) ?? {};
    return `${endpoint} ${mode} ${status}`;
  });
  expect(places.toSorted()).toEqual([
    'chat plain 400',
    'chat plain 401',
    'chat plain 404',
    'chat stream 400',
    'chat stream 401',
    'chat stream 404',
    'models plain 401',
  ]);
  expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(findings.length);
});

it('A refusal with a 4xx is a refusal, whatever its body; the body is a failure of its own', async () => {
  const report = await runGateway({ fault: 'error-html' });
  expect(failed(report)).toEqual(['errors/every-error-body[json]']);
  expect(report.clauses.find(({ id }) => id === 'limits.temperature')?.verdict).toBe('pass');
});

it.each([
  ['--only', { only: ['auth/missing-key[models]'] }],
  ['--suite', { suites: ['auth'] }],
])('With %s, the bodies of the errors that the chosen cases provoke are judged', async (_, choice) => {
  const report = await runGateway({ fault: 'error-type-missing-401' }, choice);
  expect(failed(report)).toEqual(['errors/every-error-body[type]']);
  expect(report.outcome.exit).toBe(1);
  expect(report.cases.find(({ id }) => id === 'errors/every-error-body[type]')?.partial).toBe(true);
});

it('A chosen case that provokes no error leaves the bodies unjudged, and does not keep the run from passing', async () => {
  const report = await runGateway({ fault: 'error-code-integer' }, { only: ['models/list'] });
  expect(report.outcome.exit).toBe(0);
  expect(report.cases.filter(({ verdict }) => verdict === 'skipped')).toHaveLength(6);
});
