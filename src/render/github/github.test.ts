import { describe, expect, it } from 'vitest';
import type { Report } from '../../report/report.ts';
import { excused } from '../../../test/kit/excused-reports.ts';
import { workflowCommand } from './github.ts';
import { render } from '../index.ts';
import { commandsIn } from '../../../test/kit/github-runner.ts';
import { broken, clause, conforming, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';

const read = (report: Report) => commandsIn(render(report, 'github'));

describe('a workflow command', () => {
  it('escapes characters that would end it, and round-trips', () => {
    const line = workflowCommand('error', { file: 'a,b:c%2C.yaml', line: 3 }, '100%\r\n::warning::no');
    expect(line).toBe('::error file=a%2Cb%3Ac%252C.yaml,line=3::100%25%0D%0A::warning::no');
    expect(commandsIn(line)).toEqual([
      { name: 'error', properties: { file: 'a,b:c%2C.yaml', line: '3' }, data: '100%\r\n::warning::no' },
    ]);
  });

  it('needs no properties', () => {
    expect(workflowCommand('notice', {}, 'a: b, c')).toBe('::notice::a: b, c');
  });
});

describe('the annotations', () => {
  it('begin with the verdict: a notice if all is well, otherwise an error', () => {
    expect(read(conforming())).toEqual([
      {
        name: 'notice',
        properties: { title: 'wirecheck: CONFORMS: all 74 must clauses judged, none broken' },
        data: '2 cases: 2 pass',
      },
    ]);
    expect(read(broken())[0]).toMatchObject({
      name: 'error',
      properties: { title: 'wirecheck: DOES NOT CONFORM: 1 must clause broken (60 of 74 judged)' },
      data: '7 cases: 1 pass, 2 broken, 1 warning, 3 not judged',
    });
  });

  it('have no place in a file that the reader does not have, one per root cause', () => {
    expect(read(broken()).slice(1)).toMatchObject([
      {
        name: 'error',
        properties: { title: 'errors.code (must)' },
        data: [
          'An error answer carries error.code as a string.',
          'Case: auth/unknown-key[models] and 1 more',
          'Expected: string at /error/code',
          'Actual: 401 (integer), and in 1 more answer',
          'Who is hurt: Programs never match it.',
          'Request: GET /v1/models, key: unknown',
          'Repeat: curl -sS "$WIRECHECK_BASE_URL/models" -H "Authorization: Bearer sk-service-unknown"',
          'Explain: npx --no-install wirecheck explain errors.code',
        ].join('\n'),
      },
      { name: 'warning', properties: { title: 'json.label (should)' } },
    ]);
    for (const { properties } of read(broken())) expect(properties).not.toHaveProperty('file');
  });

  it('point to the case in a suite file of the reader', () => {
    const report = broken();
    const settings = { suites: ['suites/auth.yaml', 'chat'] };
    const own = read({ ...report, provenance: { ...report.provenance, settings } });
    expect(own.map(({ properties }) => properties['file'])).toEqual([undefined, 'suites/auth.yaml', undefined]);
    expect(own[1]?.properties['line']).toBe('10');
  });

  it('are only notices for waived and baseline findings, with the reason', () => {
    const [verdict, ...others] = read(excused());
    expect(verdict?.data).toContain('Fixed since 2030-03-01: 1 case.');
    expect(others.map(({ name, properties }) => [name, properties['title']])).toEqual([
      ['error', 'errors.message (must)'],
      ['notice', 'errors.object (must, known)'],
      ['notice', 'errors.code (must, waived)'],
    ]);
    expect(others[0]?.data).toContain('Baseline: new since 2030-03-01');
    expect(others[1]?.data).toContain('Baseline: already in the baseline of 2030-03-01');
    expect(others[2]?.data).toContain('Waiver: waived until 2030-12-31 by gateway team');
  });

  it('say why nothing was judged', () => {
    const [first] = read(
      broken({
        outcome: { name: 'not-judged', exit: 3, mustClauses: 74, mustJudged: 1 },
        ending: { kind: 'budget', setting: 'max-requests' },
      }),
    );
    expect(first).toMatchObject({
      name: 'error',
      properties: { title: 'wirecheck: NOT JUDGED: the run reached --max-requests' },
    });
    expect(first?.data).toContain('The run ended because it reached --max-requests');
    expect(first?.data).toContain('Not judged in 1 case: no answer within --timeout: raise --timeout');
  });

  it('stay within the number that GitHub shows, and count the rest', () => {
    const ids = Array.from({ length: 12 }, (_, at) => `a.b${at}`);
    const cases = ids.map((id) => oneCase(`chat/${id}`, [expectation(id, { verdict: 'fail', findings: [finding()] })]));
    const commands = read(broken({ cases, clauses: ids.map((id) => clause(id, { verdict: 'fail' })) }));
    expect(commands.filter(({ name }) => name === 'error')).toHaveLength(10);
    expect(commands[0]?.data).toContain('3 more causes not annotated here: see the log of this step.');
  });
});
