import { describe, expect, it } from 'vitest';
import type { Report } from '../../report/report.ts';
import { excused, failing, NEW, report, WAIVER, waivers } from '../../../test/kit/excused-reports.ts';
import { render } from '../index.ts';
import { quoteText } from '../../text/quote.ts';
import { junitProblems } from '../../../test/kit/junit-schema.ts';
import { broken, conforming, exchange, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import { allOf, parseXml, type XmlElement } from '../../../test/kit/xml.ts';

const read = (report: Report): XmlElement => parseXml(render(report, 'junit'));

function caseNamed(root: XmlElement, id: string): XmlElement {
  const found = allOf(root, 'testcase').find(({ attributes }) => attributes['name'] === id);
  if (!found) throw new Error(`no case ${id}`);
  return found;
}

const propertiesOf = (element: XmlElement): readonly unknown[] =>
  allOf(element, 'property').map(({ attributes }) => [attributes['name'], attributes['value']]);

const outcomeOf = (element: XmlElement): XmlElement | undefined =>
  element.children.find(({ name }) => name !== 'properties');

const inconclusive = (level: 'must' | 'should', strict: boolean): XmlElement => {
  const expectations = [expectation('a.b', { level, verdict: 'inconclusive', reason: { kind: 'not-200' } })];
  return caseNamed(read(conforming({ strict, cases: [oneCase('chat/slow', expectations)] })), 'chat/slow');
};

describe('the JUnit file', () => {
  it.each([
    ['of a gateway that conforms', conforming()],
    ['of one that does not', broken()],
    ['of one with failures that do not count', excused()],
    ['of a run without a case', conforming({ cases: [] })],
  ])('has the common JUnit structure: %s', (_what, report) => {
    expect(junitProblems(read(report))).toEqual([]);
  });

  it('has a suite for the causes and one for each area, with totals that add up', () => {
    const root = read(broken());
    expect(root.attributes).toEqual({ name: 'wirecheck', tests: '9', failures: '1', errors: '1', time: '2.500' });
    expect(root.children.map(({ attributes }) => [attributes['name'], attributes['tests']])).toEqual([
      ['causes', '2'],
      ['auth', '3'],
      ['parameters', '1'],
      ['chat', '3'],
    ]);
    for (const suite of root.children) {
      for (const [sum, name] of [
        ['tests', 'testcase'],
        ['failures', 'failure'],
        ['errors', 'error'],
        ['skipped', 'skipped'],
      ] as const) {
        expect(Number(suite.attributes[sum])).toBe(allOf(suite, name).length);
      }
    }
  });

  it('shows a cause once, with expected, actual, the command that repeats it, and its cases', () => {
    const failure = outcomeOf(caseNamed(read(broken()), 'errors.code'));
    expect(failure).toMatchObject({
      name: 'failure',
      attributes: {
        type: 'errors.code',
        message: 'An error answer carries error.code as a string. Expected string at /error/code; got 401 (integer).',
      },
    });
    expect(failure?.text.trim().split('\n')).toEqual([
      'Requirement  An error answer carries error.code as a string.',
      'Expected     string at /error/code',
      'Actual       401 (integer), and in 1 more answer',
      'Who is hurt  Programs never match it.',
      'Request      GET /v1/models, key: unknown',
      'Repeat       curl -sS "$WIRECHECK_BASE_URL/models" -H "Authorization: Bearer sk-service-unknown"',
      'Explain      npx --no-install wirecheck explain errors.code',
      expect.stringMatching(/^Cases {8}auth\/unknown-key\[models\], /),
    ]);
  });

  it('says in a broken case which cause fails, and keeps its evidence', () => {
    const shown = caseNamed(read(broken()), 'auth/unknown-key[models]');
    expect(outcomeOf(shown)).toMatchObject({
      name: 'skipped',
      attributes: { message: 'broken: errors.code; see the suite causes' },
    });
    expect(allOf(shown, 'system-out')[0]?.text).toContain('Actual       401 (integer)');
    expect(propertiesOf(shown)).toContainEqual(['verdict', 'fail']);
  });

  it('truncates a long list of findings and says how many are left out', () => {
    const findings = Array.from({ length: 23 }, () => finding());
    const cases = [oneCase('auth/many', [expectation('errors.code', { verdict: 'fail', findings })])];
    const [evidence] = allOf(caseNamed(read(broken({ cases })), 'auth/many'), 'system-out');
    expect(evidence?.text.match(/^Requirement/gm)).toHaveLength(20);
    expect(evidence?.text).toContain('3 more findings in the report.');
  });

  it('passes waived and baseline findings, and shows their evidence', () => {
    const root = read(excused());
    expect(root.attributes).toMatchObject({ tests: '6', failures: '1' });
    expect(outcomeOf(caseNamed(root, 'errors.message'))).toMatchObject({ name: 'failure' });
    expect(outcomeOf(caseNamed(root, 'errors.code'))).toMatchObject({ name: 'skipped' });
    expect(outcomeOf(caseNamed(root, 'auth/b'))).toMatchObject({
      name: 'skipped',
      attributes: { message: 'already in the baseline of 2030-03-01' },
    });
    const waived = caseNamed(root, 'auth/a');
    const words = 'waived until 2030-12-31 by gateway team: Codes are numbers until 2.4. (https://tracker.example/42)';
    expect(outcomeOf(waived)).toMatchObject({ name: 'skipped', attributes: { message: words } });
    const [evidence] = allOf(waived, 'system-out');
    expect(evidence?.text).toContain('Actual       401 (integer)');
    expect(evidence?.text).toContain(`Waiver       ${words}`);
    expect(propertiesOf(waived)).toContainEqual(['verdict', 'fail']);
  });

  it('puts findings that count before excused ones in the same case', () => {
    const [waived] = failing('auth/z', 'errors.code', 'waived', { waiver: 1 }).expectations;
    const both = oneCase('auth/z', [...(waived ? [waived] : []), ...NEW.expectations]);
    const root = read(report([both], 'does-not-conform', { waivers: waivers(WAIVER) }));
    const shown = caseNamed(root, 'auth/z');
    expect(outcomeOf(shown)).toMatchObject({ attributes: { message: 'broken: errors.message; see the suite causes' } });
    expect(allOf(shown, 'system-out')[0]?.text.trim()).toMatch(/^Requirement {2}Summary of errors\.message/);
  });

  it('distinguishes a waived warning from an open one', () => {
    const warned = expectation('json.label', {
      verdict: 'warn',
      excused: 'waived',
      findings: [finding({ waiver: 1 })],
    });
    const root = read(conforming({ cases: [oneCase('chat/w', [warned])], waivers: waivers(WAIVER) }));
    expect(propertiesOf(caseNamed(root, 'chat/w')).flat()).toContain('warning (waived)');
  });

  it('passes a warning, and keeps it as a property', () => {
    const warned = caseNamed(read(broken()), 'chat/label');
    expect(outcomeOf(warned)).toBeUndefined();
    expect(propertiesOf(warned)).toContainEqual([
      'warning',
      'Summary of json.label. Expected Content-Type: application/json; got Content-Type: text/html.',
    ]);
  });

  it.each([
    ['must', false, 'error'],
    ['should', true, 'error'],
    ['should', false, 'skipped'],
  ] as const)('reports an inconclusive %s, strict %s: %s', (level, strict, name) => {
    expect(outcomeOf(inconclusive(level, strict))).toMatchObject({
      name,
      attributes: { message: 'the status was not 200' },
    });
  });

  it('says why a case was skipped and how to enable it', () => {
    expect(outcomeOf(caseNamed(read(broken()), 'auth/restricted-list'))).toMatchObject({
      name: 'skipped',
      attributes: {
        message: 'not tested: set WIRECHECK_RESTRICTED_KEY and pass --forbidden-model',
      },
    });
  });

  it('carries observations as properties', () => {
    const observations = [{ name: 'error-code' as const, value: [quoteText('a'), quoteText('b')] }];
    const cases = [oneCase('errors/codes', [expectation('errors.codes', { verdict: 'observed', observations })])];
    const element = caseNamed(read(conforming({ cases })), 'errors/codes');
    expect(outcomeOf(element)).toBeUndefined();
    expect(propertiesOf(element)).toContainEqual(['observed errors.codes: error.code', 'a, b']);
  });

  it('names a place only in a suite file of the reader', () => {
    const report = conforming();
    const settings = { suites: ['auth', report.cases[1]?.source.file ?? ''] };
    const own = read({ ...report, provenance: { ...report.provenance, settings } });
    const places = report.cases.map(({ id }) => caseNamed(own, id).attributes['file']);
    expect(places).toEqual([undefined, report.cases[1]?.source.file]);
    expect(caseNamed(read(report), report.cases[1]?.id ?? '').attributes).not.toHaveProperty('file');
  });

  it('counts the time of an answer once, for the case that sent the request', () => {
    const asked = exchange('chat/a');
    const [attempt] = asked.attempts;
    if (!attempt) throw new Error('no attempt');
    const cases = [
      oneCase('chat/shares', [expectation('a.b')], { exchange: 'chat/a' }),
      oneCase('chat/a', [expectation('a.b')], { exchange: 'chat/a' }),
      oneCase('chat/repeats', [expectation('a.b')], { exchange: 'chat/repeats#2' }),
    ];
    const again = { ...asked, attempts: [attempt, { ...attempt, sentAt: 1001, pause: 996 }] };
    const exchanges = [
      again,
      exchange('chat/repeats'),
      exchange('chat/repeats#2', { step: 'chat/repeats', number: 2 }),
      exchange('chat/repeats@1', { step: 'chat/repeats', side: 'upstream' }),
    ];
    const root = read(conforming({ cases, exchanges }));
    const times = cases.map(({ id }) => caseNamed(root, id).attributes['time']);
    expect(times).toEqual(['0.000', '1.004', '0.009']);
    expect(root.children[0]?.attributes['time']).toBe('1.013');
  });
});
