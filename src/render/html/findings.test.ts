import { describe, expect, it } from 'vitest';
import { WAIVER, waivers } from '../../../test/kit/excused-reports.ts';
import { broken, exchange, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import { page, sectionOf, textOf } from '../../../test/kit/reading-pages.ts';
import { oneOfEverything } from '../../../test/kit/sample-pages.ts';
import type { Report } from '../../report/report.ts';

describe('a finding', () => {
  it('appears once for all cases with the same cause, failures before warnings', () => {
    const html = page(oneOfEverything());
    expect(sectionOf(html, 'failures').match(/<article/g)).toHaveLength(1);
    expect(sectionOf(html, 'warnings').match(/<article/g)).toHaveLength(2);
    expect(html.indexOf('id="failures"')).toBeLessThan(html.indexOf('id="warnings"'));
    expect(textOf(sectionOf(html, 'failures'))).toContain('2 cases, 2 answers');
  });

  it('shows requirement, expected, actual, who is hurt, request, repeat, explain and cases', () => {
    const text = textOf(sectionOf(page(oneOfEverything()), 'failures'));
    expect(text).toMatch(/Requirement\s+An error answer carries error.code as a string./);
    expect(text).toMatch(/Expected string at \/error\/code/);
    expect(text).toMatch(/Actual 401 \(integer\)/);
    expect(text).toMatch(/Who is hurt Programs never match it\./);
    expect(text).toMatch(/Request GET \/v1\/models, key: unknown/);
    expect(text).toMatch(
      /Repeat curl -sS "\$WIRECHECK_BASE_URL\/models" -H "Authorization: Bearer sk-service-unknown"/,
    );
    expect(text).toMatch(/Explain npx --no-install wirecheck explain errors.code/);
    expect(text).toMatch(/Cases auth\/unknown-key\[models\] parameters\/temperature-above-range/);
  });

  it('gives the reason for an unusual level beside the level, and no label without one', () => {
    const report = oneOfEverything();
    const told = report.clauses.map((clause) => ({ ...clause, why: 'A reason.' }));
    const text = textOf(sectionOf(page({ ...report, clauses: told }), 'failures'));
    expect(text).toMatch(/Level must\. A reason\.\s+Explain npx/);
    expect(textOf(sectionOf(page(report), 'failures'))).not.toContain('Level');
  });

  it('marks the offending place in the answer, and the edit in the request', () => {
    const html = sectionOf(page(oneOfEverything()), 'failures');
    expect(html).toContain('<mark class="wrong">&quot;code&quot;: 401</mark>');
    expect(html).toMatch(/<mark class="edit">\s*<code>Authorization: Bearer sk-service-unknown<\/code>\s*<\/mark>/);
  });

  it('marks what is wrong with a request where the request is judged, and not in its answer', () => {
    const sent = exchange('up', { side: 'upstream', body: '{"n":1,"model":"a"}' });
    const shown = [finding({ exchange: 'up', pointer: '/n', actual: { kind: 'value', value: 1 } })];
    const cases = [oneCase('a/b', [expectation('errors.code', { verdict: 'fail', findings: shown })])];
    const html = sectionOf(page(oneOfEverything({ cases, exchanges: [sent] })), 'failures');
    expect(html.match(/<mark class="wrong">.*?<\/mark>/g)).toEqual(['<mark class="wrong">&quot;n&quot;: 1</mark>']);
    expect(html).not.toContain('is missing. The mark shows');
  });

  it('says what each measured client makes of the answer, and nothing where none was measured or hurt', () => {
    const kind = { clause: 'errors.code', call: 'models', mismatch: 'type', actual: 'integer' } as const;
    const own = { ...kind, pointer: '/error/code' };
    const measured = (affected: readonly { client: string; effect: 'throws' }[]) =>
      oneOfEverything({
        affected: { measured: '2026-11-15', mismatches: [{ ...own, affected, unaffected: ['kit 2'] }] },
        exchanges: [exchange('auth/unknown-key[models]')],
      });
    const textWith = (report: Report) => textOf(sectionOf(page(report), 'failures'));
    expect(textWith(measured([{ client: 'sdk 6', effect: 'throws' }]))).toContain(
      'Measured clients (2026-11-15, default settings) client model list sdk 6 throws kit 2 is not affected',
    );
    for (const report of [measured([]), oneOfEverything()]) expect(textWith(report)).not.toContain('Measured clients');
  });

  it('marks the event of a stream, and the place in it', () => {
    const html = sectionOf(page(oneOfEverything()), 'warnings');
    expect(html).toMatch(/<tr class="marked">\s*<th scope="row">2<\/th>/);
    expect(html).toContain('<mark class="wrong">&quot;index&quot;:0</mark>');
    expect(html).toContain('class="event wrong"');
  });

  it('marks where a missing field belongs, and names the field', () => {
    const absent = finding({
      pointer: '/error/param',
      mismatch: 'required',
      actualType: 'absent',
      actual: { kind: 'absent' },
    });
    const report = oneOfEverything({
      cases: [oneCase('a/b', [expectation('errors.code', { verdict: 'fail', findings: [absent] })])],
    });
    const html = sectionOf(page(report), 'failures');
    expect(html).toContain('<mark class="wrong">&quot;error&quot;: {</mark>');
    expect(textOf(html)).toContain('/error/param is missing. The mark shows where it belongs.');
  });

  it('marks a wrong status', () => {
    const wrong = finding({
      mismatch: 'status',
      expected: { kind: 'refusal' },
      actual: { kind: 'status', status: 200 },
      actualType: '2xx',
    });
    const report = oneOfEverything({
      cases: [oneCase('a/b', [expectation('errors.code', { verdict: 'fail', findings: [wrong] })])],
    });
    expect(sectionOf(page(report), 'failures')).toMatch(
      /<mark class="wrong">\s*<code>HTTP\/1.1 401<\/code>\s*<\/mark>/,
    );
  });

  it('shows the edit next to its control, with the values that were sent', () => {
    const report = oneOfEverything();
    const cases = report.cases.map((testCase) =>
      testCase.id === 'parameters/temperature-above-range' ? { ...testCase, control: 'chat' } : testCase,
    );
    const html = sectionOf(page({ ...report, cases: cases.slice(1) }), 'failures');
    expect(textOf(html)).toMatch(/field control this request \/temperature \(absent\) 2.1/);
    expect(textOf(html)).toContain('Control request chat : 200 in 4.4 ms');
    expect(textOf(html)).toContain('Attempt 2 of 2: no answer (timeout); 401 in 4.4 ms.');
  });

  it('shows the edit alone if no control was sent', () => {
    const report = oneOfEverything();
    const cases = report.cases.map((testCase) =>
      testCase.base === undefined ? testCase : { ...testCase, base: 'chat-brief' },
    );
    const html = sectionOf(page({ ...report, cases: cases.slice(1) }), 'failures');
    expect(textOf(html)).toMatch(/Edit edit \/temperature set to 2.1/);
  });

  it('that does not count is listed separately from those that count', () => {
    const code = finding({ waiver: 1 });
    const excused = { verdict: 'fail', findings: [code], excused: 'waived' } as const;
    const html = page(
      oneOfEverything({
        cases: [oneCase('a/b', [expectation('errors.code', excused)])],
        waivers: {
          file: 'waivers.yaml',
          today: '2026-01-01',
          failOnUnused: false,
          entries: [
            {
              clause: 'errors.code',
              reason: 'the vendor knows',
              until: '2026-12-31',
              line: 2,
              state: 'in-use',
              findings: 1,
            },
          ],
        },
        baseline: {
          file: 'old.json',
          baseUrl: 'https://gateway.example/v1',
          startedAt: '2025-12-31T00:00:00.000Z',
          sameContract: false,
          fixed: [{ case: 'chat/reply', clause: 'chat.reply', fingerprint: 'f' }],
          notJudged: [],
        },
      }),
    );
    expect(sectionOf(html, 'failures')).toBe('');
    expect(textOf(sectionOf(html, 'waived'))).toContain('Waiver waived until 2026-12-31: the vendor knows');
    expect(textOf(sectionOf(html, 'waivers'))).toMatch(
      /Waiver 1, line 2 errors.code the vendor knows in use · 1 cause in 1 case · until/,
    );
    expect(textOf(sectionOf(html, 'baseline'))).toMatch(
      /Fixed since \d{4}-\d\d-\d\d: 1 case chat\/reply for chat.reply/,
    );
  });

  it('without a place is still shown', () => {
    const report = broken({ cases: [oneCase('a/b', [expectation('errors.code', { verdict: 'fail' })])] });
    expect(textOf(sectionOf(page(report), 'failures'))).toContain('npx --no-install wirecheck explain errors.code');
  });
});

it('The page shows the evidence of what counts, and of the rest on demand', () => {
  const hasOpen = (given: Report): boolean => /<details class="evidence"\s+open/.test(page(given));
  const counted = broken();
  const cases = counted.cases.map((testCase) => ({
    ...testCase,
    expectations: testCase.expectations.map((each) => ({
      ...each,
      findings: each.findings.map((own) => ({ ...own, waiver: 1 })),
    })),
  }));
  expect([hasOpen(counted), hasOpen({ ...counted, cases, waivers: waivers(WAIVER) })]).toEqual([true, false]);
});
