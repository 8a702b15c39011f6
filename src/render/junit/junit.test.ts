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

  it.each([
    ['that does not conform', broken()],
    ['with failures that do not count', excused()],
  ])('has a suite for each area of a report %s, with totals that add up', (_what, report) => {
    const root = read(report);
    const areas = [...new Set(report.cases.map(({ suite }) => suite))];
    expect(root.children.map(({ attributes }) => attributes['name'])).toEqual(areas);
    const number = (element: XmlElement, name: string) => String(allOf(element, name).length);
    for (const element of [root, ...root.children]) {
      const [tests, failures, errors, skipped] = ['testcase', 'failure', 'error', 'skipped'].map((name) =>
        number(element, name),
      );
      expect(element.attributes).toMatchObject({ tests, failures, errors, ...(element !== root && { skipped }) });
      const withOutcome = allOf(element, 'testcase').filter((each) => outcomeOf(each)?.name !== undefined);
      expect(withOutcome).toHaveLength(Number(failures) + Number(errors) + Number(skipped));
    }
    expect(allOf(root, 'testcase')).toHaveLength(report.cases.length);
  });

  it('has a failure for each broken case, with expected, actual and the command that repeats it', () => {
    const failed = allOf(read(broken()), 'testcase').filter((each) => outcomeOf(each)?.name === 'failure');
    const counting = broken().cases.filter(({ verdict }) => verdict === 'fail');
    expect(counting.length).toBeGreaterThan(1);
    expect(failed.map(({ attributes }) => attributes['name'])).toEqual(counting.map(({ id }) => id));
    const failure = outcomeOf(caseNamed(read(broken()), 'auth/unknown-key[models]'));
    expect(failure?.attributes).toEqual({
      type: 'errors.code',
      message: 'An error answer carries error.code as a string. Expected string at /error/code; got 401 (integer).',
    });
    expect(failure?.text.trim().split('\n')).toEqual([
      'Requirement: An error answer carries error.code as a string.',
      'Expected: string at /error/code',
      'Actual: 401 (integer), and in 1 more answer',
      'Who is hurt: Programs never match it.',
      'Request: GET /v1/models, key: unknown',
      'Repeat: curl -sS "$WIRECHECK_BASE_URL/models" -H "Authorization: Bearer sk-service-unknown"',
      'Explain: npx --no-install wirecheck explain errors.code',
      'Cause: errors.code (2 cases, 2 answers)',
    ]);
  });

  it('names what broken cases have in common as a property', () => {
    const root = read(broken());
    for (const { id } of broken().cases.filter(({ verdict }) => verdict === 'fail'))
      expect(propertiesOf(caseNamed(root, id))).toContainEqual(['cause', 'errors.code']);
    expect(propertiesOf(caseNamed(root, 'chat/label'))).toContainEqual(['cause (warn)', 'json.label']);
    expect(propertiesOf(caseNamed(read(excused()), 'auth/a'))).toContainEqual(['cause (waived)', 'errors.code']);
  });

  it('turns a case green by the same name once it is mended', () => {
    const cases = [oneCase('auth/unknown-key[models]', [expectation('errors.code')])];
    const mended = caseNamed(read(conforming({ cases })), 'auth/unknown-key[models]');
    expect(outcomeOf(mended)).toBeUndefined();
    expect(mended.attributes['classname']).toBe('wirecheck.auth');
  });

  it('has one sentence in the message for each clause that a case breaks', () => {
    const expectations = ['errors.code', 'errors.type'].map((id) =>
      expectation(id, { verdict: 'fail', findings: [finding(), finding()] }),
    );
    const { attributes } = outcomeOf(caseNamed(read(broken({ cases: [oneCase('a/b', expectations)] })), 'a/b')) ?? {};
    expect(attributes?.['type']).toBe('errors.code, errors.type');
    expect(attributes?.['message']?.match(/Expected string/g)).toHaveLength(2);
  });

  it('shows each cause once with its number of answers, and says how many are left out', () => {
    const findings = Array.from({ length: 23 }, (_, at) => finding({ exchange: `e${at}`, pointer: `/error/x${at}` }));
    const textOf = (own: typeof findings): string => {
      const cases = [oneCase('auth/many', [expectation('errors.code', { verdict: 'fail', findings: own })])];
      return outcomeOf(caseNamed(read(broken({ cases })), 'auth/many'))?.text ?? '';
    };
    expect(textOf(findings).match(/^Requirement/gm)).toHaveLength(20);
    expect(textOf(findings)).toContain('3 more causes in the report.');
    const alike = textOf(findings.map((each) => ({ ...each, pointer: '/error/code' })));
    expect(alike.match(/^Requirement/gm)).toHaveLength(1);
    expect(alike).toContain('Cause: errors.code (1 case, 23 answers)');
  });

  it('passes waived and baseline findings, and shows their evidence', () => {
    const root = read(excused());
    expect(root.attributes).toMatchObject({ failures: '1' });
    expect(outcomeOf(caseNamed(root, NEW.id))?.name).toBe('failure');
    expect(outcomeOf(caseNamed(root, 'auth/b'))).toMatchObject({
      name: 'skipped',
      attributes: { message: 'already in the baseline of 2030-03-01' },
    });
    const waived = caseNamed(root, 'auth/a');
    const words = 'waived until 2030-12-31 by gateway team: Codes are numbers until 2.4. (https://tracker.example/42)';
    expect(outcomeOf(waived)).toMatchObject({ name: 'skipped', attributes: { message: words } });
    const [evidence] = allOf(waived, 'system-out');
    expect(evidence?.text).toContain('Actual: 401 (integer)');
    expect(evidence?.text).toContain(`Waiver: ${words}`);
    expect(propertiesOf(waived)).toContainEqual(['verdict', 'fail']);
  });

  it('puts findings that count before excused ones in the same case', () => {
    const [waived] = failing('auth/z', 'errors.code', 'waived', { waiver: 1 }).expectations;
    const both = oneCase('auth/z', [...(waived ? [waived] : []), ...NEW.expectations]);
    const root = read(report([both], 'does-not-conform', { waivers: waivers(WAIVER) }));
    const shown = caseNamed(root, 'auth/z');
    expect(outcomeOf(shown)).toMatchObject({ name: 'failure', attributes: { type: 'errors.message' } });
    expect(outcomeOf(shown)?.text.trim()).toMatch(/^Requirement: Summary of errors\.message/);
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

  it('passes a warning, and keeps it as a property; in a strict run it is a failure', () => {
    const warned = caseNamed(read(broken()), 'chat/label');
    expect(outcomeOf(warned)).toBeUndefined();
    const strict = expectation('json.label', { level: 'should', verdict: 'fail', findings: [finding()] });
    const failed = read(broken({ strict: true, cases: [oneCase('chat/label', [strict])] }));
    expect(outcomeOf(caseNamed(failed, 'chat/label'))?.name).toBe('failure');
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
