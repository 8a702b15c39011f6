import { describe, expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import { excused } from '../../../test/kit/excused-reports.ts';
import { render } from '../index.ts';
import { flaky, partlyTested } from '../../../test/kit/reserved-reports.ts';
import { broken, clause, conforming, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';

const many = (number: number, verdict: 'fail' | 'warn', text = 'x') =>
  broken({
    clauses: Array.from({ length: number }, (_, at) => clause(`a.b${at}`, { verdict })),
    cases: Array.from({ length: number }, (_, at) =>
      oneCase(`chat/${at}`, [
        expectation(`a.b${at}`, {
          verdict,
          findings: [
            finding({
              actual: { kind: 'text', text: quoteText(text, 200) },
              expected: { kind: 'prefix', prefix: text },
            }),
          ],
        }),
      ]),
    ),
  });

describe('the Markdown page', () => {
  it('starts with the verdict, followed by the scope and the counts by area', () => {
    const lines = render(conforming(), 'markdown').split('\n');
    expect(lines[0]).toBe('## ✅ CONFORMS: all 74 must clauses judged, none broken');
    expect(lines[2]).toBe(
      '`https://gateway.example/v1` · model `alpha-1` · 2 cases: 2 pass · 90 requests, 20 completions charged · wirecheck `0.1.0`',
    );
    expect(lines).toContain('| `models` | 1 | 1 | · | · | · | · |');
    expect(lines).toContain('| all | 2 | 2 | · | · | · | · |');
  });

  it('names the edition, if the report has one', () => {
    expect(render(conforming({ edition: '2026.1' }), 'markdown')).toContain('wirecheck `0.1.0` · edition `2026.1`\n');
  });

  it('shows one root cause once, with expected, actual and the command that repeats it', () => {
    const page = render(broken(), 'markdown');
    expect(page).toContain(
      [
        '### Broken: 1 cause in 2 cases',
        '',
        '- **An error answer carries error.code as a string.** `errors.code`, must, part 7',
        '  - expected: `string at /error/code`',
        '  - actual: `401 (integer)`, and in 1 more answer',
        '  - who is hurt: Programs never match it.',
        '  - request: `GET /v1/models, key: unknown`',
        '  - repeat: `curl -sS "$WIRECHECK_BASE_URL/models" -H "Authorization: Bearer sk-service-unknown"`',
        '  - cases: `auth/unknown-key[models]`, `parameters/temperature-above-range`',
      ].join('\n'),
    );
  });

  it('folds warnings and unjudged cases, with the reasons', () => {
    const page = render(partlyTested(), 'markdown');
    for (const summary of ['Warnings: 1 cause in 1 case', 'Not judged: 1 of 4 clauses (15 of 75 must), 3 of 7 cases']) {
      expect(page).toContain(`<details>\n<summary>${summary}</summary>\n\n- `);
    }
    expect(page).toContain(
      '- set `WIRECHECK_RESTRICTED_KEY` and pass `--forbidden-model` (1 clause, 1 must: `auth/restricted-list`',
    );
  });

  it('folds waived, baseline and fixed findings separately from the failures, with the reason', () => {
    const page = render(excused(), 'markdown');
    const [, failures = ''] = /### Broken: 1 cause in 1 case\n([^]*?)<details>/.exec(page) ?? [];
    expect(failures).toContain('`errors.message`');
    expect(failures).toContain('new since 2030-03-01');
    expect(failures).not.toMatch(/errors\.(?:code|object)/);
    const inFold = (summary: string) =>
      page.split(`<details>\n<summary>${summary}</summary>`)[1]?.split('</details>')[0] ?? '';
    const known = inFold('In the baseline: 1 cause in 1 case');
    expect(known).toMatch(/`errors\.object`[^]*\n {2}- baseline: already in the baseline of 2030-03-01\n/);
    expect(inFold('Waived: 1 cause in 1 case')).toMatch(
      /`errors\.code`[^]*\n {2}- waiver: waived until 2030-12-31 by gateway team: Codes are numbers until 2\.4\./,
    );
    expect(inFold('Fixed since 2030-03-01: 1 case').trim()).toBe('- `errors.type` in `auth/x`');
    expect(inFold('In the baseline, but not judged in this run: 1 case')).toContain('`errors.json` in `auth/y`');
  });

  it('shows cases that answered only on a retry', () => {
    const page = render(flaky(), 'markdown');
    expect(page).toContain('<summary>Flaky: 1 case answered only on a retry</summary>\n\n- `chat/a` (503, then 200)\n');
    expect(render(conforming(), 'markdown')).not.toContain('Flaky');
  });

  it('says why a run ended early', () => {
    const page = render(broken({ ending: { kind: 'budget', setting: 'max-time' } }), 'markdown');
    expect(page).toContain('The run ended because it reached `--max-time`. Raise `--max-time`');
  });

  it.each([
    ['fail', 50, '- 30 more causes omitted; '],
    ['warn', 11, '- 1 more cause omitted; '],
  ] as const)('limits the number of %s and counts the rest', (verdict, number, rest) => {
    const report = many(number, verdict);
    expect(render(report, 'markdown', { page: 'report.html' })).toContain(
      `${rest}see the full report (report.html).\n`,
    );
    const alone = render(report, 'markdown');
    expect(alone).toContain(`${rest}\`--reporter html\` has all.\n`);
    expect(alone).not.toContain('full report');
  });

  it('fits in a comment, however long its parts are', () => {
    const page = render(many(20, 'fail', '\u0000'.repeat(9_000)), 'markdown');
    expect(page.length).toBeLessThan(40_000);
    const shown = page.match(/^- \*\*/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(3);
    expect(page).toContain(`- ${20 - shown} more causes omitted;`);
  });
});
