import { describe, expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import { PREREQUISITES } from '../../suite/case.ts';
import type { Reason } from '../../verdict/reason.ts';
import { render } from '../index.ts';
import { columnsOf } from '../../text/layout.ts';
import {
  broken,
  clause,
  conforming,
  counts,
  exchange,
  expectation,
  finding,
  flaky,
  oneCase,
  partlyTested,
} from '../../../test/kit/sample-reports.ts';

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

describe('the terminal report', () => {
  it('ends with the verdict and has no escape sequences without colour', () => {
    const text = render(conforming(), 'terminal');
    expect(lastLine(text)).toBe('CONFORMS: all 74 must clauses judged, none broken');
    expect(text).not.toContain('\u001b');
    expect(text).not.toMatch(/Failures|Warnings|Skipped|Inconclusive/);
  });

  it('says how much a foreign recording contains, without a plan or a cost', () => {
    const nothing = { requests: 0, completions: 0, tokens: 0 };
    const report = conforming({ cost: { used: { ...nothing, requests: 3 }, least: nothing, most: nothing } });
    expect(render(report, 'terminal')).toMatch(/^Recorded: {3}3 requests$/m);
    expect(render(report, 'html')).toContain('The file has 3 requests.');
    for (const format of ['terminal', 'html', 'markdown'] as const)
      expect(render(report, format)).not.toMatch(/planned|charged/);
  });

  it('never conveys anything by colour alone', () => {
    // oxlint-disable-next-line no-control-regex
    const bare = render(broken(), 'terminal', { colour: true }).replaceAll(/\u001b\[\d+m/g, '');
    expect(bare).toBe(render(broken(), 'terminal'));
  });

  it('shows a failure as requirement, expected, actual, request, repeat and explain', () => {
    const text = render(broken(), 'terminal', { width: 100 });
    expect(text).toContain(
      [
        `✗ auth/unknown-key[models]${' '.repeat(61)}must · part 7`,
        '  Requirement  An error answer carries error.code as a string.',
        '  Expected     string at /error/code',
        `  Actual       401 (integer)${' '.repeat(52)}and in 1 more answer`,
        '  Request      GET /v1/models, key: unknown',
        '  Repeat       curl -sS "$WIRECHECK_BASE_URL/models" -H "Authorization: Bearer sk-service-unknown"',
        '  Explain      wirecheck explain errors.code',
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
    expect(text).toContain('Failures: 1 cause in 2 cases');
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
    expect(text).toContain('Failures: 4 causes in 1 case');
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
    const written = ['out/report.json', 'out/report.html', 'elsewhere/junit.xml'];
    const text = render(partlyTested(), 'terminal', { written });
    const order = [
      'wirecheck 0.1.0',
      'Cost: ',
      'Time: ',
      'Tolerance: ',
      'Observed: ',
      'Not tested: ',
      'Area ',
      'Inconclusive: ',
      'Warnings: ',
      'Failures: ',
      'Report:     out/report.html, report.json, elsewhere/junit.xml\n',
      'DOES NOT CONFORM',
    ].map((start) => `\n${text}`.indexOf(`\n${start}`));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBe(0);
  });

  it('has one line on observations, which says where to read them', () => {
    const line = 'Observed:   2 things the contract leaves open; ';
    expect(render(broken(), 'terminal', { written: ['out/page.html'] })).toContain(`\n${line}see page.html\n`);
    expect(render(broken(), 'terminal')).toContain(`\n${line}--verbose lists them\n`);
  });

  it('has one line on clauses that were not tested, with the settings that enable them', () => {
    expect(render(partlyTested(), 'terminal')).toContain(
      '\nNot tested: 1 clause (set WIRECHECK_RESTRICTED_KEY and pass --forbidden-model)\n',
    );
  });

  it('shows cases that answered only on a retry, and what came first', () => {
    expect(render(flaky(), 'terminal')).toContain(
      '\nFlaky:      1 case answered only on a retry: chat/a (503, then 200)\n',
    );
    expect(render(broken(), 'terminal')).not.toContain('Flaky');
  });

  it('notes below the table that a case counts once, only if the lists would seem to contradict it', () => {
    const note = 'Each case counts once, by its worst verdict.';
    expect(render(broken(), 'terminal')).not.toContain(note);
    const both = [expectation('a', { verdict: 'fail' }), expectation('b', { verdict: 'warn' })];
    expect(render(broken({ cases: [oneCase('chat/a', both)] }), 'terminal')).toContain(note);
  });

  it('fits a narrow terminal, except for the verdict and commands to paste', () => {
    for (const width of [60, 80, 100]) {
      const lines = render(broken(), 'terminal', { width }).trimEnd().split('\n').slice(0, -1);
      const long = lines.filter((line) => columnsOf(line) > width && !line.trimStart().startsWith('Repeat'));
      expect(long).toEqual([]);
    }
  });

  it('does not count a clause that did not apply as not tested, and lists every reason when verbose', () => {
    const skipped = (id: string, reason: Reason) => expectation(id, { verdict: 'skipped', reason });
    const cases = [
      oneCase('chat/a', [
        skipped('a.a', { kind: 'no-occasion', of: 'error' }),
        skipped('a.b', { kind: 'see-clause', because: 'no-delta', clause: 'stream.choice-delta' }),
      ]),
      oneCase('chat/b', [
        skipped('a.c', { kind: 'no-stop' }),
        skipped('a.d', { kind: 'needs', settings: ['openapi'] }),
      ]),
    ];
    const clauses = ['a.a', 'a.b', 'a.c', 'a.d'].map((id) => clause(id, { verdict: 'skipped' }));
    expect(render(conforming({ cases, clauses }), 'terminal')).toContain(
      '\nNot tested: 2 clauses (pass --openapi; the stream carried no text and did not end with stop)\n',
    );
    const verbose = render(conforming({ cases, clauses }), 'terminal', { detail: 'verbose' });
    expect(verbose).toContain('Skipped, at least in part: 2 cases\n  - no answer was an error (1 case)\n    chat/a\n');
  });

  it('counts further reasons of clauses that were not tested only from the second on', () => {
    const skipped = (kind: 'no-stop' | 'upstream-key-unknown') => ({ kind }) as const;
    const needs = PREREQUISITES.slice(0, 5).map((setting) => ({ kind: 'needs', settings: [setting] }) as const);
    const line = (reasons: readonly Reason[]): string => {
      const cases = reasons.map((reason, index) =>
        oneCase(`chat/${index}`, [expectation(`a.${index}`, { verdict: 'skipped', reason })]),
      );
      const clauses = reasons.map((_, index) => clause(`a.${index}`, { verdict: 'skipped' }));
      return render(conforming({ cases, clauses }), 'terminal').replaceAll(/\s+/g, ' ');
    };
    expect(line([...needs, skipped('no-stop')])).toContain('; the stream carried no text and did not end with stop)');
    expect(line([...needs, skipped('no-stop'), skipped('upstream-key-unknown')])).toContain('; 2 more reasons)');
  });

  it('does not call a clause not tested if another case judged it', () => {
    const reason = { kind: 'needs', settings: ['openapi'] } as const;
    const cases = [oneCase('chat/a', [expectation('a.a', { verdict: 'skipped', reason })])];
    expect(render(conforming({ cases, clauses: [clause('a.a')] }), 'terminal')).not.toContain('Not tested');
  });

  it('shows every reason of inconclusive cases', () => {
    const untested = expectation('a.b', { verdict: 'inconclusive', reason: { kind: 'no-occasion', of: 'error' } });
    const text = render(conforming({ cases: [oneCase('chat/a', [untested])] }), 'terminal');
    expect(text).toContain('  ? no answer was an error (1 case)\n    chat/a');
  });

  it('lists inconclusive cases with reasons', () => {
    expect(render(broken(), 'terminal')).toContain(
      'Inconclusive: 1 case\n  ? no answer within --timeout: raise --timeout (1 case)\n    chat/slow\n',
    );
  });

  it('shows observations, tolerance in both directions, the areas and the cost', () => {
    const text = render(broken(), 'terminal', { width: 120, detail: 'verbose' });
    expect(text).toContain('  chat.created  unit of created: seconds');
    expect(text).toContain('  errors.codes  error codes: 401, invalid_key');
    expect(text).toContain(
      '1 of 2 unknown request fields ignored; 1 extra field in answers: completion /system_fingerprint',
    );
    expect(text).toMatch(/^auth +4 +· +2 +· +· +· +2$/m);
    expect(text).toMatch(/^all +7 +1 +2 +1 +1 +· +2$/m);
    expect(text).toContain('90 requests (planned 90 to 240), 20 completions charged (planned 20 to 70)');
    expect(render(broken(), 'terminal')).toContain('\nCost:       90 requests, 20 completions charged, 400 tokens\n');
  });

  it('explains how a run can cost more tokens than planned', () => {
    const { cost } = broken();
    const text = render(broken({ cost: { ...cost, used: { ...cost.used, tokens: 4131 } } }), 'terminal');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /4,131 tokens; the plan was at most [\d,]+, without replies to requests that set no token limit/,
    );
  });

  it('shows who spent the time, and the slowest requests when verbose', () => {
    const time = {
      wall: 2_200,
      target: 1_900,
      pauses: 0,
      checker: 300,
      slowest: [
        { exchange: conforming().exchanges[1]?.id ?? '', time: 391.2 },
        { exchange: conforming().exchanges[0]?.id ?? '', time: 29 },
      ],
    };
    const text = render(conforming({ time }), 'terminal');
    expect(text).toMatch(/^Time: +\d+\.\d s \(1\.9 s waiting for the target, 0\.3 s in wirecheck\)$/m);
    expect(text).not.toContain('Slowest');
    const slowed = render(conforming({ time: { ...time, pauses: 30_000 } }), 'terminal', { detail: 'verbose' });
    expect(slowed).toContain('1.9 s waiting for the target, 30.0 s pausing, 0.3 s in wirecheck');
    expect(slowed).toContain(
      'Slowest:    391 ms  POST /v1/chat/completions, streamed\n            29 ms  GET /v1/models\n',
    );
    expect(render(conforming(), 'terminal')).toMatch(/^Time: +\d+\.\d s$/m);
  });

  it('shows only the verdict when quiet', () => {
    expect(render(broken(), 'terminal', { detail: 'quiet' })).toBe(
      'DOES NOT CONFORM: 1 must clause broken, in 2 cases (60 of 74 judged)\n',
    );
  });

  it('shows passed cases and the times of a stream when verbose', () => {
    const text = render(conforming(), 'terminal', { detail: 'verbose' });
    expect(text).toContain('✓ models/list  title of models/list (pass)');
    expect(text).toContain('GET /v1/models');
    expect(text).toContain('→ 200 in 4 ms, 2 bytes');
    expect(text).toContain('3 events in 1 read at 12 18 25 ms, ended: done');
  });

  it('keeps every line within the width, except commands to paste', () => {
    const long = 'word '.repeat(60);
    const report = broken({
      notices: [long],
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
      notices: [nasty],
      observations: [{ clause: 'a', case: 'b', name: nasty, value: [quoteText(nasty)] }],
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
    expect(text).not.toContain('Inconclusive');
    expect(text).toContain('\nCost:       1 request, 0 completions charged, 0 tokens\n');
    expect(lastLine(text)).toBe('NOT JUDGED: the target could not be reached');
  });
});
