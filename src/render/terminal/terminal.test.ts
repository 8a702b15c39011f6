import { describe, expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import { render } from '../index.ts';
import { columnsOf } from '../../text/layout.ts';
import { partlyTested } from '../../../test/kit/reserved-reports.ts';
import {
  broken,
  clause,
  conforming,
  counts,
  exchange,
  expectation,
  finding,
  oneCase,
} from '../../../test/kit/sample-reports.ts';

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
// oxlint-disable-next-line no-control-regex -- colours are control sequences
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

describe('the terminal report', () => {
  it('ends with the verdict and has no escape sequences without colour', () => {
    const text = render(conforming(), 'terminal');
    expect(lastLine(text)).toBe('CONFORMS: all 74 must clauses judged, none broken');
    expect(text).not.toContain('\u001b');
    expect(text).not.toMatch(/Broken|Warnings|Not judged/);
  });

  it('says how much a foreign recording contains, without a plan or a cost', () => {
    const nothing = { requests: 0, completions: 0, tokens: 0 };
    const report = conforming({ cost: { used: { ...nothing, requests: 3 }, least: nothing, most: nothing } });
    expect(render(report, 'terminal')).toMatch(/^Traffic: {4}3 requests$/m);
    expect(render(report, 'html')).toMatch(/Traffic<\/dt>\s*<dd>3 requests</);
    for (const format of ['terminal', 'html', 'markdown'] as const)
      expect(render(report, format)).not.toMatch(/planned|charged/);
  });

  it('never conveys anything by colour alone', () => {
    // oxlint-disable-next-line no-control-regex -- colours are control sequences
    const bare = render(broken(), 'terminal', { colour: true }).replaceAll(/\u001b\[\d+m/g, '');
    expect(bare).toBe(render(broken(), 'terminal'));
  });

  it('shows a failure as requirement, expected, actual, who is hurt, request, repeat and explain', () => {
    const text = render(broken(), 'terminal', { width: 100 });
    expect(text).toContain(
      [
        `✗ auth/unknown-key[models]${' '.repeat(61)}must · part 7`,
        '  Requirement  An error answer carries error.code as a string.',
        '  Expected     string at /error/code',
        `  Actual       401 (integer)${' '.repeat(52)}and in 1 more answer`,
        '  Who is hurt  Programs never match it.',
        '  Request      GET /v1/models, key: unknown',
        '  Repeat       curl -sS "$WIRECHECK_BASE_URL/models" -H "Authorization: Bearer sk-service-unknown"',
        '  Explain      npx --no-install wirecheck explain errors.code',
        '  Cases        auth/unknown-key[models], parameters/temperature-above-range',
      ].join('\n'),
    );
  });

  it('folds one root cause into one entry, whatever the index in its pointer', () => {
    const at = (pointer: string, more = 0) =>
      expectation('chat.index', { verdict: 'fail', findings: [finding({ pointer, exchange: 'one', more })] });
    const report = broken({
      cases: [oneCase('chat/a', [at('/choices/0/index')]), oneCase('chat/b', [at('/choices/12/index', 3)])],
    });
    const text = render(report, 'terminal');
    expect(text).toContain('Broken: 1 cause in 2 cases');
    expect(text).toContain('and in 4 more places');
  });

  it('keeps findings with different clause, expectation or type separate', () => {
    const of = (clauseId: string, more: Partial<ReturnType<typeof finding>>) =>
      expectation(clauseId, { verdict: 'fail', findings: [finding(more)] });
    const cases = [
      of('a', {}),
      of('b', {}),
      of('a', { actualType: 'null' }),
      of('a', { expected: { kind: 'type', types: ['object'] } }),
    ];
    const text = render(broken({ cases: [oneCase('chat/a', cases)] }), 'terminal');
    expect(text).toContain('Broken: 4 causes in 1 case');
  });

  it('shows a failure even if its check has no finding', () => {
    const text = render(
      broken({ cases: [oneCase('chat/a', [expectation('chat.reply', { verdict: 'fail' })])] }),
      'terminal',
    );
    expect(text).toContain('✗ chat/a');
  });

  it('names the edit of the case with the exchange it shows', () => {
    const [, second] = broken().cases;
    const text = render(broken({ cases: second ? [second] : [] }), 'terminal');
    expect(text).toContain('Request      POST /v1/chat/completions, /temperature set to 2.1');
  });

  it('has the facts first, then the table, then failures, then the files and the verdict', () => {
    const written = ['brief.md', 'out/report.json', 'out/report.html', 'elsewhere/junit.xml'];
    const text = render(partlyTested(), 'terminal', { written });
    const order = [
      'wirecheck 0.1.0',
      'Cost: ',
      'Time: ',
      'Recorded: ',
      'Area ',
      'Not judged: ',
      'Warnings: ',
      'Broken: ',
      'Report:     out/report.html, report.json\n            elsewhere/junit.xml\n            ./brief.md\n',
      '✗ errors.code (must): ',
      'DOES NOT CONFORM',
    ].map((start) => `\n${text}`.indexOf(`\n${start}`));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBe(0);
  });

  it('fits a narrow terminal, except for the verdict and commands to paste', () => {
    for (const width of [60, 80, 100]) {
      const lines = render(broken(), 'terminal', { width }).trimEnd().split('\n').slice(0, -1);
      const long = lines.filter((line) => columnsOf(line) > width && !/^ +(?:Repeat|Explain) /.test(line));
      expect(long).toEqual([]);
    }
  });

  it('shows only the verdict when quiet', () => {
    expect(render(broken(), 'terminal', { detail: 'quiet' })).toBe(
      'DOES NOT CONFORM: 1 must clause broken (60 of 74 judged)\n',
    );
  });

  it('keeps every line within the width, except commands to paste', () => {
    const long = 'word '.repeat(60);
    const report = broken({
      notices: [{ kind: 'recorded', sentence: long }],
      clauses: [
        clause('errors.code', { verdict: 'fail', summary: long }),
        clause('json.label', { summary: 'x'.repeat(300) }),
      ],
    });
    for (const width of [40, 80, 97, 120, 500]) {
      const lines = render(report, 'terminal', { width }).split('\n');
      const widest = Math.max(...lines.filter((line) => !line.includes('Repeat')).map((line) => line.length));
      expect(widest).toBeLessThanOrEqual(Math.min(120, Math.max(80, width)));
    }
  });

  it('makes all text from the target inert', () => {
    const nasty = '\u001b[2J\u001b]0;owned\u0007\u202e\u200b\r\n\u009b31m\ufeff';
    const cases = [
      oneCase(
        'chat/a',
        [
          expectation('errors.code', {
            verdict: 'fail',
            findings: [
              finding({
                actual: { kind: 'text', text: quoteText(nasty) },
                expected: { kind: 'prefix', prefix: nasty },
                pointer: `/${nasty}`,
              }),
            ],
          }),
          expectation('b', {
            verdict: 'inconclusive',
            reason: { kind: 'reference-not-followed', first: quoteText(nasty), more: 0 },
          }),
          expectation('c', { verdict: 'skipped', reason: { kind: 'no-json-schema', bodies: [nasty] } }),
        ],
        { title: nasty, repeat: nasty, exchange: 'auth/unknown-key[models]' },
      ),
    ];
    const report = broken({
      cases,
      target: { baseUrl: `https://gateway.example/v1${nasty}`, model: nasty },
      notices: [{ kind: 'recorded', sentence: nasty }],
      observations: [{ clause: 'a', case: 'b', name: 'outcome-of', of: nasty, value: [quoteText(nasty)] }],
      areas: [{ area: nasty, cases: counts({}) }],
      tolerance: { unknownRequestFields: { asked: 0, ignored: 0 }, unknownAnswerFields: [quoteText(nasty)] },
      exchanges: [
        exchange('auth/unknown-key[models]', {
          method: nasty,
          path: nasty,
          attempts: [{ sentAt: 0, pause: 0, failure: { kind: 'closed', code: nasty, detail: nasty }, secretsSeen: [] }],
        }),
      ],
      ending: { kind: 'stopped-answering', suspects: [nasty], lastAnswered: nasty },
    });
    for (const detail of ['quiet', 'normal', 'verbose'] as const) {
      expect(render(report, 'terminal', { detail })).not.toMatch(UNSAFE);
    }
    expect(render(report, 'json')).not.toMatch(UNSAFE);
    expect(JSON.parse(render(report, 'json'))).toEqual(report);
  });
});

describe('a run that never started', () => {
  it('is reported in one sentence with its remedy, not case by case', () => {
    const report = broken({
      ending: { kind: 'unreachable', failure: { kind: 'refused', code: 'ECONNREFUSED', detail: '' } },
      outcome: { name: 'not-judged', exit: 3, mustClauses: 74, mustJudged: 0 },
      cost: { ...broken().cost, used: { requests: 1, completions: 0, tokens: 0 } },
      cases: [
        oneCase('chat/slow', [expectation('a', { verdict: 'inconclusive', reason: { kind: 'nothing-to-judge' } })]),
      ],
    });
    const text = render(report, 'terminal');
    expect(text).toContain('Cannot connect to https://gateway.example/v1 (ECONNREFUSED)');
    expect(text).toContain('--wait-for 60s');
    expect(text).not.toContain('Not judged:');
    expect(text).toContain('\nCost:       1 request, 0 completions charged, 0 tokens\n');
    expect(lastLine(text)).toBe('NOT JUDGED: the target could not be reached');
  });
});
