/** A case that provokes an error is red for the status, the shape of its body is judged once for the whole run. */
import { expect, it } from 'vitest';
import { textReply } from '../src/gateway/answer.ts';
import type { Call } from '../src/gateway/call.ts';
import { junit } from '../src/render/junit/junit.ts';
import type { Report } from '../src/report/report.ts';
import { formatFinding } from '../src/render/finding-text.ts';
import { membersOf } from '../src/render/excused.ts';
import { foldFindings } from '../src/render/fold.ts';
import { withoutBodies } from '../src/report/without-bodies.ts';
import { runInMemory } from './kit/in-memory-run.ts';

const failed = ({ cases }: Report): readonly string[] =>
  cases.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

it('One wrong field in every error is one failed case, with a finding for each endpoint, mode and status', async () => {
  const report = await runInMemory({ fault: 'error-code-integer' });
  expect(failed(report)).toEqual(['errors/every-error-body[code]']);
  expect(junit(report, { width: 80, colour: false, detail: 'normal' }).match(/<failure/g)).toHaveLength(1);
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
  const report = await runInMemory({ fault: 'error-html' });
  expect(failed(report)).toEqual(['errors/every-error-body[json]']);
  expect(report.clauses.find(({ id }) => id === 'limits.temperature')?.verdict).toBe('pass');
});

it.each([
  ['--only', { only: ['auth/missing-key[models]'] }],
  ['--suite', { suites: ['auth'] }],
])('With %s, the bodies of the errors that the chosen cases provoke are judged', async (_, choice) => {
  const report = await runInMemory({ fault: 'error-type-missing-401' }, choice);
  expect(failed(report)).toEqual(['errors/every-error-body[type]']);
  expect(report.outcome.exit).toBe(1);
  expect(report.cases.find(({ id }) => id === 'errors/every-error-body[type]')?.partial).toBe(true);
});

it('A chosen case that provokes no error leaves the bodies unjudged, and does not keep the run from passing', async () => {
  const report = await runInMemory({ fault: 'error-code-integer' }, { only: ['models/list'] });
  expect(report.outcome.exit).toBe(0);
  expect(report.cases.filter(({ verdict }) => verdict === 'skipped')).toHaveLength(6);
});

it('A request that only feeds a chosen case is shown with its edit and a command', async () => {
  const only = ['errors/every-error-body[code]'];
  const report = await runInMemory({ fault: 'error-code-integer' }, { only });
  const texts = (of: Report) =>
    of.cases
      .flatMap(membersOf)
      .filter(({ verdict }) => verdict === 'fail')
      .map((place) => formatFinding(of, place));
  const unknownModel = texts(report).find(({ request }) => request?.includes('/model set to "wirecheck-no-such-model'));
  expect(unknownModel?.repeat).toMatch(/^curl .*"model":"wirecheck-no-such-model/);
  const isRepeated = ({ repeat }: { readonly repeat?: string | undefined }) =>
    repeat?.startsWith('curl -sS -i ') ?? false;
  expect(texts(report).every(isRepeated)).toBe(true);
  // The request is ours.
  expect(texts(withoutBodies(report)).map(({ repeat }) => repeat)).toEqual(
    expect.arrayContaining([unknownModel?.repeat]),
  );
  expect(texts(withoutBodies(report)).every(isRepeated)).toBe(true);
});

it('If every chat request gets the same wrong error body, the plain one is shown', async () => {
  const before = () => textReply(502, 'text/html', '<h1>bad gateway</h1>');
  const modifiers = [{ title: 'x', only: ({ endpoint }: Call) => endpoint === 'chat', before }];
  const report = await runInMemory({ modifiers }, { only: ['chat/*', 'errors/*'] });
  const entry = foldFindings(report).find(({ expectation }) => expectation.clause === 'errors.json');
  expect(entry?.finding?.exchange).toBe('chat');
});
